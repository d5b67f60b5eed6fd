internal import Budgets
internal import SourceTexts

/// Rules about which of several fields have a value.
extension FormCompiler {
  /// Leaves out rules about groups that cannot be judged, and gives each rule about members of a row that row as its
  /// field. Wrong addresses were reported already.
  mutating func placeGroups() {
    definition.rules = definition.rules.compactMap { rule in
      guard case .group(let group) = rule.condition else { return rule }
      guard let template = template(of: group) else { return nil }
      var rule = rule
      rule.field = template == 0 ? nil : fields.shapes.first { $0.position.template == template }?.address
      return rule
    }
  }

  /// The template of a group's fields; nil if they cannot be a group, which is reported.
  private mutating func template(of group: GroupDefinition) -> Int? {
    let known = group.fields.compactMap { address, pointer in fields.field(at: address).map { ($0, pointer) } }
    guard let first = known.first?.0, known.count == group.fields.count, budget.spend(known.count * known.count) else {
      return nil
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
      return nil
    }
    return template
  }

  /// The fields that may have the error of a rule; nil is the form as a whole. Unknown fields were reported already.
  func errorFields(of rule: RuleDefinition) -> [Int?] {
    let own = rule.field.map { fields.field(at: $0) }
    guard case .group(let group) = rule.condition else { return own.map { $0 == nil ? [] : [$0] } ?? [nil] }
    return group.fields.compactMap { fields.field(at: $0.address) } + [own ?? nil]
  }
}

extension FieldTable {
  /// Whether two fields are one, or one is inside the other.
  fileprivate func areRelated(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (shapes[one].position.path, shapes[other].position.path)
    return a.starts(with: b) || b.starts(with: a)
  }
}
