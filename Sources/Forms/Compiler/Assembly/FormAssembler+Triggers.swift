internal import CEL
internal import JSON
internal import SourceTexts

/// What resets fields.
extension FormAssembler {
  /// The formulas whose changes reset a field: the one of `resetWhen`, or one for each field of `resetOn`.
  mutating func trigger(of field: Int, _ shape: FieldShape) -> [Formula] {
    guard let own = shape.own, let pointer = own.resetWhen?.pointer ?? own.resetOn.first?.pointer
    else { return [] }
    if own.computed != nil {
      collector.report(
        "conflict",
        at: pointer,
        "the field \"\(shape.address)\" has the value of its formula in any case",
        remedy: "leave out \"resetWhen\" and \"resetOn\", or write \"suggested\" in place of \"computed\""
      )
      return []
    }
    // The results leave the daemon nowhere, so that secrets may decide.
    if let text = own.resetWhen {
      let scope = FormulaCompiler.Scope(template: shape.position.template)
      return formula(text, scope: scope, isArgument: true).map { [$0] } ?? []
    }
    return own.resetOn.compactMap { address, pointer in
      fieldTable.field(at: address).flatMap { value(of: $0, at: pointer, resetting: field) }
    }
  }

  /// The formula that reads the value of another field.
  private mutating func value(of other: Int, at pointer: JSONPointer, resetting field: Int) -> Formula? {
    let (shape, own) = (fieldTable.shapes[other], fieldTable.shapes[field])
    if own.position.path.starts(with: shape.position.path) || shape.position.path.starts(with: own.position.path) {
      collector.report(
        "conflict",
        at: pointer,
        "a change of \"\(shape.address)\" changes \"\(own.address)\" itself, or a part of it",
        remedy: "name a field that is neither inside nor around it"
      )
      return nil
    }
    guard templates.isAround(shape.position.template, own.position.template) else {
      collector.report(
        "inRow",
        at: pointer,
        "\"\(shape.address)\" is in each row of a list, and \"\(own.address)\" is not in such a row",
        remedy: """
          name the list, "\(fieldTable.addresses[fieldTable.outmostList(around: other)])": a change in any of its rows counts
          """
      )
      return nil
    }
    let source = FieldAddress.spelling(of: shape.position.path, among: "values")
    // Its row is around the field's row, or is that row.
    let scope = FormulaCompiler.Scope(template: shape.position.template)
    return formula(FormulaDefinition(source: source, pointer: pointer), scope: scope, isArgument: true)
  }
}
