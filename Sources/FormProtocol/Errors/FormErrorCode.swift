/// The errors that JSON-RPC 2.0 (section 5.1) does not know. The raw value is the code.
public enum FormErrorCode: Int, CaseIterable, Sendable {
  /// The client took the request back, or the session that the request was about was closed. The Language Server
  /// Protocol has the same code for its `RequestCancelled`.
  case requestCancelled = -32800
  /// This connection has no such session: it is unknown or belongs to another connection. Or the key opens no session.
  case unknownSession = 1001
  /// No connection has that number.
  case unknownConnection = 1002
  /// The daemon has no form of that name.
  case unknownForm = 1003
  /// The form has no field of that name.
  case unknownField = 1004
  /// The form has no action of that name.
  case unknownAction = 1005
  /// No provider of that name is registered by this connection.
  case unknownProvider = 1006
  /// The maximum number of connections has registered a provider of that name, or this connection has.
  case duplicateProvider = 1007
  /// The form has no step of that id, or the step is hidden.
  case unknownStep = 1008
  /// The configuration has a token for that provider, and the client gave none or another.
  case wrongToken = 1009
  /// The daemon is ending.
  case draining = 1010
  /// The daemon as a whole is at a limit; try again later.
  case overloaded = 1011
  /// This connection is at a limit of its own.
  case quotaExceeded = 1012
  /// Another client has ended this connection.
  case disconnected = 1013
  /// The session is at another daemon, which has clients there or an action that runs.
  case attachedElsewhere = 1014
  /// The client's user does not have the role that the method needs.
  case roleNeeded = 1015

  /// The error's name in documents.
  package var name: String {
    switch self {
    case .requestCancelled: "RequestCancelled"
    case .unknownSession: "UnknownSession"
    case .unknownConnection: "UnknownConnection"
    case .unknownForm: "UnknownForm"
    case .unknownField: "UnknownField"
    case .unknownAction: "UnknownAction"
    case .unknownProvider: "UnknownProvider"
    case .duplicateProvider: "DuplicateProvider"
    case .unknownStep: "UnknownStep"
    case .wrongToken: "WrongToken"
    case .draining: "Draining"
    case .overloaded: "Overloaded"
    case .quotaExceeded: "QuotaExceeded"
    case .disconnected: "Disconnected"
    case .attachedElsewhere: "AttachedElsewhere"
    case .roleNeeded: "RoleNeeded"
    }
  }

  /// The message of the error, in one sentence.
  package var message: String {
    switch self {
    case .requestCancelled: "Request cancelled"
    case .unknownSession: "Unknown session"
    case .unknownConnection: "Unknown connection"
    case .unknownForm: "Unknown form"
    case .unknownField: "Unknown field"
    case .unknownAction: "Unknown action"
    case .unknownProvider: "Unknown provider"
    case .duplicateProvider: "The provider is registered already"
    case .unknownStep: "Unknown step"
    case .wrongToken: "The provider's token is missing or wrong"
    case .draining: "The daemon is ending"
    case .overloaded: "The daemon has reached a limit"
    case .quotaExceeded: "This connection has reached a limit"
    case .disconnected: "A client has ended this connection"
    case .attachedElsewhere: "The session is in use at another daemon"
    case .roleNeeded: "This user does not have the needed role"
    }
  }
}
