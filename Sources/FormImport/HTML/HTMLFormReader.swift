internal import JSON
internal import SourceTexts

/// Reads the controls of a page's form (HTML Standard, section 4.10).
struct HTMLFormReader {
  let page: HTMLElement
  let form: HTMLElement
  /// All elements of the page, in order.
  let all: [HTMLElement]
  var losses: LossCollector
  var draft: FormDraft
  private(set) var tree = SchemaTree()
  /// The values of unchecked boxes, by the names of the boxes: the values of hidden controls with these names.
  private var valuesOfEmptyBoxes: [String: String] = [:]
  /// The names of actions.
  private var actionNames: Set<String> = []
  /// Elements by their ids; the first one counts.
  private let byID: [String: HTMLElement]

  init(page: HTMLElement, form: HTMLElement, all: [HTMLElement], losses: LossCollector, name: String) {
    self.page = page
    self.form = form
    self.all = all
    self.losses = losses
    draft = FormDraft(name: name)
    byID = Dictionary(all.compactMap { element in element["id"].map { ($0, element) } }) { first, _ in first }
  }

  /// Reads the whole form.
  mutating func read() {
    draft.locale = page["lang"].flatMap { $0.isEmpty ? nil : $0 }
    let heading = form.descendants.first { ["h1", "h2", "h3", "h4"].contains($0.name) && !$0.text.isEmpty }
    let title = heading?.text ?? form["aria-label"] ?? all.first { $0.name == "title" }?.text
    draft.title = title.flatMap { $0.isEmpty ? nil : .string($0) }
    let controls = all.filter(isControl)
    let lists = listsWithTemplates
    let groups = groups(of: controls.filter { !isInRenderedRow($0, ControlName($0["name"] ?? ""), lists) })
    for group in groups { read(group) }
    for element in all where element.name.contains("-") && element.has("name") && belongs(element) {
      note(
        .unknownControl,
        element,
        "<\(element.name)> is an element of the page's own; the form does not have it",
        remedy: "add the field by hand"
      )
    }
    for element in all where element.name == "output" && belongs(element) {
      note(
        .script,
        element,
        "<output> shows a value that a script computes; the form does not have it",
        remedy: "write an output, or a field with \"computed\""
      )
    }
    readFieldsets()
    readSteps()
    readSubmission()
    readScripts()
    draft.schema = tree.schema
    if tree.schema["properties"]?.objectValue?.isEmpty != false {
      draft.schema = ["type": "object", "properties": ["value": ["title": "Value"]]]
      note(
        .emptyForm,
        form,
        "the form has no control with a name; the form of formd has one field, \"value\"",
        remedy: "give the controls names"
      )
    }
  }

  // MARK: Controls

  func isControl(_ element: HTMLElement) -> Bool {
    ["input", "select", "textarea", "button"].contains(element.name) && belongs(element)
  }

  /// Whether an element belongs to the form: it is inside, or names it.
  func belongs(_ element: HTMLElement) -> Bool {
    if let id = element["form"] { return id == form["id"] }
    return element.ancestors.contains { $0 === form }
      && element.ancestors.allSatisfy { $0.name != "template" || $0.has(Self.rowAttribute) }
  }

  /// Controls with one name that are one field: the radio buttons of a group, the checkboxes of a list.
  private mutating func groups(of controls: [HTMLElement]) -> [[HTMLElement]] {
    var groups: [[HTMLElement]] = []
    var numbers: [String: Int] = [:]
    for control in controls {
      let type = Self.type(of: control)
      if Self.buttons.contains(type) {
        if !Self.isOfClient(control) { readButton(control, type) }
        continue
      }
      guard let name = control["name"], !name.isEmpty else {
        note(
          .unnamedControl,
          control,
          "a browser does not send a control without a name, so the form does not have it",
          remedy: "give it a name"
        )
        continue
      }
      // The fields of later rows are fields of their own until they are compared with the first row.
      let place = ControlName(name)
      let key = "\(place.field) \(place.positions)"
      let number = numbers[key]
      let known = number.map { Self.type(of: groups[$0][0]) }
      if let number, known == type {
        groups[number].append(control)
      } else if let number, known == "hidden", type == "checkbox" {
        // The page sends the hidden value in place of an unchecked box.
        valuesOfEmptyBoxes[name] = groups[number].last?["value"] ?? ""
        groups[number] = [control]
      } else if known == "checkbox", type == "hidden" {
        valuesOfEmptyBoxes[name] = control["value"] ?? ""
      } else {
        if numbers[key] == nil { numbers[key] = groups.count }
        groups.append([control])
      }
    }
    return groups
  }

  static let buttons: Set<String> = ["submit", "button", "reset", "image"]
  private static let textTypes: Set<String> = [
    "text", "search", "tel", "url", "email", "password", "hidden", "textarea",
  ]
  private static let otherTypes: Set<String> = [
    "number", "range", "date", "time", "datetime-local", "month", "week", "color", "checkbox", "radio", "file",
    "select",
  ]

  /// The type of a control; `select` and `textarea` are types, too. An unknown type is `text`, as in browsers.
  static func type(of control: HTMLElement) -> String {
    switch control.name {
    case "select", "textarea": return control.name
    case "button":
      let type = control["type"]?.lowercased() ?? ""
      return buttons.contains(type) ? type : "submit"
    default:
      let type = control["type"]?.lowercased() ?? "text"
      return textTypes.contains(type) || otherTypes.contains(type) || buttons.contains(type) ? type : "text"
    }
  }

  private mutating func read(_ group: [HTMLElement]) {
    let control = group[0]
    let type = Self.type(of: control)
    let name = ControlName(control["name"] ?? "")
    noteAttributes(of: group)
    // Later rows have the fields of the first row.
    if name.positions.contains(where: { $0 > 0 }), tree.schema(at: name.field) != nil { return }
    var field = HTMLField(control: control, name: control["name"] ?? "", type: type)
    field.valueOfEmptyBox = valuesOfEmptyBoxes[field.name]
    switch type {
    case "checkbox" where group.count > 1 || name.isList: field.readChoices(group, isList: true) { label(of: $0) }
    case "radio": field.readChoices(group, isList: false) { label(of: $0) }
    case "select": field.readSelect()
    default:
      field.read()
      if let list = control["list"] {
        field.readSuggestions(byID[list].flatMap { $0.name == "datalist" ? $0 : nil })
      }
      // A second `rows[][name]` is the name in the next row.
      let isOfNextRow = name.field.tokens.count { $0 == "*" } > name.positions.count
      if name.isList || group.count > 1 && !isOfNextRow {
        field.makeList(of: group, isRow: control.ancestors.contains { $0.has(Self.rowAttribute) })
      }
    }
    let isEnabled = !group.allSatisfy(isDisabled)
    let isReadOnly = field.schema["readOnly"] == true
    guard tree.insert(name.field, .object(field.schema), isRequired: field.isRequired && !isReadOnly) else {
      note(
        .nameClash,
        control,
        "another control has this name, or a part of it, for a value of another type; the form does not have this one",
        remedy: "give the controls different names"
      )
      return
    }
    for (code, element, message, remedy) in field.notes { note(code, element, message, remedy: remedy) }
    describe(field, at: name.field, group)
    if field.areElementsRequired { draft.set("required", of: name.field.appending("*"), to: true) }
    if !isEnabled {
      draft.set("enabled", of: name.field, to: "false")
      note(
        .disabledControl,
        control,
        "a browser neither checks nor sends a disabled control; a form does both",
        remedy: "write \"visible\": \"false\" at the field, if it must not be sent"
      )
    }
  }

  private mutating func describe(_ field: HTMLField, at address: JSONPointer, _ group: [HTMLElement]) {
    let control = group[0]
    let isGroup = group.count > 1 && (field.type == "radio" || field.type == "checkbox")
    let own = isGroup ? legend(of: group) : label(of: control)
    let name = address.tokens.last { $0 != "*" } ?? ""
    draft.set("label", of: address, to: .string(own ?? ReadableName.label(name)))
    if let placeholder = control["placeholder"] ?? field.placeholder, !placeholder.isEmpty, !isGroup {
      draft.set("placeholder", of: address, to: .string(placeholder))
    }
    let title = control["title"].flatMap { $0.isEmpty ? nil : $0 }
    let described = (control["aria-describedby"] ?? "").split(separator: " ").compactMap { byID[String($0)]?.text }
    let help = (field.schema["pattern"] == nil || !field.hasPattern ? [title].compactMap(\.self) : []) + described
    if !help.isEmpty { draft.set("help", of: address, to: .string(help.joined(separator: " "))) }
    if field.hasPattern, let title { draft.set("messages", of: address, to: ["pattern": .string(title)]) }
    if let widget = field.widget { draft.set("widget", of: address, to: .string(widget)) }
    if let options = field.options {
      let isOfElements = field.isList || field.schema["type"] == "array"
      let place = isOfElements ? address.appending("*") : address
      draft.set("options", of: place, to: options)
      if field.admitsOther { draft.set("other", of: place, to: true) }
    }
    let id = (address.tokens.filter { $0 != "*" }).joined(separator: ".")
    if let range = field.rangeOverMidnight {
      draft.rules.append([
        "id": .string("\(id).range"), "field": .string(FormDraft.address(of: address)),
        "check": .string(
          "self >= \(FormulaText.literal(.string(range.from)) ?? "''")"
            + " || self <= \(FormulaText.literal(.string(range.to)) ?? "''")"
        ),
        "message": .string("This must be \(range.from) or later, or \(range.to) or earlier."),
      ])
      return
    }
    for bound in field.bounds {
      draft.rules.append([
        "id": .string("\(id).\(bound.word)"), "field": .string(FormDraft.address(of: address)),
        "check": .string("self \(bound.sign) \(FormulaText.literal(.string(bound.value)) ?? "''")"),
        "message": .string(
          bound.word == "min" ? "This must be \(bound.value) or later." : "This must be \(bound.value) or earlier."
        ),
      ])
    }
  }

  private func isDisabled(_ control: HTMLElement) -> Bool {
    control.has("disabled") || control.ancestors.contains { $0.name == "fieldset" && $0.has("disabled") }
  }

  // MARK: Texts

  /// The text of a control's label.
  private func label(of control: HTMLElement) -> String? {
    let ids = (control["aria-labelledby"] ?? "").split(separator: " ").compactMap { byID[String($0)]?.text }
    let named = control["id"].flatMap { id in all.first { $0.name == "label" && $0["for"] == id } }
    let around = control.ancestors.first { $0.name == "label" }
    let texts = [
      ids.isEmpty ? nil : ids.joined(separator: " "), control["aria-label"], named?.text, around?.text,
    ]
    return texts.compactMap { $0?.trimmedLabel }.first { !$0.isEmpty }
  }

  /// The text of the group around radio buttons or checkboxes.
  private func legend(of group: [HTMLElement]) -> String? {
    let fieldset = group[0].ancestors.first { ancestor in
      ancestor.name == "fieldset" || ["radiogroup", "group"].contains(ancestor["role"] ?? "")
    }
    guard let fieldset else { return nil }
    let others = fieldset.descendants.filter { isControl($0) && !Self.buttons.contains(Self.type(of: $0)) }
    guard others.allSatisfy({ other in group.contains { $0 === other } }) else { return nil }
    let ids = (fieldset["aria-labelledby"] ?? "").split(separator: " ").compactMap { byID[String($0)]?.text }
    let text = fieldset.elements.first { $0.name == "legend" }?.text ?? fieldset["aria-label"] ?? ids.first
    return text.map(\.trimmedLabel).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A legend is the label of an object if the fieldset has exactly its members.
  private mutating func readFieldsets() {
    for fieldset in all where fieldset.name == "fieldset" && fieldset.ancestors.contains(where: { $0 === form }) {
      guard let legend = fieldset.elements.first(where: { $0.name == "legend" }), !legend.text.isEmpty else { continue }
      let controls = fieldset.descendants.filter { isControl($0) && !Self.buttons.contains(Self.type(of: $0)) }
      let fields = controls.compactMap { $0["name"] }.map { ControlName($0).field }
      guard let first = fields.first, !fieldset.has(Self.rowAttribute) else { continue }
      if let list = fieldset.parent?[Self.rowAttribute] {
        let list = ControlName(list).field
        if draft.value(of: "label", list) == nil { draft.set("label", of: list, to: .string(legend.text.trimmedLabel)) }
        continue
      }
      if fields.allSatisfy({ $0 == first }) { continue }
      let named = fieldset["data-formd-field"].map { ControlName($0).field }
      let object = named ?? JSONPointer(tokens: Array(first.tokens.dropLast()))
      if !object.tokens.isEmpty, object.tokens.last != "*",
        fields.allSatisfy({ $0.tokens.starts(with: object.tokens) }), draft.value(of: "label", object) == nil
      {
        draft.set("label", of: object, to: .string(legend.text.trimmedLabel))
      } else {
        note(
          .group,
          legend,
          "a form has no groups of fields beside objects and steps, so the legend is left out",
          remedy: "put the fields into an object (name=\"group[field]\"), or make the group a step"
        )
      }
    }
  }

  // MARK: Buttons

  private mutating func readButton(_ button: HTMLElement, _ type: String) {
    if type == "reset" {
      note(
        .resetButton,
        button,
        "a form has no button for a reset; a client resets the session",
        remedy: "draw the button in the client"
      )
      return
    }
    let text = button.name == "button" ? buttonText(button) : button["value"] ?? button["alt"] ?? ""
    let label = text.isEmpty ? type == "submit" ? "Submit" : ReadableName.label(button["name"] ?? "button") : text
    let value = button["value"].flatMap { $0.isEmpty || button["name"] == nil ? nil : $0 }
    // A page for the client for browsers names the actions of its form.
    let isOfFormd = button["name"] == "action" && (form.has("data-formd") || form.has("data-formd-form"))
    var name =
      value.map { isOfFormd ? $0 : "\(button["name"] ?? "").\($0)" }
      ?? button["name"] ?? button["id"] ?? (type == "button" ? "button" : "submit")
    if name.isEmpty { name = "submit" }
    name = String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    var unique = name
    var number = 2
    while !actionNames.insert(unique).inserted {
      unique = "\(name)\(number)"
      number += 1
    }
    var action: JSONObject = ["label": .string(label)]
    if button.has("formnovalidate") || form.has("novalidate") || type == "button" { action["scope"] = "none" }
    draft.actions[unique] = .object(action)
    if type == "button" {
      note(
        .script,
        button,
        "the page's own script decides what this button does; the action in the form does nothing",
        remedy: "write \"run\" or \"outcomes\" at the action \(unique), or take it out"
      )
    }
  }

  private func buttonText(_ button: HTMLElement) -> String {
    let text = button.rawText.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.isEmpty ? button["aria-label"] ?? "" : text
  }

  private mutating func readSubmission() {
    guard let target = form["action"], !target.isEmpty else { return }
    note(
      .submission,
      form,
      "the page sends the values to \(target); the actions of the form send nothing",
      remedy: "name a service of the configuration in \"run\" at the action, and send \"values\" to it"
    )
  }

  // MARK: Scripts

  /// Scripts of the page can do anything with the form.
  private mutating func readScripts() {
    for element in all where element.name == "script" {
      let type = element["type"]?.lowercased() ?? ""
      guard type.isEmpty || type == "module" || type.contains("javascript") || type.contains("ecmascript") else {
        continue
      }
      note(
        .script,
        element,
        "the form does not have what the page's own script does",
        remedy: "write a rule, a formula of a field, or an action"
      )
    }
    for element in form.ancestors.reversed() + [form] + form.descendants where !isControl(element) {
      for name in element.attributes.keys.sorted() where name.hasPrefix("on") {
        note(
          .script,
          element,
          "the page's own script is called by \(name) of <\(element.name)>; the form does not have it",
          remedy: "write a rule, a formula of a field, or an action"
        )
      }
    }
  }

  // MARK: Losses

  /// Attributes that say nothing about values, or that are read elsewhere.
  private static let usualAttributes: Set<String> = [
    "accept", "accept-charset", "accesskey", "action", "alt", "autocapitalize", "autocomplete", "autocorrect",
    "autofocus", "capture", "checked", "class", "cols", "contenteditable", "dir", "dirname", "disabled", "draggable",
    "enctype", "enterkeyhint", "for", "form", "formaction", "formenctype", "formmethod", "formnovalidate", "formtarget",
    "height", "hidden", "id", "inputmode", "lang", "list", "max", "maxlength", "method", "min", "minlength", "multiple",
    "name", "novalidate", "pattern", "placeholder", "readonly", "required", "role", "rows", "size", "spellcheck", "src",
    "step", "style", "tabindex", "target", "title", "translate", "type", "value", "width", "wrap",
  ]

  private mutating func noteAttributes(of group: [HTMLElement]) {
    for control in group {
      for name in control.attributes.keys.sorted() where !Self.usualAttributes.contains(name) {
        if name.hasPrefix("data-") || name.hasPrefix("aria-") { continue }
        if name.hasPrefix("on") {
          note(
            .script,
            control,
            "the page's own script is called by \(name); the form does not have it",
            remedy: "write a rule, or a formula of the field"
          )
        } else {
          note(
            .unknownKey,
            control,
            "the importer does not know the attribute \(name)",
            remedy: "if it restricts the values, write a rule in the form"
          )
        }
      }
      guard let type = control["type"]?.lowercased(), control.name == "input", Self.type(of: control) != type else {
        continue
      }
      note(
        .unknownControl,
        control,
        "there is no input of the type \(type); the form has a text, as browsers do",
        remedy: "correct the type"
      )
    }
  }

  private mutating func note(_ code: LossCode, _ element: HTMLElement, _ message: String, remedy: String) {
    losses.note(code, at: element.range, message, remedy: remedy)
  }
}

extension String {
  /// A label without the marks that pages write behind it: a colon, or a star for a required field.
  fileprivate var trimmedLabel: String {
    var text = Substring(self)
    while let last = text.last, last.isWhitespace || last == ":" || last == "*" { text.removeLast() }
    return String(text)
  }
}
