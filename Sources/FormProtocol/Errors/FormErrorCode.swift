/// The daemon's own error codes. The others are those of JSON-RPC 2.0, section 5.1, such as -32602 for wrong params.
public enum FormErrorCode {
  /// No such session on this connection, be it unknown or another connection's.
  public static let unknownSession = 1001
  /// The daemon has no form of that name.
  public static let unknownForm = 1003
  /// The form has no field of that name.
  public static let unknownField = 1004
  /// The form has no action of that name.
  public static let unknownAction = 1005
  /// No provider of that name is registered by this connection.
  public static let unknownProvider = 1006
  /// The daemon is ending.
  public static let draining = 1010
  /// The daemon as a whole is at a limit; try again later.
  public static let overloaded = 1011
  /// This connection is at a limit of its own, or a name is taken.
  public static let quotaExceeded = 1012
}
