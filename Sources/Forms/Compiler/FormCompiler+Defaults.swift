internal import Budgets
internal import JSON
internal import JSONSchema
internal import SourceTexts

extension FormCompiler {
  /// Warns of defaults that the schema itself refuses: a session would begin with an error.
  ///
  /// An empty text counts as no input, so that it may be a default where the schema asks for more.
  mutating func checkDefaults(by schema: Schema) {
    let defaults = fields.shapes.filter { shape in
      guard let value = shape.facts.default else { return false }
      return value != .null && value != "" && !shape.holdsSecret
    }
    guard !defaults.isEmpty, budget.spend(defaults.count) else { return }
    let paths = defaults.map { shape in shape.position.path.map { $0 == "*" ? "0" : $0 } }
    var values: JSON = .object([:])
    for (shape, path) in zip(defaults, paths) { values = values.setting(path[...], to: shape.facts.default ?? .null) }
    let failures = schema.failures(of: values)
    for (shape, path) in zip(defaults, paths) {
      guard let failure = failures.first(where: { $0.instanceLocation.tokens.starts(with: path) }) else { continue }
      reportInSchema(
        "default",
        at: location(ofDefaultOf: shape.position.path),
        "the default of \"\(shape.address)\" breaks its own schema: \(failure.message(locale: "en"))",
        remedy: "write a default that the schema allows, or leave it out",
        severity: .warning
      )
    }
  }

  /// Warns of defaults in branches that the schema beside them refuses, and of `readOnly` in branches.
  mutating func check(_ found: BranchFindings) {
    for location in found.readOnly {
      reportInSchema(
        "readOnly",
        at: location,
        "\"readOnly\" does not depend on its branch: a field is read-only always or never",
        remedy: "write it at the field outside of the branch, or a formula for \"enabled\" at the field",
        severity: .warning
      )
    }
    for found in found.defaults where !found.isAdmitted && found.value != .null && found.value != "" {
      guard let field = fields.field(on: found.path), !fields.shapes[field].holdsSecret else { continue }
      reportInSchema(
        "default",
        at: found.pointer,
        "the default of \"\(fields.shapes[field].address)\" breaks its own schema",
        remedy: "write a default that the schema allows, or leave it out",
        severity: .warning
      )
    }
  }

  /// The location of a field's default in the schema. If the schema of the field is elsewhere, by a reference, it is
  /// the location of the last property on the way that is written out.
  private func location(ofDefaultOf path: [String]) -> JSONPointer {
    var tokens: [String] = []
    for name in path {
      let next = tokens + (name == "*" ? ["items"] : ["properties", name])
      guard definition.schema.value(at: JSONPointer(tokens: next)) != nil else { break }
      tokens = next
    }
    let own = JSONPointer(tokens: tokens + ["default"])
    return definition.schema.value(at: own) == nil ? JSONPointer(tokens: tokens) : own
  }
}

extension JSON {
  /// This value with another value at the end of a path of names; `0` is the only element of a list.
  fileprivate func setting(_ path: ArraySlice<String>, to value: JSON) -> JSON {
    guard let name = path.first else { return value }
    if name == "0" { return .array([(arrayValue?.first ?? .null).setting(path.dropFirst(), to: value)]) }
    var members = objectValue ?? [:]
    members[name] = (members[name] ?? .null).setting(path.dropFirst(), to: value)
    return .object(members)
  }
}
