internal import Budgets
internal import JSON
internal import JSONSchema
internal import SourceTexts

extension FormCompiler {
  /// The context that the definition describes; nil if it describes none, if its schema has an error, which the
  /// collector then holds, or if the budget is spent.
  mutating func compileContext() -> FormContext? {
    guard let definition = definition.context else { return nil }
    guard let schema = contextSchema(definition), let tree = schema.objectTree(budget: budget) else {
      // Formulas that read it have no errors of their own.
      unreadBlocks.insert("context")
      return nil
    }
    let members = FieldTable(of: tree, [:], mayLackFields: false, budget: budget)
    guard !members.shapes.isEmpty || !budget.mayGoOn else {
      collector.report(
        "context",
        at: JSONPointer(tokens: ["context"]),
        "the context has no properties, so formulas cannot read it",
        remedy: "describe an object: {\"type\": \"object\", \"properties\": {\"role\": {\"type\": \"string\"}}}"
      )
      unreadBlocks.insert("context")
      return nil
    }
    return FormContext(definition: definition, schema: schema, shapes: members.shapes, objects: tree.objects)
  }

  private mutating func contextSchema(_ definition: JSON) -> Schema? {
    func location(_ pointer: JSONPointer) -> JSONPointer { JSONPointer(tokens: ["context"] + pointer.tokens) }
    do throws(SchemaCompileError) {
      let schema = try Schema.compile(definition, options: CompileOptions(assertsFormat: true), budget: budget)
      for warning in schema?.warnings(budget: budget) ?? [] {
        collector.report(
          warning.kind.rawValue,
          at: location(warning.pointer),
          spot: warning.kind == .unknownKeyword ? .name : .value,
          warning.text,
          remedy: Remedy(warning.remedy, replacement: warning.meant.map { JSON.string($0).description }),
          severity: .warning
        )
      }
      return schema
    } catch {
      for problem in error.problems {
        let isReference = problem.kind == .unresolvedReference
        collector.report(
          "schema",
          at: location(problem.pointer),
          problem.text,
          remedy: isReference ? "the schema of the context refers only to its own parts: put that into \"$defs\"" : nil
        )
      }
      return nil
    }
  }
}
