internal import JSON
internal import SourceTexts

/// Makes a form of a schema and a uiSchema of react-jsonschema-form.
enum RJSFImport {
  /// The form of the schema in the first input, and the uiSchema in the second one. A single input may have both, under
  /// `schema` and `uiSchema`, as the playground shares them.
  static func form(of inputs: [ImportInput], _ options: ImportOptions) throws(UnreadableInput) -> ImportedForm {
    let first = inputs[0]
    let text = try first.scanned(inputs.count == 1 ? [.schema, .pair] : [.schema], "a JSON Schema")
    let whole = text.value
    let isPair = inputs.count == 1 && whole["schema"]?.objectValue != nil
    guard case .object = whole else {
      throw UnreadableInput(
        first,
        "this is no JSON Schema",
        remedy: "give the file with the schema first, and the file with the uiSchema second"
      )
    }
    let schemaBase = JSONPointer(tokens: isPair ? ["schema"] : [])
    var schemaLosses = LossCollector(first, text: text, base: schemaBase)
    schemaLosses.noteLargeIntegers()
    let others = isPair ? playground(whole, LossCollector(first, text: text)) : []
    let uiInput = inputs.count > 1 ? inputs[1] : first
    let uiText = inputs.count > 1 ? try uiInput.scanned([.uiSchema], "a uiSchema") : text
    let ui = inputs.count > 1 ? uiText.value : isPair ? whole["uiSchema"] ?? [:] : [:]
    let uiBase = JSONPointer(tokens: inputs.count > 1 ? [] : ["uiSchema"])
    let root = isPair ? whole["schema"] ?? [:] : whole
    try SchemaDocument.expectKeywords(in: root.objectValue ?? [:], of: first)

    var uiLosses = LossCollector(uiInput, text: uiText, base: uiBase)
    if inputs.count > 1 { uiLosses.noteLargeIntegers() }
    var plan = UISchema(document: SchemaDocument(root: root, top: .root, dialect: .rjsf), losses: uiLosses)
    plan.read(ui)
    let document = SchemaDocument(root: plan.root, top: .root, dialect: .rjsf)
    let read = SchemaImport.draft(of: document, schemaLosses, name: options.name ?? first.formName)
    var draft = read.draft
    for setting in plan.settings { draft.set(setting.key, of: setting.field, to: setting.value) }
    draft.title = plan.title ?? draft.title
    draft.note = plan.note ?? draft.note
    if let label = plan.submitLabel { draft.actions["submit"] = ["label": label] }
    schemaLosses = read.losses
    let definition = draft.accepted(&schemaLosses) { read.origin($0) }
    return ImportedForm(definition: definition, losses: schemaLosses.sorted + plan.losses.sorted + others)
  }

  /// The losses in the other members that the playground shares.
  private static func playground(_ whole: JSON, _ losses: LossCollector) -> [Loss] {
    var losses = losses
    if let data = whole["formData"], data != [:], data != .null {
      losses.note(
        .formData,
        at: JSONPointer(tokens: ["formData"]),
        "the form does not have this data",
        remedy: "give it as initial values when a session opens"
      )
    }
    for member in whole.objectValue ?? [:] where !playgroundKeys.contains(member.name) {
      losses.note(
        .unknownKey,
        at: JSONPointer(tokens: [member.name]),
        "the importer does not know \(member.name.debugDescription); the form does not have it",
        remedy: "move it into the schema or the uiSchema, or leave it out"
      )
    }
    return losses.sorted
  }

  /// The members that the playground shares. Some are settings of the playground itself.
  private static let playgroundKeys: Set<String> = [
    "schema", "uiSchema", "formData", "liveSettings", "theme", "subtheme", "stylesheet", "validator", "sampleName",
  ]
}
