internal import CEL
internal import JSON
internal import SourceTexts

/// The formulas that show fields, and the values of fields that are hidden.
extension FormAssembler {
  /// The formula that decides whether a field is shown.
  mutating func visible(_ shape: FieldShape, _ own: FieldDefinition?) -> Formula? {
    var scope = FormulaCompiler.Scope(template: shape.position.template)
    scope.decidesRow = shape.position.list != nil
    return formula(own?.visible, scope: scope, expecting: .bool)
  }

  /// Whether the value of a field goes when the field is hidden: as the field itself says, or as the next field around
  /// it that says it, or as the definition says. A computed value has its formula, a read-only value is not the user's,
  /// and a member that decides whether its row is shown stays.
  mutating func clearsWhenHidden(_ field: Int, _ shape: FieldShape) -> Bool {
    let own = shape.own
    let reason =
      own?.computed != nil
      ? "is computed, so its value follows from its formula"
      : shape.isReadOnly
        ? "is read-only, so the user could not bring its value back"
        : formulas.slots.stored[field] >= 0
          ? "decides whether its row is shown, and without its value the row would be shown again" : nil
    if let reason {
      guard let own, own.whenHidden == .clear else { return false }
      collector.report(
        "conflict",
        at: own.pointer.appending("whenHidden"),
        spot: .name,
        "the field \"\(shape.address)\" \(reason)",
        remedy: "leave it out"
      )
      return false
    }
    var around: Int? = field
    while let next = around {
      if let policy = fieldTable.shapes[next].own?.whenHidden { return policy == .clear }
      around = fieldTable.shapes[next].position.around
    }
    return definition.whenHidden == .clear
  }
}
