internal import JSON
internal import SourceTexts

extension RuleDefinition {
  init?(reading value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let groups = GroupKind.allCases.map(\.rawValue)
    guard
      let rule = reader.object(
        value,
        at: pointer,
        known: ["id", "field", "when", "check"] + groups + ["message", "messageExpression", "severity"],
        what: "a rule"
      )
    else { return nil }
    let id = reader.requiredString(rule, "id", at: pointer, what: "the rule")
    let written = (["check"] + groups).filter { rule[$0] != nil }
    if written.isEmpty {
      reader.missing(
        "check",
        at: pointer,
        what: "the rule",
        remedy: "write a formula that must be true, or name fields: \"\(groups.joined(separator: "\", \""))\""
      )
    }
    for key in written.dropFirst() {
      reader.collector.report(
        "conflict",
        at: pointer.appending(key),
        spot: .name,
        "the rule has both \"\(written[0])\" and \"\(key)\"",
        remedy: "write two rules"
      )
    }
    guard let id, let key = written.first, let condition = Self.condition(rule, key, at: pointer, &reader) else {
      return nil
    }
    self.init(
      pointer: pointer,
      id: id,
      field: reader.string(rule, "field", at: pointer, what: "the rule"),
      when: reader.formula(rule, "when", at: pointer, what: "the rule"),
      condition: condition,
      message: reader.message(rule, at: pointer, what: "the rule"),
      severity: reader.severity(rule, at: pointer, what: "the rule")
    )
  }

  private static func condition(
    _ rule: JSONObject,
    _ key: String,
    at pointer: JSONPointer,
    _ reader: inout DefinitionReader
  ) -> RuleCondition? {
    guard let kind = GroupKind(rawValue: key) else {
      return reader.formula(rule, key, at: pointer, what: "the rule").map { .check($0) }
    }
    let inner = pointer.appending(key)
    if rule["field"] != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("field"),
        spot: .name,
        "the rule has \"\(key)\", so its error stands at the fields of the list",
        remedy: "leave out \"field\""
      )
    }
    let fields = reader.addresses(rule, key, at: pointer, what: "the rule")
    if case .array(let elements)? = rule[key], elements.count < 2 || elements.count > GroupKind.fieldsMax {
      reader.collector.report(
        "wrongType",
        at: inner,
        "\"\(key)\" of the rule must name 2 to \(GroupKind.fieldsMax) fields"
      )
    }
    return fields.count < 2 ? nil : .group(GroupDefinition(kind: kind, pointer: inner, fields: fields))
  }
}
