internal import CEL
internal import JSONSchema
internal import Texts

/// A formula cell, as formulas name it.
package struct NamedFormulaCell: Sendable, Hashable {
  /// The spelling in formulas: `values.email`, `fields['/address/city'].isValid`.
  package let name: String
  /// Its type: `string`, `list(object)`; with a question mark if it may be absent: `int?`.
  package let type: String
  /// What it means, if it is a property of the form, a field, a step, a lookup or an action.
  package let meaning: String?

  package init(name: String, type: String, meaning: String? = nil) {
    self.name = name
    self.type = type
    self.meaning = meaning
  }
}

/// The formula cells that formulas can name in one scope.
package struct FormulaCellGroup: Sendable, Hashable {
  /// The scope of formulas: a form's formulas name the form's cells; formulas of a row or an outcome name more.
  package enum Scope: Sendable, Hashable {
    /// Everywhere.
    case form
    /// In formulas of a row of the list with that address.
    case rows(of: String)
    /// In formulas about an answer.
    case outcomes
  }

  /// The scope in which formulas can name them.
  package let scope: Scope
  /// The cells, sorted by name.
  package let cells: [NamedFormulaCell]
}

extension Form {
  /// The formula cells that formulas can name: everywhere, in the rows of each list, and in outcomes.
  ///
  /// They are made when they are asked for; sessions need no names. A form of 10,000 fields has 90,000.
  package var formulaCells: [FormulaCellGroup] {
    let cells = FormulaCells(of: self)
    var groups = templates.indices.map { template in
      FormulaCellGroup(
        scope: templates[template].list.map { .rows(of: fields[$0].address) } ?? .form,
        cells: cells.named(in: template, templates)
      )
    }
    groups.append(FormulaCellGroup(scope: .outcomes, cells: FormulaCompiler.cellsOfOutcomes.sorted()))
    return groups
  }
}

extension FormulaCells {
  /// The formula cells of a form that is compiled already.
  init(of form: Form) {
    self.init(
      shapes: form.fields.map(FieldShape.init),
      templates: form.templates,
      others: form.units.map(\.others),
      checks: form.checks.map { (id: $0.id, field: $0.field, hasResult: $0.result != nil) },
      steps: form.steps.map(\.id),
      lookups: form.lookups.map { (address: $0.address, template: $0.template) },
      actions: form.actions.map(\.name),
      outputs: form.outputs.map { (address: $0.address, template: $0.template) },
      context: form.context,
      fieldIndex: form.fieldIndex
    )
  }

  /// The names of a template's formulas that the form's formulas do not have, or use for another cell; for template 0
  /// all names.
  fileprivate func named(in template: Int, _ templates: [FormTemplate]) -> [NamedFormulaCell] {
    let environment = Environment(libraries: [])
    func chain(of name: String) -> [String] { (try? environment.parse(name))?.root.memberChain ?? [name] }
    var chains = names(in: template).map(chain)
    if template > 0 { chains += chains.filter { $0[0] == "row" }.map { ["above"] + $0.dropFirst() } }
    var around = templates[template].parent ?? 0
    var outer = ["outer"]
    while around > 0 {
      chains += names(in: around).map(chain).filter { $0[0] == "row" }.map { outer + $0.dropFirst() }
      around = templates[around].parent ?? 0
      outer.append("outer")
    }
    var named = Set(chains).compactMap { chain -> NamedFormulaCell? in
      guard let cell = cell(named: chain, in: template) else { return nil }
      if template > 0, let same = self.cell(named: chain, in: 0), same.template == cell.template { return nil }
      return NamedFormulaCell(
        name: Printer.print(chain: chain),
        type: cell.type.shown,
        meaning: cell.meaning ?? cell.slotKey.meaning
      )
    }
    if template > 0 { named.append(NamedFormulaCell(name: FormulaCompiler.indexes, type: CELType.list(.int).shown)) }
    return named.sorted()
  }
}

extension FieldShape {
  /// The shape that a field was made of.
  fileprivate init(_ field: Field) {
    self.init(
      position: FieldPosition(
        name: field.name,
        path: field.path,
        parent: field.parent,
        end: field.end,
        list: field.list,
        element: field.element,
        template: field.template,
        owner: field.owner,
        property: field.property,
        unit: field.unit,
        address: field.address
      ),
      type: field.type,
      facts: field.facts,
      lengthMax: field.facts.maxLength,
      isSecret: field.isSecret,
      holdsSecret: field.holdsSecret,
      admitsNull: field.admitsNull,
      isRequired: field.isRequiredBySchema,
      isReadOnly: field.isReadOnly,
      options: field.options,
      initial: field.initial
    )
  }
}

extension FormulaCompiler {
  /// The additional cells that formulas about an answer can name.
  fileprivate static var cellsOfOutcomes: [NamedFormulaCell] {
    response.fields.map { NamedFormulaCell(name: "\(response.name).\($0.key)", type: $0.value.type.shown) }
      + [NamedFormulaCell(name: "previous", type: CELType.dyn.shown)]
  }
}

extension [NamedFormulaCell] {
  fileprivate func sorted() -> [NamedFormulaCell] { sorted { $0.name.precedesInUTF8($1.name) } }
}
