internal import Forms
internal import JSON

extension Form {
  /// A value for that address, with other values in place of secrets. They have the same shape, so that rules about
  /// lengths and characters mostly judge them alike.
  func masked(_ value: JSON, at address: String) -> JSON {
    var field: Int?
    for token in JSONPointer(address: address)?.tokens ?? [] {
      if let list = field, let element = fields[list].element {
        field = element
      } else if let next = self.field(named: token, in: field) {
        field = next
      } else {
        // A part of a field's value, or a member that is not a field.
        return field.map { fields[$0].isSecret } ?? false ? value.masked : value
      }
    }
    return masked(value, below: field)
  }

  /// A step with other values in place of secrets.
  package func masked(_ step: TestStep) -> TestStep {
    var masked = step
    switch step.change {
    case .field(let address)?: masked.value = step.value.map { self.masked($0, at: address) }
    case .values(let values)?:
      let members = values.map { JSONObject.Member(name: $0.name, value: self.masked($0.value, at: $0.name)) }
      masked.change = .values(JSONObject(uncheckedMembers: members))
    case nil: break
    }
    if let list = step.insert {
      let row = JSONPointer(tokens: (JSONPointer(address: list)?.tokens ?? []) + ["0"]).address
      masked.value = step.value.map { self.masked($0, at: row) }
      masked.values = step.values?.map { self.masked($0, at: row) }
    }
    masked.setContext = step.setContext.map { context?.masked($0) ?? $0 }
    return masked
  }

  /// Values of the form, with other values in place of secrets.
  func masked(_ values: JSONObject) -> JSONObject { masked(.object(values), below: nil).objectValue ?? values }

  private func masked(_ value: JSON, below field: Int?) -> JSON {
    if let field, fields[field].isSecret { return value.masked }
    switch value {
    case .object(let members):
      return .object(
        JSONObject(
          uncheckedMembers: members.map { member in
            let inner = self.field(named: member.name, in: field)
            return .init(name: member.name, value: inner.map { masked(member.value, below: $0) } ?? member.value)
          }
        )
      )
    case .array(let elements):
      guard let element = field.flatMap({ fields[$0].element }) else { return value }
      return .array(elements.map { masked($0, below: element) })
    case .null, .bool, .integer, .real, .decimal, .string: return value
    }
  }
}

extension FormContext {
  /// A context, with other values in place of its secrets.
  func masked(_ context: JSONObject) -> JSONObject {
    mappingSecrets(of: context) { $0.masked }
  }
}

extension JSON {
  /// A value of the same shape that says nothing of this one.
  fileprivate var masked: JSON {
    switch self {
    case .null: .null
    case .bool: true
    case .integer(let number): JSON.integer(Int64("\(number)".masked(letter: "1")) ?? 1)
    case .real, .decimal: 1.5
    case .string(let text): .string(text.masked(letter: "x"))
    case .array(let elements): .array(elements.map(\.masked))
    case .object(let members):
      .object(JSONObject(uncheckedMembers: members.map { .init(name: $0.name, value: $0.value.masked) }))
    }
  }
}

extension String {
  /// The characters that separate parts of numbers, dates and addresses.
  private static let separators = "-+._:/@ ".unicodeScalars

  /// Each letter and digit replaced, and other characters except separators.
  fileprivate func masked(letter: Character) -> String {
    String(
      unicodeScalars.map { scalar -> Character in
        if Self.separators.contains(scalar) { return Character(scalar) }
        if scalar.properties.numericType != nil { return letter == "1" ? "1" : "0" }
        if scalar.properties.isUppercase { return "X" }
        return scalar.properties.isAlphabetic ? letter : "*"
      }
    )
  }
}
