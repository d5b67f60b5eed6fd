internal import Formats
internal import JSON
internal import Texts

/// Texts, their formats and their titles, and what no schema of a form has.
extension SchemaRewriter {
  mutating func rewriteTexts(_ node: inout SchemaNode, _ role: Role) {
    if let pattern = node.members["pattern"]?.stringValue {
      switch PatternRepair.ecma(pattern) {
      case .same(let text): node.members["pattern"] = .string(text)
      case .refused(let reason):
        node.members["pattern"] = nil
        losses.note(
          .pattern,
          at: node.place("pattern"),
          "the pattern is not a regular expression of ECMA-262 (\(reason)); the form does not check it",
          remedy: "write the pattern in ECMA-262, or a rule with matches()"
        )
      }
    }
    if let format = node.members["format"]?.stringValue { rewriteFormat(format, &node) }
    if node.members["default"] == .null { node.members["default"] = nil }
    if node.members["writeOnly"] == true, node.members["default"] != nil {
      node.members["default"] = nil
      losses.note(
        .secretDefault,
        at: node.place("default"),
        "a default of a secret would stand in the form for everybody to read; the form has none",
        remedy: "let the service choose the default"
      )
    }
    noteContent(&node)
    noteUnknownKeys(&node)
  }

  /// Formats that say how a number or text is stored, or how a service reads it.
  private static let otherFormats: Set<String> = [
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "float32", "float64",
    "decimal", "binary", "byte", "password", "textarea", "json-string", "path", "file-path", "directory-path",
    "safeint",
  ]
  private static let sameFormats = [
    "datetime": "date-time", "url": "uri", "uuid1": "uuid", "uuid3": "uuid", "uuid4": "uuid", "uuid5": "uuid",
    "guid": "uuid", "host-name": "hostname", "ip-address": "ipv4",
  ]

  private mutating func rewriteFormat(_ format: String, _ node: inout SchemaNode) {
    if format == "password", node.members["writeOnly"] == nil { node.members["writeOnly"] = true }
    if let same = Self.sameFormats[format] {
      node.members["format"] = .string(same)
    } else if document.dialect == .rjsf, format == "data-url" {
      node.members["format"] = nil
      noteFile(at: node.place("format"))
    } else if TextFormat(rawValue: format) == nil, !Self.otherFormats.contains(format) {
      node.members["format"] = nil
      // zod writes a pattern beside each format of its own.
      guard node.members["pattern"] == nil else { return }
      losses.note(
        .unknownFormat,
        at: node.place("format"),
        "the form does not check the format \(format)",
        remedy: "write a pattern or a rule in the form"
      )
    }
  }

  private mutating func noteContent(_ node: inout SchemaNode) {
    node.members["contentSchema"] = nil
    let media = node.members["contentMediaType"]?.stringValue
    if node.members["format"] == "binary"
      || media.map({ !$0.hasPrefix("text/") && !$0.hasSuffix("json") && !$0.hasSuffix("xml") }) == true
    {
      noteFile(at: node.place(media == nil ? "format" : "contentMediaType"))
    } else if let media, media.hasSuffix("json") || media.hasSuffix("xml") {
      losses.note(
        .content,
        at: node.place("contentMediaType"),
        "the value is a text in \(media); the form does not check what is in it",
        remedy: "describe the value as an object, if it is not sent as a text"
      )
    }
  }

  private mutating func noteFile(at pointer: JSONPointer) {
    losses.note(
      .file,
      at: pointer,
      "the value is a file; a form has no files, and this field is a text",
      remedy: "upload the file in the client, and let the field have its address"
    )
  }

  private mutating func noteUnknownKeys(_ node: inout SchemaNode) {
    for member in node.source where !Self.knownKeys.contains(member.name) {
      let name = member.name
      if name.hasPrefix("x-") || name.hasPrefix("$") { continue }
      node.members[name] = nil
      losses.note(
        .unknownKey,
        at: node.place(name),
        "the importer does not know \(name.debugDescription); the form does not have it",
        remedy: closestName(to: name, among: Self.knownKeys.sorted()).map { "did you mean \"\($0)\"?" }
          ?? "if it restricts the values, write a rule in the form"
      )
    }
    for name in Self.droppedKeys { node.members[name] = nil }
  }

  static let knownKeys: Set<String> = Set([
    "type", "enum", "const", "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly",
    "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
    "format", "items", "prefixItems", "additionalItems", "contains", "maxContains", "minContains", "maxItems",
    "minItems", "uniqueItems", "unevaluatedItems", "unevaluatedProperties", "maxProperties", "minProperties",
    "required",
    "properties", "patternProperties", "additionalProperties", "propertyNames", "dependentRequired",
    "dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contentEncoding",
    "contentMediaType", "contentSchema", "discriminator", "definitions",
  ]).union(droppedKeys)
  /// Keys that a form does not need, or that the importer reads.
  private static let droppedKeys: Set<String> = [
    "$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs", "definitions",
    "discriminator", "example", "enumNames", "x-enumNames", "x-enum-varnames", "xml", "externalDocs",
  ]

  /// Whether a keyword says which values a schema admits.
  static func describesValues(_ keyword: String) -> Bool {
    let notes = ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"]
    return knownKeys.contains(keyword) && !droppedKeys.contains(keyword) && !notes.contains(keyword)
      || keyword == "$ref"
  }

  /// A title that a program made is replaced, and a missing one is added.
  func addTitle(to node: inout SchemaNode, _ name: String) {
    if let title = node.members["title"]?.stringValue, !ReadableName.isMachineMade(title, of: name) { return }
    if node.members["title"] == nil {
      // The texts behind a reference are for all places that refer to it; a name of a class is not for people.
      let target = document.resolved(.object(node.source), at: node.pointer)
      if target.pointer != node.pointer, let title = target.schema["title"]?.stringValue,
        !ReadableName.isIdentifier(title)
      {
        return
      }
    }
    node.members["title"] = .string(ReadableName.label(name))
  }

  /// A required constant is there from the beginning, because there is nothing to choose.
  func addConstant(to node: inout SchemaNode) {
    guard let constant = node.members["const"], node.members["default"] == nil, !tagPlaces.contains(node.pointer),
      constant != .null
    else { return }
    node.members["default"] = constant
  }

  /// A user cannot give a value to a read-only member, so it is not required.
  mutating func dropReadOnlyRequirements(_ node: inout SchemaNode, _ declared: Set<String>) {
    guard case .array(var required)? = node.members["required"] else { return }
    for element in required {
      guard let name = element.stringValue, let property = node.source["properties"]?[name] else { continue }
      let member = document.resolved(property, at: node.pointer).schema
      guard property["readOnly"] == true || member["readOnly"] == true,
        property["default"] == nil, member["default"] == nil
      else { continue }
      required.removeAll { $0 == element }
      losses.note(
        .readOnlyRequired,
        at: node.place("properties").appending(name),
        "\(name) is required and read-only, so no user can give it a value; the form does not require it",
        remedy: "give it an initial value when a session opens, or leave it out of the form"
      )
    }
    node.members["required"] = required.isEmpty ? nil : .array(required)
  }
}
