internal import Budgets
internal import CEL
internal import JSON
internal import SourceTexts

/// Rules about which of several fields have a value.
///
/// Such a rule becomes a rule for each of its fields, all with its id: so the error stands where the user can correct
/// it. One more rule tells the error once to the form, or to the row.
extension FormCompiler {
  /// Replaces each rule about a group of fields by rules with formulas. Wrong addresses were reported already.
  mutating func expandGroups() {
    var rules: [RuleDefinition] = []
    for rule in definition.rules {
      if case .group(let group) = rule.condition { rules += expanded(rule, group) } else { rules.append(rule) }
    }
    definition.rules = rules
  }

  private mutating func expanded(_ rule: RuleDefinition, _ group: GroupDefinition) -> [RuleDefinition] {
    let known = group.fields.compactMap { address, pointer in fields.field(at: address).map { ($0, pointer) } }
    guard let first = known.first?.0, known.count == group.fields.count, budget.spend(known.count * known.count) else {
      return []
    }
    let template = fields.shapes[first].position.template
    for (position, (field, pointer)) in known.enumerated() {
      let shape = fields.shapes[field]
      if let other = known[..<position].first(where: { fields.areRelated($0.0, field) }) {
        collector.report(
          "conflict",
          at: pointer,
          "\"\(shape.address)\" and \"\(fields.addresses[other.0])\" are one value, or one is inside the other",
          remedy: "name fields that can have values independently"
        )
      } else if shape.position.template != template {
        collector.report(
          "inRow",
          at: pointer,
          "\"\(shape.address)\" and \"\(fields.addresses[first])\" are not in the same row",
          remedy: "name fields of the form, or fields of one row"
        )
      } else {
        continue
      }
      return []
    }
    let indices = known.map(\.0)
    let whole = template == 0 ? nil : fields.shapes.first { $0.position.template == template }?.address
    return indices.map { part(of: rule, group, at: $0, among: indices) }
      + [part(of: rule, group, at: nil, among: indices, field: whole)]
  }

  /// The rule for one of the fields, or (nil) for all together.
  private func part(
    of rule: RuleDefinition,
    _ group: GroupDefinition,
    at field: Int?,
    among all: [Int],
    field address: String? = nil
  ) -> RuleDefinition {
    func status(_ field: Int) -> String {
      FieldAddress.spelling(of: fields.shapes[field].position.path, among: "fields")
    }
    func count(_ conditions: [String]) -> String { "[\(conditions.joined(separator: ", "))].filter(it, it).size()" }
    let given = count(all.map { "!\(status($0)).isEmpty" })
    let shown = count(all.map { "\(status($0)).isVisible" })
    // The error stands at the fields that the user can fill in, or empty, to correct it.
    let holds: String
    let spares: String?
    switch group.kind {
    case .exactlyOne:
      (holds, spares) = ("\(given) == 1", field.map { "\(given) > 1 && \(status($0)).isEmpty" })
    case .atLeastOne: (holds, spares) = ("\(given) >= 1", nil)
    case .atMostOne: (holds, spares) = ("\(given) <= 1", field.map { "\(status($0)).isEmpty" })
    case .allOrNone:
      (holds, spares) = ("\(given) == 0 || \(given) == \(shown)", field.map { "!\(status($0)).isEmpty" })
    }
    var part = rule
    part.field = field.map { fields.addresses[$0] } ?? address
    // While all are hidden, the user cannot correct anything.
    let source = [holds, "\(shown) == 0", spares].compactMap(\.self).joined(separator: " || ")
    part.condition = .check(FormulaText(source: source, pointer: group.pointer))
    part.group = all
    part.message.text = rule.message.text ?? (rule.message.formula == nil ? BuiltInTexts.group(group.kind) : nil)
    return part
  }
}

extension FieldTable {
  /// Whether two fields are one, or one is inside the other.
  fileprivate func areRelated(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (shapes[one].position.path, shapes[other].position.path)
    return a.starts(with: b) || b.starts(with: a)
  }
}
