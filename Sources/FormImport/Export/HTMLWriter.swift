internal import JSON

/// Writes a form in HTML that needs no script, and that the client for browsers brings to life.
///
/// The names of its controls are the names of `protocol/clients/web/README.md`.
struct HTMLWriter {
  private var lines: [String] = []
  private var depth = 0

  /// The text of a page's form.
  static func text(of model: ExportModel) -> String {
    var writer = HTMLWriter()
    writer.form(model)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private mutating func line(_ text: String) { lines.append(String(repeating: "  ", count: depth) + text) }

  private mutating func inside(_ open: String, _ close: String, _ body: (inout HTMLWriter) -> Void) {
    line(open)
    depth += 1
    body(&self)
    depth -= 1
    line(close)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private static func attribute(_ name: String, _ value: String) -> String { " \(name)=\"\(escaped(value))\"" }

  private mutating func form(_ model: ExportModel) {
    let language = model.locale.map { Self.attribute("lang", $0) } ?? ""
    let name = Self.attribute("data-formd-form", model.name)
    inside("<form method=\"post\"\(Self.attribute("name", model.name))\(name)\(language)>", "</form>") { writer in
      if let title = model.title { writer.line("<h1>\(Self.escaped(title))</h1>") }
      let members: [ExportMember]
      switch model.root.type {
      case .object(let object): members = object.members
      case .union(let values, _): members = Self.members(of: values)
      default: members = []
      }
      var shown: Set<String> = []
      for step in model.steps {
        let label = step.label.map { Self.attribute("aria-label", $0) } ?? ""
        writer.inside("<section\(Self.attribute("data-formd-step", step.id))\(label)>", "</section>") { writer in
          if let label = step.label { writer.line("<h2>\(Self.escaped(label))</h2>") }
          for member in members where step.fields.contains(member.name) {
            writer.member(member, in: "")
            shown.insert(member.name)
          }
        }
      }
      for member in members where !shown.contains(member.name) { writer.member(member, in: "") }
      let actions = model.actions.isEmpty ? [("", "Send")] : model.actions
      writer.inside("<div class=\"buttons\">", "</div>") { writer in
        for (name, label) in actions {
          let tap = name.isEmpty ? "" : " name=\"action\"\(Self.attribute("value", name))"
          writer.line("<button\(tap)>\(Self.escaped(label))</button>")
        }
      }
    }
  }

  /// All members of alternatives, each once; a member of some alternatives only is not required.
  private static func members(of values: [ExportValue]) -> [ExportMember] {
    var members: [ExportMember] = []
    for value in values {
      guard case .object(let object) = value.type else { continue }
      for member in object.members {
        guard let index = members.firstIndex(where: { $0.name == member.name }) else {
          members.append(member)
          continue
        }
        members[index].value.choices.merge(member.value.choices) { old, _ in old }
        guard case .choices(let old) = members[index].value.type, case .choices(let new) = member.value.type else {
          continue
        }
        members[index].value.type = .choices(old + new.filter { !old.contains($0) })
      }
    }
    return members.map { member in
      var member = member
      let isEverywhere = values.allSatisfy { value in
        guard case .object(let object) = value.type else { return false }
        return object.members.contains { $0.name == member.name && $0.isRequired }
      }
      member.isRequired = isEverywhere
      return member
    }
  }

  /// `address.city`; a name with a point of its own is a JSON Pointer.
  private static func name(_ name: String, in prefix: String) -> String {
    let isPlain = !name.contains { ".[]/".contains($0) }
    if prefix.hasPrefix("/") || !isPlain && !prefix.contains("[") {
      let around = prefix.hasPrefix("/") ? prefix : prefix.split(separator: ".").map { "/" + $0 }.joined()
      return around + JSONPointer(tokens: [name]).description
    }
    return prefix.isEmpty ? name : "\(prefix).\(name)"
  }

  private mutating func member(_ member: ExportMember, in prefix: String) {
    let name = Self.name(member.name, in: prefix)
    let label = member.value.label ?? ReadableName.label(member.name)
    switch member.value.type {
    case .object(let object): group(object.members, name, label)
    case .union(let values, _) where !Self.members(of: values).isEmpty: group(Self.members(of: values), name, label)
    case .list(let list): self.list(list, member, name, label)
    default: field(member, name, label)
    }
  }

  private mutating func group(_ members: [ExportMember], _ name: String, _ label: String) {
    inside("<fieldset\(Self.attribute("data-formd-field", name))>", "</fieldset>") { writer in
      writer.line("<legend>\(Self.escaped(label))</legend>")
      for member in members { writer.member(member, in: name) }
    }
  }

  private mutating func list(_ list: ExportList, _ member: ExportMember, _ name: String, _ label: String) {
    if case .choices(let choices) = list.element.type {
      inside("<fieldset\(Self.attribute("data-formd-field", name))>", "</fieldset>") { writer in
        writer.line("<legend>\(Self.escaped(label))</legend>")
        for choice in choices {
          let value = choice.stringValue ?? choice.description
          let shown = list.element.choices[value] ?? member.value.choices[value]
          let isChecked = member.value.initial?.arrayValue?.contains(choice) == true
          // A browser sends no disabled box, and an initial value may be a disabled choice.
          let state = isChecked ? " checked" : shown?.isDisabled == true ? " disabled" : ""
          let attributes = Self.attribute("name", name) + Self.attribute("value", value) + state
          let text = Self.escaped(shown?.label ?? value)
          writer.line("<label class=\"choice\"><input type=\"checkbox\"\(attributes)> \(text)</label>")
        }
        writer.line("<p\(Self.attribute("data-formd-message", name))></p>")
      }
      return
    }
    inside("<div\(Self.attribute("data-formd-field", name))>", "</div>") { writer in
      writer.inside("<template\(Self.attribute("data-formd-row", name))>", "</template>") { writer in
        writer.inside("<fieldset>", "</fieldset>") { writer in
          writer.line("<legend>\(Self.escaped(label)) <span data-formd-number></span></legend>")
          switch list.element.type {
          case .object(let object): for member in object.members { writer.member(member, in: "\(name)[]") }
          case .union(let values, _): for member in Self.members(of: values) { writer.member(member, in: "\(name)[]") }
          default:
            let element = ExportMember(
              name: member.name,
              value: list.element,
              isRequired: list.areElementsRequired
            )
            writer.field(element, "\(name)[]", label)
          }
          writer.line("<button type=\"button\" data-formd-remove>Remove</button>")
        }
      }
    }
    line("<p\(Self.attribute("data-formd-message", name))></p>")
    line("<button type=\"button\"\(Self.attribute("data-formd-add", name))>\(Self.escaped("Add: \(label)"))</button>")
  }

  private mutating func field(_ member: ExportMember, _ name: String, _ label: String) {
    let value = member.value
    var attributes = Self.attribute("id", name) + Self.attribute("name", name)
    if let help = value.help, !help.isEmpty { attributes += Self.attribute("aria-describedby", "\(name)-help") }
    let isChecked = value.initial == true
    inside("<div class=\"field\"\(Self.attribute("data-formd-field", name))>", "</div>") { writer in
      if case .bool = value.type {
        let control = "<input type=\"checkbox\"\(attributes)\(isChecked ? " checked" : "")>"
        writer.line("<label class=\"choice\"\(Self.attribute("for", name))>\(control) \(Self.escaped(label))</label>")
      } else {
        if member.isRequired { attributes += " required" }
        if value.isReadOnly { attributes += " readonly" }
        if !value.suggestions.isEmpty { attributes += Self.attribute("list", "\(name)-options") }
        writer.line("<label\(Self.attribute("for", name))>\(Self.escaped(label))</label>")
        writer.control(value, attributes)
        if !value.suggestions.isEmpty {
          writer.inside("<datalist\(Self.attribute("id", "\(name)-options"))>", "</datalist>") { writer in
            for choice in value.suggestions { writer.option(choice, value, nil) }
          }
        }
      }
      if let help = value.help, !help.isEmpty {
        writer.line("<p class=\"help\"\(Self.attribute("id", "\(name)-help"))>\(Self.escaped(help))</p>")
      }
    }
  }

  private mutating func control(_ value: ExportValue, _ start: String) {
    var attributes = start
    if let placeholder = value.placeholder { attributes += Self.attribute("placeholder", placeholder) }
    let initial = value.isSecret ? nil : value.initial.flatMap { $0.isNull ? nil : $0.stringValue ?? $0.description }
    switch value.type {
    case .choices(let choices):
      inside("<select\(start)>", "</select>") { writer in
        writer.line("<option value=\"\">Please choose</option>")
        writer.options(choices, of: value, initial)
      }
    case .text(let text):
      if let minLength = text.minLength { attributes += Self.attribute("minlength", String(minLength)) }
      if let maxLength = text.maxLength { attributes += Self.attribute("maxlength", String(maxLength)) }
      if value.widget == "textarea" {
        // A browser drops the first line break.
        line("<textarea\(attributes)>\(initial.map { "\n" + Self.escaped($0) } ?? "")</textarea>")
        return
      }
      if let pattern = text.patterns.first { attributes += Self.attribute("pattern", Self.whole(pattern)) }
      let types = [
        "email": "email", "date": "date", "uri": "url", "local-time": "time", "local-date-time": "datetime-local",
      ]
      let type = value.isSecret ? "password" : text.format.flatMap { types[$0] } ?? "text"
      input(type, attributes, initial)
    case .number(let number):
      if let minimum = number.minimum { attributes += Self.attribute("min", minimum.description) }
      if let maximum = number.maximum { attributes += Self.attribute("max", maximum.description) }
      attributes += Self.attribute("step", number.multipleOf?.description ?? (number.isInteger ? "1" : "any"))
      input("number", attributes, initial)
    case .bool, .null, .list, .object, .union, .any: input("text", attributes, initial)
    }
  }

  /// The options of a choice. Options of one group that follow each other are in one `optgroup`.
  private mutating func options(_ choices: [JSON], of value: ExportValue, _ initial: String?) {
    func group(_ choice: JSON) -> String? { value.choices[choice.stringValue ?? choice.description]?.group }
    var rest = choices[...]
    while let first = rest.first {
      let together = rest.prefix { group($0) == group(first) }
      rest = rest.dropFirst(together.count)
      guard let label = group(first) else {
        for choice in together { option(choice, value, initial) }
        continue
      }
      inside("<optgroup\(Self.attribute("label", label))>", "</optgroup>") { writer in
        for choice in together { writer.option(choice, value, initial) }
      }
    }
  }

  private mutating func option(_ choice: JSON, _ value: ExportValue, _ initial: String?) {
    let text = choice.stringValue ?? choice.description
    let shown = value.choices[text]
    // A browser sends no disabled option, and the initial value may be a disabled choice.
    let state = text == initial ? " selected" : shown?.isDisabled == true ? " disabled" : ""
    line("<option\(Self.attribute("value", text))\(state)>\(Self.escaped(shown?.label ?? text))</option>")
  }

  private mutating func input(_ type: String, _ attributes: String, _ initial: String?) {
    line("<input\(Self.attribute("type", type))\(attributes)\(initial.map { Self.attribute("value", $0) } ?? "")>")
  }

  /// The attribute `pattern` must match the whole text, and a schema's `pattern` a part of it.
  private static func whole(_ pattern: String) -> String {
    if pattern.hasPrefix("^"), pattern.hasSuffix("$"), !pattern.hasSuffix("\\$"), !pattern.contains("|") {
      return String(pattern.dropFirst().dropLast())
    }
    return "[\\s\\S]*(?:\(pattern))[\\s\\S]*"
  }
}
