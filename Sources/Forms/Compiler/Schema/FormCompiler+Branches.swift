internal import JSON
internal import JSONSchema
internal import SourceTexts

/// Defaults in branches of the schema.
extension FormCompiler {
  /// The defaults that fields have while branches of the schema hold, by field, each in the order written.
  ///
  /// A default of an object gives its members. A default that can have no effect is reported.
  mutating func conditionalDefaults(_ found: [BranchDefault]) -> [Int: [ConditionalDefault]] {
    if found.isEmpty { return [:] }
    var given: [GivenDefault] = []
    for found in found {
      if found.conditions.contains(where: { $0.path.count >= found.path.count }) {
        // Beside `null`, the default of the other branch is the field's.
        if fields.field(on: found.path).map({ fields.shapes[$0].facts.default == found.value }) ?? false { continue }
        reportInSchema(
          "default",
          at: found.pointer,
          "this default has no effect: its branch depends on the value that the default would give",
          remedy: "write the default outside of the branch, beside it",
          severity: .warning
        )
      } else if let own = found.conditions.first(where: { $0.readsAround(found.path) }) {
        reportInSchema(
          "default",
          at: found.pointer,
          "this default has no effect: its branch depends on \(found.path[own.path.count]), which contains the default",
          remedy: "write the branch into the schema of \(found.path[own.path.count])",
          severity: .warning
        )
      } else if let field = fields.field(on: found.path) {
        add(found.value, of: found, to: field, &given)
      }
    }
    // The members that the branches of a union give defaults to do not decide between them.
    var members: [UnionAddress: Set<String>] = [:]
    for given in given {
      for condition in given.conditions {
        guard let union = condition.union else { continue }
        let address = UnionAddress(path: condition.path, union: union)
        members[address, default: []].insert(fields.shapes[given.field].position.path[condition.path.count])
      }
    }
    var defaults: [Int: [ConditionalDefault]] = [:]
    for given in given {
      let shape = fields.shapes[given.field]
      let branches = given.conditions.compactMap { condition in
        var excluded: Set<String> = [shape.position.path[condition.path.count]]
        if let union = condition.union {
          excluded.formUnion(members[UnionAddress(path: condition.path, union: union)] ?? [])
        }
        return branch(condition, without: excluded, isSecret: shape.isSecret)
      }
      guard branches.count == given.conditions.count else { continue }
      defaults[given.field, default: []].append(ConditionalDefault(value: given.value, branches: branches))
    }
    for field in defaults.keys {
      if let value = fields.shapes[field].initial {
        defaults[field]?.append(ConditionalDefault(value: value, branches: []))
      }
    }
    return defaults
  }

  /// A default of a field without fields below it.
  private struct GivenDefault {
    let field: Int
    let value: JSON
    let conditions: [BranchCondition]
  }

  private struct UnionAddress: Hashable {
    let path: [String]
    let union: Int
  }

  private mutating func add(_ value: JSON, of found: BranchDefault, to field: Int, _ given: inout [GivenDefault]) {
    let shape = fields.shapes[field]
    let own = shape.own
    // A formula gives the value.
    if own?.computed != nil || own?.suggested != nil { return }
    if shape.position.unit == nil, shape.position.list == nil {
      given.append(GivenDefault(field: field, value: value, conditions: found.conditions))
    } else if shape.position.element == nil, shape.position.list == nil, case .object(let members) = value {
      for member in members {
        guard let inner = fields.field(on: shape.position.path + [member.name]) else { continue }
        add(member.value, of: found, to: inner, &given)
      }
    } else {
      reportInSchema(
        "default",
        at: found.pointer,
        "this default has no effect: a branch of the schema gives no rows, and no objects as a whole",
        remedy: "write the default at the members, or outside of the branch",
        severity: .warning
      )
    }
  }

  /// The branch of a condition; nil if its object is not a field, or if it would reveal a secret.
  private func branch(
    _ condition: BranchCondition,
    without excluded: Set<String>,
    isSecret: Bool
  ) -> ConditionalDefault.Branch? {
    let field = condition.path.isEmpty ? nil : fields.field(on: condition.path)
    guard condition.path.isEmpty || field != nil else { return nil }
    let own = fields.shapes.indices.filter { index in
      let position = fields.shapes[index].position
      return position.parent == field && position.list == nil && (field != nil || position.template == 0)
        && !excluded.contains(position.name)
    }
    let members = own.filter { condition.reads.contains(fields.shapes[$0].name) }
    if !isSecret, members.contains(where: { fields.shapes[$0].holdsSecret }) { return nil }
    let known = excluded.union(own.map { fields.shapes[$0].name })
    let readsOtherMembers =
      switch condition.reads {
      case .all: true
      case .names(let names): !known.isSuperset(of: names)
      }
    return ConditionalDefault.Branch(
      condition: condition,
      field: field,
      template: field.map { fields.shapes[$0].position.template } ?? 0,
      members: members,
      readsOtherMembers: readsOtherMembers
    )
  }
}

extension BranchCondition {
  /// Whether the condition looks into the object or list that contains the default at that path. Then the default could
  /// decide its own branch.
  fileprivate func readsAround(_ path: [String]) -> Bool {
    union == nil && path.count > self.path.count + 1 && reads.contains(path[self.path.count])
  }
}
