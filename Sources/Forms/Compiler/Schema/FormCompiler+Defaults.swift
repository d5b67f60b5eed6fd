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
      guard let failure = failures.first(where: { $0.instanceLocation.tokens.starts(with: path) }) else {
        checkDefaultAmongChoices(shape)
        continue
      }
      reportInSchema(
        "default",
        at: location(ofDefaultOf: shape.position.path),
        "the default of \"\(shape.address)\" breaks its own schema: \(failure.message(locale: "en"))",
        remedy: "write a default that the schema allows, or leave it out",
        severity: .warning
      )
    }
  }

  /// Warns of a default that is not among the choices that the definition lists.
  private mutating func checkDefaultAmongChoices(_ shape: FieldShape) {
    guard let value = shape.facts.default else { return }
    let element = shape.position.element.map { fields.shapes[$0] }
    let isListed = shape.choicesListed.map { $0.contains(value) } ?? true
    let areListed = element?.choicesListed.map { Set(value.arrayValue ?? []).isSubset(of: $0) } ?? true
    if isListed, areListed { return }
    reportInSchema(
      "default",
      at: location(ofDefaultOf: shape.position.path),
      "the default of \"\(shape.address)\" is not among its choices",
      remedy: "write a default that \"options\" lists, or add it there",
      severity: .warning
    )
  }

  /// The most choices that the schema judges. A definition may come from a stranger.
  private static let choicesJudgedMax = 100

  /// Warns of choices that the schema refuses.
  mutating func checkChoices(by schema: Schema) {
    var judged = 0
    for shape in fields.shapes where shape.facts.choices == nil && shape.position.unit == nil {
      let path = shape.position.path.map { $0 == "*" ? "0" : $0 }
      for option in shape.own?.options ?? [] where judged < Self.choicesJudgedMax {
        guard let value = option.value, budget.spend(1) else { continue }
        judged += 1
        let failures = schema.failures(of: JSON.object([:]).setting(path[...], to: value))
        guard let failure = failures.first(where: { $0.instanceLocation.tokens.starts(with: path) }) else { continue }
        collector.report(
          "unusableOption",
          at: option.pointer,
          "the schema of \"\(shape.address)\" refuses this choice: \(failure.message(locale: "en"))",
          remedy: "write a value that the schema allows, or leave the choice out",
          severity: .warning
        )
      }
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

extension FieldShape {
  /// The values that the definition lists, if they are all that the field can have.
  fileprivate var choicesListed: Set<JSON>? {
    guard facts.choices == nil, let own, !own.admitsOther else { return nil }
    let values = own.options.compactMap(\.value)
    return values.isEmpty ? nil : Set(values)
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
