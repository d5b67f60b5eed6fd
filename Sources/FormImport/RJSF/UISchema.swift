internal import JSON
internal import SourceTexts

/// Reads a uiSchema. Its texts and widgets go into the form's fields. The order of members, and whether they can be
/// edited, go into the schema.
struct UISchema {
  /// A key of a field's entry.
  struct Setting {
    let field: JSONPointer
    let key: String
    let value: JSON
  }

  /// The document of the schema, before the uiSchema.
  let document: SchemaDocument
  var losses: LossCollector
  /// The schema, with the order and the editing that the uiSchema asks for.
  private(set) var root: JSON
  /// The keys of the fields' entries, in order.
  private(set) var settings: [Setting] = []
  /// The title of the form; nil if the uiSchema has none.
  private(set) var title: JSON?
  /// The description of the form; nil if the uiSchema has none.
  private(set) var note: JSON?
  /// The text of the button; nil if the form has none.
  private(set) var submitLabel: JSON? = "Submit"

  init(document: SchemaDocument, losses: LossCollector) {
    self.document = document
    self.losses = losses
    root = document.root
  }

  /// Reads the uiSchema of the whole form.
  mutating func read(_ ui: JSON) {
    guard case .object(let members) = ui else {
      noteType(ui, at: .root)
      return
    }
    read(members, at: .root, .root, [(.root, document.root)])
  }

  // MARK: One field

  /// Reads the uiSchema of one field.
  ///
  /// - Parameters:
  ///   - place: its location in the uiSchema.
  ///   - field: the field's address.
  ///   - schemas: the schemas that describe the field, with their locations; at least one.
  private mutating func read(
    _ members: JSONObject,
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    var options: [(name: String, value: JSON, place: JSONPointer)] = []
    for member in members {
      let inner = place.appending(member.name)
      if member.name == "ui:options" || member.name == "ui:globalOptions" {
        guard case .object(let settings) = member.value else {
          noteType(member.value, at: inner)
          continue
        }
        options += settings.map { ($0.name, $0.value, inner.appending($0.name)) }
      } else if member.name.hasPrefix("ui:") {
        options.append((String(member.name.dropFirst(3)), member.value, inner))
      } else if member.name == "items" || member.name == "additionalItems" && isTuple(schemas) {
        readItems(member.value, at: inner, field, schemas)
      } else if member.name.hasPrefix("$") || member.name == "classNames" {
        noteOption(member.name, at: inner)
      } else {
        readMember(member.name, member.value, at: inner, field, schemas)
      }
    }
    if !options.isEmpty { apply(options, at: place, field, schemas) }
  }

  /// Whether one of the schemas is of a list whose places have schemas of their own.
  private func isTuple(_ schemas: [(pointer: JSONPointer, schema: JSON)]) -> Bool {
    schemas.contains { document.resolved($0.schema, at: $0.pointer).schema["items"]?.arrayValue != nil }
  }

  private mutating func readMember(
    _ name: String,
    _ value: JSON,
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    let found = schemas.flatMap { members(name, of: $0.schema, at: $0.pointer, depth: 0) }
    guard !found.isEmpty else {
      losses.note(
        .unknownField,
        at: place,
        "the schema has no member \(name.debugDescription) here",
        remedy: "correct the name, or leave it out"
      )
      return
    }
    guard case .object(let inner) = value else { return noteType(value, at: place) }
    read(inner, at: place, field.appending(name), found)
  }

  private mutating func readItems(
    _ value: JSON,
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    let found = schemas.compactMap { schema -> (JSONPointer, JSON)? in
      let list = document.resolved(schema.schema, at: schema.pointer)
      guard let items = list.schema["items"], case .object = items else { return nil }
      return (list.pointer.appending("items"), items)
    }
    guard !found.isEmpty, !field.tokens.isEmpty, case .object(let inner) = value else {
      losses.note(
        .uiOption,
        at: place,
        "the elements of this list are no fields of the form, so their settings are left out",
        remedy: "describe all elements by one schema in \"items\" of the schema"
      )
      return
    }
    read(inner, at: place, field.appending("*"), found)
  }

  /// The schemas of a member, wherever the schema of the object has it.
  private func members(
    _ name: String,
    of schema: JSON,
    at pointer: JSONPointer,
    depth: Int
  ) -> [(pointer: JSONPointer, schema: JSON)] {
    guard depth < 12 else { return [] }
    let (pointer, schema) = document.resolved(schema, at: pointer)
    var found: [(JSONPointer, JSON)] = []
    if let member = schema["properties"]?[name] {
      found.append((pointer.appending("properties").appending(name), member))
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
      for (index, inner) in (schema[keyword]?.arrayValue ?? []).enumerated() {
        found += members(name, of: inner, at: pointer.appending(keyword).appending(index), depth: depth + 1)
      }
    }
    for keyword in ["then", "else"] {
      if let inner = schema[keyword] {
        found += members(name, of: inner, at: pointer.appending(keyword), depth: depth + 1)
      }
    }
    for keyword in ["dependencies", "dependentSchemas"] {
      for dependency in schema[keyword]?.objectValue ?? JSONObject() {
        let place = pointer.appending(keyword).appending(dependency.name)
        found += members(name, of: dependency.value, at: place, depth: depth + 1)
      }
    }
    return found
  }

  // MARK: Options

  private mutating func apply(
    _ options: [(name: String, value: JSON, place: JSONPointer)],
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    var help: [String] = []
    let hasWidget = options.contains { $0.name == "widget" }
    for (name, value, place) in options {
      switch name {
      case "title" where field.tokens.isEmpty: title = text(value, at: place) ?? title
      case "description" where field.tokens.isEmpty: note = text(value, at: place) ?? note
      case "help", "placeholder", "widget", "enumNames", "disabled", "emptyValue", "inputType":
        if field.tokens.isEmpty {
          losses.note(
            .uiOption,
            at: place,
            "the form as a whole has no \(name)",
            remedy: "write it in the uiSchema of a field"
          )
        } else if name == "inputType", hasWidget {
          losses.note(
            .uiOption,
            at: place,
            "a field has one widget, and ui:widget names it, so ui:inputType is left out",
            remedy: "keep the one that the clients must draw"
          )
        } else {
          applyToField(name, value, at: place, field, schemas, &help)
        }
      case "title": set("label", of: field, text(value, at: place))
      case "description": if let words = text(value, at: place)?.stringValue { help.append(words) }
      case "order": readOrder(value, at: place, schemas)
      case "readonly": if value == true { for schema in schemas { change(schema.pointer) { $0["readOnly"] = true } } }
      case "submitButtonOptions" where field.tokens.isEmpty: readButton(value, at: place)
      case "rootFieldId", "autofocus", "autocomplete", "classNames", "style", "rows", "inline", "label", "addable",
        "removable", "orderable", "copyable", "enumDisabled", "enumOptions", "hideError", "norender", "accept",
        "filePreview", "duplicateKeySuffixSeparator", "enableMarkdownInDescription", "yearsRange", "format",
        "hideNowButton", "hideClearButton", "submitButtonOptions", "fieldReplacesAnyOrOneOf":
        if value != true || !["addable", "removable", "orderable", "label"].contains(name) {
          noteOption(name, at: place)
        }
      default:
        losses.note(
          .unknownKey,
          at: place,
          "the importer does not know ui:\(name); the form does not have it",
          remedy: "write it as \"x-\(name)\" in the schema of the field: clients get such members"
        )
      }
    }
    if !help.isEmpty { set("help", of: field, .string(help.joined(separator: " "))) }
  }

  /// Applies an option that only a field can have.
  private mutating func applyToField(
    _ name: String,
    _ value: JSON,
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)],
    _ help: inout [String]
  ) {
    switch name {
    case "help": if let words = text(value, at: place)?.stringValue { help.append(words) }
    case "placeholder": set("placeholder", of: field, text(value, at: place))
    case "widget": readWidget(value, at: place, field, schemas)
    case "enumNames": readNames(value, at: place, field, schemas)
    case "disabled": if value == true { set("enabled", of: field, "false") }
    case "emptyValue": readEmptyValue(value, at: place, field)
    default: set("widget", of: field, text(value, at: place))
    }
  }

  private mutating func set(_ key: String, of field: JSONPointer, _ value: JSON?) {
    guard let value, !field.tokens.isEmpty else { return }
    settings.append(Setting(field: field, key: key, value: value))
  }

  private mutating func text(_ value: JSON, at place: JSONPointer) -> JSON? {
    if case .string(let text) = value { return text.isEmpty ? nil : value }
    noteType(value, at: place)
    return nil
  }

  /// Widgets that need no name, because the schema says the same.
  private static let usualWidgets: Set<String> = [
    "text", "TextWidget", "select", "SelectWidget", "checkbox", "CheckboxWidget",
  ]
  private static let widgets = [
    "textarea": "textarea", "TextareaWidget": "textarea", "range": "slider", "RangeWidget": "slider", "radio": "radio",
    "RadioWidget": "radio", "checkboxes": "checkboxes", "CheckboxesWidget": "checkboxes", "updown": "updown",
    "UpDownWidget": "updown", "color": "color", "ColorWidget": "color", "date": "date", "DateWidget": "date",
    "datetime": "datetime", "DateTimeWidget": "datetime", "time": "time", "TimeWidget": "time", "alt-date": "date",
    "alt-datetime": "datetime", "email": "email", "EmailWidget": "email", "uri": "url", "URLWidget": "url",
  ]

  private mutating func readWidget(
    _ value: JSON,
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    guard let name = text(value, at: place)?.stringValue, !Self.usualWidgets.contains(name) else { return }
    switch name {
    case "password", "PasswordWidget": set("secret", of: field, true)
    case "hidden", "HiddenWidget":
      set("widget", of: field, "hidden")
      losses.note(
        .hiddenField,
        at: place,
        "the field is sent and not shown; in the form it has the widget \"hidden\", which clients must know",
        remedy: "give the field a default, or a value when a session opens"
      )
    case "file", "files", "FileWidget":
      losses.note(
        .file,
        at: place,
        "the value is a file; a form has no files, and this field is a text",
        remedy: "upload the file in the client, and let the field have its address"
      )
    default:
      set("widget", of: field, .string(Self.widgets[name] ?? name))
      guard Self.widgets[name] == nil else { return }
      losses.note(
        .unknownWidget,
        at: place,
        "\(name) is a widget of the program's own; the form passes the name to clients",
        remedy: "teach the clients this widget, or choose another one"
      )
    }
  }

  private mutating func readNames(
    _ value: JSON,
    at place: JSONPointer,
    _ field: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    guard let names = value.arrayValue else { return noteType(value, at: place) }
    var field = field
    let described = schemas.map { document.resolved($0.schema, at: $0.pointer) }
    var values = described.compactMap { $0.schema["enum"]?.arrayValue }.first
    if values == nil {
      // The choices of a list are the choices of its elements.
      let items = described.map { document.resolved($0.schema["items"] ?? true, at: $0.pointer).schema }
      values = items.compactMap { $0["enum"]?.arrayValue }.first
      field = field.appending("*")
    }
    guard let values else {
      losses.note(
        .uiOption,
        at: place,
        "the schema has no list of choices here, so enumNames names nothing",
        remedy: "write \"enum\" in the schema"
      )
      return
    }
    var labels = JSONObject()
    for (value, name) in zip(values, names) where value != .null {
      if let text = name.stringValue { labels[value.stringValue ?? value.description] = .string(text) }
    }
    if !labels.isEmpty { set("options", of: field, .object(labels)) }
  }

  private mutating func readOrder(
    _ value: JSON,
    at place: JSONPointer,
    _ schemas: [(pointer: JSONPointer, schema: JSON)]
  ) {
    guard let order = value.arrayValue?.map(\.stringValue) else { return noteType(value, at: place) }
    for (index, name) in order.enumerated() {
      guard let name, name != "*",
        schemas.allSatisfy({ members(name, of: $0.schema, at: $0.pointer, depth: 0).isEmpty })
      else { continue }
      losses.note(
        .unknownField,
        at: place.appending(index),
        "the schema has no member \(name.debugDescription) here",
        remedy: "correct the name, or leave it out"
      )
    }
    for schema in schemas {
      let object = document.resolved(schema.schema, at: schema.pointer)
      change(object.pointer) { members in
        guard case .object(let properties)? = members["properties"] else { return }
        let named = Set(order.compactMap(\.self))
        let others = properties.names.filter { !named.contains($0) }
        let wanted = order.flatMap { $0 == "*" ? others : [$0].compactMap(\.self) }
        var ordered = JSONObject()
        for name in wanted + others where ordered[name] == nil { ordered[name] = properties[name] }
        members["properties"] = .object(ordered)
      }
    }
  }

  private mutating func readEmptyValue(_ value: JSON, at place: JSONPointer, _ field: JSONPointer) {
    if value == "" { return set("emptyAs", of: field, "keep") }
    losses.note(
      .emptyValue,
      at: place,
      "an emptied field of a form is absent, and has no other value",
      remedy: "let the service add \(value) for an absent member"
    )
  }

  private mutating func readButton(_ value: JSON, at place: JSONPointer) {
    if value["norender"] == true { submitLabel = nil }
    if let label = value["submitText"], let label = text(label, at: place.appending("submitText")), submitLabel != nil {
      submitLabel = label
    }
    if value["props"] != nil { noteOption("props", at: place.appending("props")) }
  }

  private mutating func change(_ pointer: JSONPointer, _ body: (inout JSONObject) -> Void) {
    root = root.changing(pointer.tokens[...], body)
  }

  private mutating func noteOption(_ name: String, at place: JSONPointer) {
    losses.note(
      .uiOption,
      at: place,
      "a form does not say how a field is drawn, so \(name) is left out",
      remedy: "write it as \"x-\(name)\" in the schema of the field: clients get such members"
    )
  }

  private mutating func noteType(_ value: JSON, at place: JSONPointer) {
    losses.note(
      .wrongType,
      at: place,
      "a value of the type \(value.typeName) has no meaning here",
      remedy: "correct it, or leave it out"
    )
  }
}

extension JSON {
  /// The value with another object at that path.
  fileprivate func changing(_ path: ArraySlice<String>, _ body: (inout JSONObject) -> Void) -> JSON {
    switch self {
    case .object(var members):
      guard let token = path.first else {
        body(&members)
        return .object(members)
      }
      guard let value = members[token] else { return self }
      members[token] = value.changing(path.dropFirst(), body)
      return .object(members)
    case .array(var elements):
      guard let token = path.first, let index = JSONPointer.arrayIndex(token), index < elements.count else {
        return self
      }
      elements[index] = elements[index].changing(path.dropFirst(), body)
      return .array(elements)
    default: return self
    }
  }
}
