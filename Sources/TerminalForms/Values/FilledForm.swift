package import Client

/// The current state of a form that is filled in.
package struct FilledForm: Sendable {
  /// The form's document.
  package var document: FormDocument
  /// The values from the daemon, without secrets.
  package var values: JSONObject

  /// Creates the state.
  package init(document: FormDocument, values: JSONObject) {
    self.document = document
    self.values = values
  }

  /// The value at an address, in which a row is its identity or its position.
  package func value(_ address: String) -> JSON? {
    guard let pointer = document.field(address)?.pointer else { return nil }
    return JSON.object(values).value(at: pointer)
  }

  /// The text that the input of a question shows.
  func text(of question: Question, _ words: Words) -> String {
    if question.field.read != nil, let text = document.field(question.address)?.text { return text }
    return TypedText.text(of: value(question.address) ?? .null, in: words)
  }

  /// The values as they would be submitted: without hidden fields, with the secrets.
  ///
  /// - Parameters:
  ///   - fields: the descriptions of the form's fields.
  ///   - secrets: values that the daemon does not send, by address.
  package func result(_ fields: [FieldDescription], secrets: [String: JSON]) -> JSONObject {
    // Addresses with positions become addresses with identities.
    var known: [String: JSON] = [:]
    for (address, value) in secrets {
      if let field = document.field(address) { known[field.address] = value }
    }
    var result = values
    for field in fields { result[field.name] = shown(values[field.name], field, [field.name], known, isDue: true) }
    return result
  }

  /// A field's value as it is submitted. As in requests of the daemon, an object without shown members is absent, or
  /// empty if it is required; so is a list.
  ///
  /// - Parameter isDue: whether the object around the field exists.
  private func shown(
    _ value: JSON?,
    _ field: FieldDescription,
    _ path: [String],
    _ secrets: [String: JSON],
    isDue: Bool
  ) -> JSON? {
    guard let state = document.field(JSONPointer(tokens: path).address), state.isVisible else { return nil }
    if let secret = secrets[state.address] { return secret.isNull ? nil : secret }
    if !field.fields.isEmpty {
      guard value == nil || value?.objectValue != nil else { return value }
      var members = value?.objectValue ?? [:]
      for inner in field.fields {
        members[inner.name] = shown(members[inner.name], inner, path + [inner.name], secrets, isDue: false)
      }
      guard !members.isEmpty || value == [:] || isDue && state.isRequired else { return nil }
      for inner in field.fields where members[inner.name] == nil {
        members[inner.name] = shown(nil, inner, path + [inner.name], secrets, isDue: true)
      }
      return .object(members)
    }
    if let items = field.items {
      guard let value else { return isDue && state.isRequired ? [] : nil }
      guard case .array(let elements) = value else { return value }
      let rows = state.rows
      guard rows.count == elements.count else { return value }
      return .array(
        zip(rows, elements).compactMap { row, element in
          row.state.isVisible && !(field.ignoresBlankRows && isBlank(element, items, row.state.address))
            ? shown(element, items, path + ["#" + row.identity], secrets, isDue: true) ?? .null : nil
        }
      )
    }
    return value
  }

  /// Whether no input has given a value to a field of a row, or to a field inside it.
  ///
  /// - Parameter address: the row's address.
  private func isBlank(_ value: JSON, _ field: FieldDescription, _ address: String) -> Bool {
    if field.isComputed { return true }
    switch value {
    case .null, .string(""), .array([]): return true
    case .object(let members):
      return members.allSatisfy { member in
        guard let inner = field.fields.first(where: { $0.name == member.name }) else { return false }
        let address = (JSONPointer(address: address) ?? .root).appending(inner.name).address
        return isBlank(member.value, inner, address)
      }
    case .array(let elements):
      guard let items = field.items else { return value == field.initial }
      let rows = document.rows(address)
      return rows.count == elements.count
        && zip(rows, elements).allSatisfy { isBlank($1, items, $0.address) }
    default: return value == field.initial || field.isSuggested && document.field(address)?.isDirty == false
    }
  }

  /// The secrets among the caller's values, by address.
  package static func secrets(in values: JSONObject, _ fields: [FieldDescription]) -> [String: JSON] {
    var secrets: [String: JSON] = [:]
    for field in fields { collect(values[field.name], field, [field.name], &secrets) }
    return secrets
  }

  private static func collect(
    _ value: JSON?,
    _ field: FieldDescription,
    _ path: [String],
    _ secrets: inout [String: JSON]
  ) {
    guard let value else { return }
    if field.isSecret { secrets[JSONPointer(tokens: path).address] = value }
    for inner in field.fields { collect(value[inner.name], inner, path + [inner.name], &secrets) }
    guard let items = field.items else { return }
    for (position, element) in (value.arrayValue ?? []).enumerated() {
      collect(element, items, path + [String(position)], &secrets)
    }
  }
}
