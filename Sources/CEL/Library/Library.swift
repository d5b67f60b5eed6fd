/// A named set of functions and type identifiers that an environment can offer to its expressions.
public struct Library: Sendable {
  /// The name, such as `strings`.
  public let name: String
  /// The functions' overloads.
  public let overloads: [Overload]
  /// Identifiers of types, beyond the types of the standard library: `net.IP`.
  public let types: [String: CELType]

  /// A library of those overloads.
  public init(name: String, overloads: [Overload], types: [String: CELType] = [:]) {
    self.name = name
    self.overloads = overloads
    self.types = types
  }
}
