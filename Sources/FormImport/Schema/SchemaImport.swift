internal import JSON
internal import SourceTexts

/// Makes a form of a JSON Schema.
enum SchemaImport {
  /// The form of the input.
  static func form(of input: ImportInput, _ options: ImportOptions) throws(UnreadableInput) -> ImportedForm {
    let text = try input.scanned([.schema, .openAPI], "a JSON Schema")
    let document = try SchemaDocument(text.value, of: input, options)
    var losses = LossCollector(input, text: text)
    losses.noteLargeIntegers()
    let read = draft(of: document, losses, name: options.name ?? input.formName)
    losses = read.losses
    let definition = read.draft.accepted(&losses) { read.origin($0) }
    return ImportedForm(definition: definition, losses: losses.sorted)
  }

  /// A form before formd has judged it.
  struct Read {
    var draft: FormDraft
    var losses: LossCollector
    /// The rewriter, which knows from which part of the input the schema was made.
    let rewriter: SchemaRewriter
    /// The member that holds the value; nil if the value is the object of the fields.
    let wrapper: String?

    /// The place in the input from which a part of the definition was made.
    func origin(_ pointer: JSONPointer) -> JSONPointer? {
      for length in stride(from: pointer.tokens.count, to: 0, by: -1) {
        if let origin = draft.origins[JSONPointer(tokens: Array(pointer.tokens.prefix(length)))] { return origin }
      }
      guard pointer.tokens.first == "schema" else { return nil }
      var tokens = pointer.tokens.dropFirst()
      if let wrapper, tokens.starts(with: ["properties", wrapper]) { tokens = tokens.dropFirst(2) }
      return rewriter.origin(of: JSONPointer(tokens: Array(tokens)))
    }
  }

  /// Reads a schema.
  static func draft(of document: SchemaDocument, _ losses: LossCollector, name: String) -> Read {
    let hasFields = !TaggedUnion.members(of: document.schema, in: document).isEmpty || hasConditionalMembers(document)
    let wrapper = hasFields ? nil : "value"
    var walk = FieldWalk(document, losses: losses, draft: FormDraft(name: name))
    walk.walk(from: JSONPointer(tokens: [wrapper].compactMap(\.self)))
    var draft = walk.draft
    var rewriter = SchemaRewriter(document, losses: walk.losses, schemasOfPlainValues: walk.schemasOfPlainValues)
    var schema = rewriter.schema()
    var losses = rewriter.losses
    if wrapper != nil {
      losses.note(
        .wrapped,
        at: document.top,
        "the schema describes no object with members, so the form has one field, \"value\", for the whole value",
        remedy: "import the schema of an object, or take the member \"value\" of what the form sends"
      )
      schema = wrapped(schema)
    }
    let described = document.resolved(document.schema, at: document.top).schema
    if let title = (document.schema["title"] ?? described["title"])?.stringValue {
      draft.title = .string(ReadableName.isIdentifier(title) ? ReadableName.label(title) : title)
    }
    draft.note = document.schema["description"] ?? described["description"]
    if case .object(var members) = schema {
      members["title"] = nil
      members["description"] = nil
      schema = .object(members)
    }
    draft.schema = schema
    return Read(draft: draft, losses: losses, rewriter: rewriter, wrapper: wrapper)
  }

  private static func hasConditionalMembers(_ document: SchemaDocument) -> Bool {
    let schema = document.resolved(document.schema, at: document.top).schema
    return ["then", "else"].contains { keyword in
      schema[keyword].map { !TaggedUnion.members(of: $0, in: document).isEmpty } ?? false
    }
  }

  /// A form's values are an object.
  private static func wrapped(_ schema: JSON) -> JSON {
    var outer: JSONObject = ["type": "object", "required": ["value"]]
    guard case .object(var members) = schema else {
      outer["properties"] = ["value": schema]
      return .object(outer)
    }
    let definitions = members["$defs"]
    for key in ["title", "description"] {
      outer[key] = members[key]
      members[key] = nil
    }
    members["title"] = "Value"
    members["$defs"] = nil
    outer["properties"] = ["value": .object(members)]
    outer["$defs"] = definitions
    return .object(outer)
  }
}
