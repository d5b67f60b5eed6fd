internal import Client
internal import FormProtocol
internal import JSON
internal import TerminalForms

/// Values from a pipe: one JSON object, or lines in the syntax of `formctl run`.
enum PipedFill {
  /// Gives a session the values from standard input, and waits until nothing is in progress.
  ///
  /// - Returns: the secrets among the values, by address.
  /// - Throws: ``CommandFailure`` with the invalid line, ``ClientError`` if the daemon disconnects.
  static func fill(_ session: FormSession, _ description: FormDescription) throws -> [String: JSON] {
    let bytes = try Console.readFile("-")
    var secrets: [String: JSON] = [:]
    if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      let values = try FormValues.object(bytes, from: "-")
      secrets = FilledForm.secrets(in: values, description.fields)
      if !values.isEmpty { try session.changeAll(values, commit: true) }
    } else {
      for (position, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      {
        do {
          try perform(try InputLine(String(decoding: line, as: UTF8.self)), session, description, &secrets)
        } catch let error as InputLine.SyntaxError {
          throw CommandFailure(message: "-:\(position + 1): \(error)")
        } catch let error as ClientError {
          guard case .refused = error else { throw error }
          throw CommandFailure(message: "-:\(position + 1): \(error)")
        }
      }
    }
    try session.commitRest(description)
    try session.receive(until: { session.document.isSettled })
    return secrets
  }

  private static func perform(
    _ line: InputLine,
    _ session: FormSession,
    _ description: FormDescription,
    _ secrets: inout [String: JSON]
  ) throws {
    switch line {
    case .change(let address, let given):
      let field = field(at: address, description)
      var value = given
      if case .string(let text) = given, let field { value = TypedText.value(text, for: field) }
      // A row that is added by position exists after the change, and then has a stable address.
      try session.change(address, to: value, commit: true)
      if field?.isSecret == true { secrets[session.document.field(address)?.address ?? address] = value }
    case .insert(let list, let value): try session.insert(into: list, value)
    case .remove(let row): try session.remove(row)
    case .move(let row, let position): try session.move(row, to: position)
    case .nothing: break
    default:
      throw InputLine.SyntaxError(
        description: "only values can be filled in: email=kim@example.com; tap an action with --tap"
      )
    }
  }

  /// The field at an address. In a row it is the field of every row.
  private static func field(at address: String, _ description: FormDescription) -> FieldDescription? {
    guard let tokens = JSONPointer(address: address)?.tokens, let first = tokens.first else { return nil }
    var found = description.fields.first { $0.name == first }
    for token in tokens.dropFirst() { found = found.flatMap { $0.items ?? $0.fields.first { $0.name == token } } }
    return found
  }
}
