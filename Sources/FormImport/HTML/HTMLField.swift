internal import JSON

/// The field of a control, or of several controls with one name.
struct HTMLField {
  /// A bound that a schema cannot express: dates and times compare as texts.
  struct Bound {
    /// `min` or `max`.
    let word: String
    let sign: String
    let value: String
  }

  /// The first control.
  let control: HTMLElement
  let name: String
  let type: String
  /// The schema of the field.
  private(set) var schema = JSONObject()
  /// The widget; nil if the schema says enough.
  private(set) var widget: String?
  /// The choices, as a form's list of choices has them.
  private var choices: [JSONObject] = []
  /// Whether the choices are suggestions beside other texts.
  private(set) var admitsOther = false
  /// The `options` of the field: a list, or the labels by value if the choices have no more; nil if they have none.
  var options: JSON? {
    let listed = admitsOther ? choices : choices.filter { $0.count > 1 }
    guard !listed.isEmpty else { return nil }
    if admitsOther || listed.contains(where: { $0["group"] != nil || $0["disabled"] != nil }) {
      return .array(listed.map { .object($0) })
    }
    return .object(JSONObject(listed.map { ($0["value"]?.stringValue ?? "", $0["label"] ?? .null) }))
  }
  /// The text for no choice.
  private(set) var placeholder: String?
  /// The bounds of dates and times.
  private(set) var bounds: [Bound] = []
  /// Whether the author wrote a pattern.
  private(set) var hasPattern = false
  /// Whether the value is a list of choices.
  private(set) var isList = false
  /// Whether the field must have a value.
  private(set) var isRequired = false
  /// Whether each element of the list must have a value.
  private(set) var areElementsRequired = false
  /// What the page sends for the unchecked box; nil for nothing.
  var valueOfEmptyBox: String?
  /// The times of a range that goes over midnight: `min` is later than `max`.
  var rangeOverMidnight: (from: String, to: String)? {
    guard type == "time", let low = bounds.first(where: { $0.word == "min" }),
      let high = bounds.first(where: { $0.word == "max" }), high.value < low.value
    else { return nil }
    return (low.value, high.value)
  }
  /// The losses.
  private(set) var notes: [(LossCode, HTMLElement, String, String)] = []

  init(control: HTMLElement, name: String, type: String) {
    self.control = control
    self.name = name
    self.type = type
    isRequired = control.has("required")
  }

  private mutating func note(_ code: LossCode, _ message: String, remedy: String) {
    notes.append((code, control, message, remedy))
  }

  // MARK: One control

  /// Reads a control that is a field by itself.
  mutating func read() {
    switch type {
    case "number", "range": readNumber()
    case "checkbox": readCheckbox()
    case "date", "time", "datetime-local", "month", "week": readMoment()
    case "file":
      schema["type"] = "string"
      note(
        .file,
        "the value is a file; a form has no files, and this field is a text",
        remedy: "upload the file in the client, and let the field have its address"
      )
    default: readText()
    }
    if control.has("readonly") { schema["readOnly"] = true }
    if type == "hidden" { readHidden() }
  }

  private mutating func readText() {
    schema["type"] = "string"
    switch type {
    case "email" where control.has("multiple"):
      note(
        .severalAddresses,
        "the control takes several addresses in one text; the form does not check them",
        remedy: "write a list of texts with the format in the schema"
      )
    case "email": schema["format"] = "html-email"
    case "url": schema["format"] = "whatwg-url"
    case "password": schema["writeOnly"] = true
    case "color":
      schema["pattern"] = InputPattern.of(type).map { .string($0) }
      widget = "color"
    case "tel": widget = "tel"
    case "textarea": widget = "textarea"
    default: break
    }
    for (attribute, keyword) in [("minlength", "minLength"), ("maxlength", "maxLength")] {
      if let length = control[attribute].flatMap(Int64.init), length >= 0 { schema[keyword] = .integer(length) }
    }
    readPattern()
    let value = type == "textarea" ? control.rawText : control["value"] ?? ""
    if type == "color" {
      schema["default"] = .string(readable("value") ?? "#000000")
    } else if !value.isEmpty {
      if type == "password" {
        note(
          .secretDefault,
          "a default of a secret would stand in the form for everybody to read; the form has none",
          remedy: "let the service choose the default"
        )
      } else {
        schema["default"] = .string(type == "textarea" && value.hasPrefix("\n") ? String(value.dropFirst()) : value)
      }
    }
  }

  /// Reads the suggestions of the control.
  ///
  /// - Parameter list: the `datalist`; nil if the page does not have it.
  mutating func readSuggestions(_ list: HTMLElement?) {
    guard schema["writeOnly"] != true, type != "hidden" else { return }
    guard schema["type"] == "string" else {
      return note(
        .suggestions,
        "a form suggests only texts, so the field has no suggestions",
        remedy: "write the suggestions as \"enum\" in the schema, if no other values are meant"
      )
    }
    for option in list?.descendants.filter({ $0.name == "option" }) ?? [] {
      let text = option["value"] ?? option.text
      guard !text.isEmpty else { continue }
      add(.string(text), label: option["label"] ?? option.text, group: nil, isDisabled: option.has("disabled"))
    }
    admitsOther = !choices.isEmpty
    if choices.isEmpty { noteNoChoice() }
  }

  /// A pattern of HTML must match the whole value.
  private mutating func readPattern() {
    guard let pattern = control["pattern"], !pattern.isEmpty, type != "color", type != "textarea", type != "hidden"
    else {
      return
    }
    switch PatternRepair.ecma(pattern) {
    case .same(let text):
      schema["pattern"] = .string("^(?:\(text))$")
      hasPattern = true
    case .refused(let reason):
      note(
        .pattern,
        "the pattern is not a regular expression of ECMA-262 (\(reason)); the form does not check it",
        remedy: "correct the pattern; browsers ignore it, too"
      )
    }
  }

  private mutating func readHidden() {
    schema["readOnly"] = true
    widget = "hidden"
    note(
      .hiddenField,
      "the field is sent and not shown; in the form it is read-only with the widget \"hidden\", which clients must know",
      remedy: "take it out, if the service does not need it"
    )
  }

  private mutating func readCheckbox() {
    schema["type"] = "boolean"
    if isRequired { schema["const"] = true }
    if control.has("checked") { schema["default"] = true }
    let value = control["value"] ?? "on"
    if value != "on" || valueOfEmptyBox != nil {
      note(
        .checkboxValue,
        "a browser sends \(value.debugDescription) for the checked box, and \(valueOfEmptyBox?.debugDescription ?? "nothing") for the empty one; the form sends true and false",
        remedy: "let the service read true and false"
      )
    }
  }

  // MARK: Numbers

  private mutating func readNumber() {
    let step = control["step"]?.lowercased()
    let low = number("min") ?? (type == "range" ? 0 : nil)
    let high = number("max") ?? (type == "range" ? 100 : nil)
    let initial = number("value")
    for attribute in ["min", "max", "value", "step"] {
      guard let text = control[attribute], !text.isEmpty, Self.number(text) == nil else { continue }
      if attribute != "step" || step != "any" { noteUnreadable(attribute) }
    }
    schema["type"] = "number"
    if let low { schema["minimum"] = low }
    if let high { schema["maximum"] = high }
    if step != "any" {
      let size = step.flatMap(Self.number).flatMap { ($0.doubleValue ?? 0) > 0 ? $0 : nil } ?? 1
      // Steps are counted from the lowest value, else from the initial value.
      if Self.isMultiple(low ?? initial ?? 0, of: size) {
        if size == 1 { schema["type"] = "integer" } else { schema["multipleOf"] = size }
      } else {
        note(
          .step,
          "the steps of \(size) are counted from \(low ?? initial ?? 0); the form does not check them",
          remedy: "write a rule for the field"
        )
      }
    }
    if type == "range" {
      widget = "slider"
      let middle = (low?.doubleValue ?? 0) + ((high?.doubleValue ?? 100) - (low?.doubleValue ?? 0)) / 2
      schema["default"] = initial ?? Self.json(max(middle, low?.doubleValue ?? 0))
    } else if let initial {
      schema["default"] = initial
    }
  }

  private func number(_ attribute: String) -> JSON? { control[attribute].flatMap(Self.number) }

  /// A floating-point number of HTML: the grammar of JSON, and leading zeros and dots.
  private static func number(_ text: String) -> JSON? {
    guard !text.isEmpty, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      text.utf8.first != UInt8(ascii: "+"),
      let value = Double(text), value.isFinite
    else { return nil }
    return json(value)
  }

  private static func json(_ value: Double) -> JSON {
    Int64(exactly: value).map { .integer($0) } ?? .real(value)
  }

  private static func isMultiple(_ value: JSON, of step: JSON) -> Bool {
    guard let value = value.doubleValue, let step = step.doubleValue else { return false }
    let quotient = (value / step).rounded()
    return abs(quotient * step - value) <= abs(value) * 1e-12
  }

  // MARK: Dates and times

  /// The text of an attribute, if it is a value of the control.
  private mutating func readable(_ attribute: String) -> String? {
    guard let text = control[attribute], !text.isEmpty else { return nil }
    if InputPattern.isValue(text, of: type) { return text }
    noteUnreadable(attribute)
    return nil
  }

  private mutating func noteUnreadable(_ attribute: String) {
    note(
      .wrongType,
      "\(attribute)=\(control[attribute]?.debugDescription ?? "") is no value of this control; the form does not have it",
      remedy: "correct it; browsers ignore it, too"
    )
  }

  private mutating func readMoment() {
    schema["type"] = "string"
    if type == "date" { schema["format"] = "date" } else { widget = type }
    if let pattern = InputPattern.of(type) { schema["pattern"] = .string(pattern) }
    schema["default"] = readable("value").map { .string($0) }
    for (word, sign) in [("min", ">="), ("max", "<=")] {
      if let value = readable(word) { bounds.append(Bound(word: word, sign: sign, value: value)) }
    }
    if let step = control["step"], step.lowercased() != "any", step != "1" || type == "time" || type == "datetime-local"
    {
      note(.step, "the form does not check the step \(step)", remedy: "write a rule for the field")
    }
  }

  // MARK: Choices

  private mutating func add(_ value: JSON, label: String?, group: String?, isDisabled: Bool) {
    guard !choices.contains(where: { $0["value"] == value }) else { return }
    var choice: JSONObject = ["value": value]
    if let label, !label.isEmpty, label != value.stringValue ?? value.description { choice["label"] = .string(label) }
    if let group, !group.isEmpty { choice["group"] = .string(group) }
    if isDisabled { choice["disabled"] = true }
    choices.append(choice)
  }

  /// Reads radio buttons or checkboxes of one name.
  mutating func readChoices(_ group: [HTMLElement], isList: Bool, label: (HTMLElement) -> String?) {
    var values: [JSON] = []
    var checked: [JSON] = []
    for button in group {
      let value = button["value"] ?? "on"
      guard !values.contains(.string(value)) else { continue }
      values.append(.string(value))
      // If all are disabled, the field is.
      let isDisabled = button.has("disabled") && group.contains { !$0.has("disabled") }
      add(.string(value), label: label(button), group: nil, isDisabled: isDisabled)
      if button.has("checked") { checked.append(.string(value)) }
    }
    isRequired = !isList && group.contains { $0.has("required") }
    self.isList = isList
    widget = isList ? "checkboxes" : "radio"
    setChoices(values, checked)
  }

  /// Reads a list of options.
  mutating func readSelect() {
    var values: [JSON] = []
    var selected: [JSON] = []
    var first: JSON?
    isList = control.has("multiple")
    let options = control.descendants.filter { $0.name == "option" }
    for (index, option) in options.enumerated() {
      let text = option["label"] ?? option.text
      let value = option["value"] ?? option.text
      let group = option.ancestors.first { $0.name == "optgroup" }
      let isDisabled = option.has("disabled") || group?.has("disabled") == true
      // The first option without a value says that nothing was chosen.
      if value.isEmpty {
        if index == 0 { placeholder = text.isEmpty ? nil : text }
        if first == nil { first = .null }
        continue
      }
      guard !values.contains(.string(value)) else { continue }
      values.append(.string(value))
      add(.string(value), label: text, group: group?["label"], isDisabled: isDisabled)
      if option.has("selected") { selected.append(.string(value)) }
      if first == nil, !isDisabled { first = .string(value) }
    }
    // A list with one line shows its first option, and sends it.
    if !isList, selected.isEmpty, (Int(control["size"] ?? "1") ?? 1) <= 1, let first, first != .null {
      selected = [first]
    }
    setChoices(values, selected)
  }

  private mutating func setChoices(_ values: [JSON], _ chosen: [JSON]) {
    guard isList else {
      schema["type"] = "string"
      if values.isEmpty { noteNoChoice() } else { schema["enum"] = .array(values) }
      schema["default"] = chosen.last
      return
    }
    schema["type"] = "array"
    schema["uniqueItems"] = true
    schema["items"] = values.isEmpty ? ["type": "string"] : ["type": "string", "enum": .array(values)]
    if values.isEmpty { noteNoChoice() }
    if isRequired {
      isRequired = false
      schema["minItems"] = 1
    }
    if !chosen.isEmpty { schema["default"] = .array(chosen) }
    if widget == nil { widget = "multiselect" }
  }

  private mutating func noteNoChoice() {
    note(
      .suggestions,
      "the page has no choices here, so its script probably adds them; the form takes every text",
      remedy: "write \"options\" at the field, for example by a lookup"
    )
  }

  // MARK: Lists

  /// Several controls of one name, or a name that ends with `[]`, give a list of values.
  ///
  /// - Parameter isRow: whether the control is the template of a row: it is required in each row.
  mutating func makeList(of group: [HTMLElement], isRow: Bool) {
    var item = schema
    item["default"] = nil
    let values = group.compactMap { $0["value"] }.filter { !$0.isEmpty }
    schema = ["type": "array", "items": .object(item)]
    if type != "number", type != "range", !values.isEmpty, item["writeOnly"] != true {
      schema["default"] = .array(values.map { .string($0) })
    }
    if isRequired {
      isRequired = false
      if isRow { areElementsRequired = true } else { schema["minItems"] = 1 }
    }
    bounds = []
    hasPattern = false
  }
}
