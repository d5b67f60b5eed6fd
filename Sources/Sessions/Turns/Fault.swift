/// A run-time error in a formula, which is a value like any other, or a schema that could not be judged within the
/// turn's budget. It goes to the log.
public struct Fault: Sendable, Hashable {
  /// The location of the formula, or of the schema's keyword, in the definition, as a JSON Pointer.
  public var pointer: String
  /// The name of the formula, as messages have it: `outputs.total`, `rules['email.shape'].check`.
  public var name: String
  /// The error as a text. It never contains a field's value.
  public var message: String
}
