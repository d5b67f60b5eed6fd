internal import JSON

extension SurveyReader.Question {
  /// The label of the choice `other`.
  var otherLabel: JSON? { hasOther ? element.object["otherText"].flatMap { $0.stringValue == nil ? nil : $0 } : nil }
  /// Whether the question has a choice with a text of its own.
  var hasOther: Bool {
    ["hasOther", "showOtherItem"].contains { element.object[$0]?.boolValue == true }
      && ["radiogroup", "dropdown", "checkbox", "tagbox", "ranking", "buttongroup", "imagepicker"].contains(type)
  }
}

extension SurveyReader {
  /// The choices of a list of values, or of objects with `value` and `text`.
  ///
  /// - Parameter areOffered: whether they are the choices of a question, which can be disabled.
  mutating func items(
    _ key: String,
    of element: inout SurveyElement,
    areOffered: Bool = false
  ) -> [SurveyChoiceItem] {
    guard let value = element.take(key), !value.isNull else { return [] }
    let pointer = element.pointer.appending(key)
    guard let list = value.arrayValue else {
      wrongType(pointer, "\(key) is a list")
      return []
    }
    var items: [SurveyChoiceItem] = []
    var values: Set<JSON> = []
    for (index, entry) in list.enumerated() {
      let pointer = pointer.appending(index)
      var item: SurveyChoiceItem
      if let object = entry.objectValue {
        var choice = SurveyElement(object, at: pointer)
        item = SurveyChoiceItem(value: choice.take("value") ?? .null, label: text("text", of: &choice))
        item.visibleIf = source("visibleIf", of: &choice)
        item.enableIf = source("enableIf", of: &choice)
        if !areOffered, let condition = item.enableIf { noteEnableIf(condition) }
        reportUnread(of: choice)
      } else {
        item = SurveyChoiceItem(value: entry, label: nil)
        if let text = entry.stringValue, let bar = text.firstIndex(of: "|") {
          // `value|text`, as SurveyJS reads texts.
          item = SurveyChoiceItem(
            value: .string(String(text[..<bar])),
            label: .string(String(text[text.index(after: bar)...]))
          )
        }
      }
      switch item.value {
      case .string, .integer, .real, .bool: break
      case .null, .decimal, .array, .object:
        wrongType(pointer, "a choice is a text, a number or a Boolean")
        continue
      }
      guard values.insert(item.value).inserted else {
        wrongType(pointer, "each choice has a value of its own")
        continue
      }
      items.append(item)
    }
    return items
  }

  private mutating func noteEnableIf(_ condition: SurveySource) {
    note(
      .behavior,
      at: condition.pointer,
      "only the listed choices of a question can be disabled",
      remedy: "write visibleIf in place of enableIf in the survey"
    )
  }

  /// The schema of one of these choices; their labels become the field's options.
  mutating func choices(_ items: [SurveyChoiceItem], of field: JSONPointer) -> (JSONObject, SurveyShape) {
    guard !items.isEmpty else { return ([:], .any(choices: [])) }
    var labels = JSONObject()
    for item in items {
      if let label = item.label { labels[item.value.stringValue ?? item.value.description] = label }
    }
    if !labels.isEmpty { draft.set("options", of: field, to: .object(labels)) }
    return (["enum": .array(items.map(\.value))], Self.shape(of: items))
  }

  private static func shape(of items: [SurveyChoiceItem]) -> SurveyShape {
    let choices = items.compactMap { SurveyChoice($0.value) }
    let texts = choices.compactMap { if case .text(let text) = $0 { text } else { nil } }
    if texts.count == choices.count { return .text(choices: texts, isDate: false) }
    return .any(choices: choices)
  }

  /// All choices of a question, with the special ones.
  private mutating func allItems(_ question: inout Question) -> [SurveyChoiceItem] {
    var items = self.items("choices", of: &question.element, areOffered: true)
    if items.isEmpty { items = question.fallback }
    if let low = number("choicesMin", of: &question.element), let high = number("choicesMax", of: &question.element) {
      let step = number("choicesStep", of: &question.element) ?? 1
      if step > 0, high >= low, (high - low) / step <= 1_000 {
        for value in stride(from: low, through: high, by: step) {
          items.append(SurveyChoiceItem(value: Int64(exactly: value).map { .integer($0) } ?? .real(value)))
        }
      } else {
        wrongType(
          question.element.pointer.appending("choicesMax"),
          "the numbers from choicesMin to choicesMax are at most 1,000"
        )
      }
    }
    if let order = string("choicesOrder", of: &question.element), order != "none" {
      if order == "random" {
        note(
          .presentation,
          at: question.element.pointer.appending("choicesOrder"),
          "the choices of a form have one order",
          remedy: "let the client mix them"
        )
      } else {
        items = items.sorted { left, right in
          let (a, b) = (
            left.label?.stringValue ?? left.value.description, right.label?.stringValue ?? right.value.description
          )
          return order == "desc" ? b < a : a < b
        }
      }
    }
    for (flags, value, textKey, fallback) in [
      (["hasNone", "showNoneItem"], "none", "noneText", "None"),
      (["showRefuseItem"], "refused", "refuseText", "Refuse to answer"),
      (["showDontKnowItem"], "dontknow", "dontKnowText", "Don't know"),
      (["hasOther", "showOtherItem"], "other", "otherText", "Other"),
    ] {
      let label = text(textKey, of: &question.element)
      guard let flag = question.element.takeKey(flags), flag.value.boolValue == true else { continue }
      if value == "other", !namesOther(of: question), items.allSatisfy({ $0.value.stringValue != nil }) {
        question.admitsOther = true
        note(
          .otherChoice,
          at: question.element.pointer.appending(flag.key),
          "the user's own text is the value; the survey has the value \"other\", and the text in \(question.name)-Comment",
          remedy: "let the service read the text from the value"
        )
        continue
      }
      if !items.contains(where: { $0.value == .string(value) }) {
        items.append(SurveyChoiceItem(value: .string(value), label: label ?? .string(fallback)))
      }
      if value == "other" {
        note(
          .otherChoice,
          at: question.element.pointer.appending(flag.key),
          "the field \(question.name)-Comment has the user's own text, as in the survey",
          remedy: "show that field beside the choices"
        )
      }
    }
    return items
  }

  mutating func oneChoice(_ question: inout Question) -> (JSONObject, SurveyShape) {
    if ["radiogroup", "buttongroup"].contains(question.type) { draft.set("widget", of: question.field, to: "radio") }
    let items = allItems(&question)
    if let formula = computedChoices(&question, items, at: question.field) {
      pending.append(formula)
      return (["type": "string"], .text(choices: nil, isDate: true))
    }
    if question.admitsOther { return ownText(items, question, at: question.field) }
    if items.allSatisfy({ $0.visibleIf == nil && $0.enableIf == nil }) { return choices(items, of: question.field) }
    return (["enum": .array(items.map(\.value))], Self.shape(of: items))
  }

  mutating func manyChoices(_ question: inout Question) -> (JSONObject, SurveyShape) {
    if question.type != "checkbox" { draft.set("widget", of: question.field, to: .string(question.type)) }
    var members: JSONObject = ["type": "array", "uniqueItems": true]
    for (key, keyword) in [("minSelectedChoices", "minItems"), ("maxSelectedChoices", "maxItems")] {
      if let count = count(key, of: &question.element), count > 0 { members[keyword] = .integer(Int64(count)) }
    }
    let items = allItems(&question)
    let element = JSONPointer(tokens: question.field.tokens + ["*"])
    if let formula = computedChoices(&question, items, at: element) {
      pending.append(formula)
      members["items"] = ["type": "string"]
      return (members, .list(.text(choices: nil, isDate: true)))
    }
    let (item, shape) =
      question.admitsOther ? ownText(items, question, at: element) : choices(items, of: element)
    members["items"] = .object(item)
    for exclusive in ["none", "refused", "dontknow"]
    where items.contains(where: { $0.value == .string(exclusive) }) && question.element.object["choices"] != nil {
      let id = ruleID("\(question.name).\(exclusive)")
      draft.rules.append([
        "id": .string(id), "field": .string(question.field.shortAddress),
        "check": .string("!('\(exclusive)' in self) || size(self) == 1"),
      ])
    }
    return (members, .list(shape))
  }

  /// Whether an expression of the survey may name the choice `other` of a question, or the text beside it.
  private func namesOther(of question: Question) -> Bool {
    ["'other'", "\\\"other\\\"", "\(question.name)-Comment"].contains { surveyText.contains($0) }
  }

  /// The schema of a choice that may be a text of the user's own; the choices become the field's options.
  private mutating func ownText(
    _ items: [SurveyChoiceItem],
    _ question: Question,
    at field: JSONPointer
  ) -> (JSONObject, SurveyShape) {
    if !items.isEmpty {
      let options = items.map { item in
        var option: JSONObject = ["value": item.value]
        option["label"] = item.label
        return JSON.object(option)
      }
      draft.set("options", of: field, to: .array(options))
      draft.set("other", of: field, to: true)
    }
    return (["type": "string"], .text(choices: nil, isDate: false))
  }

  /// The choices of a service, of another question, or with a condition for all of them.
  private mutating func computedChoices(
    _ question: inout Question,
    _ items: [SurveyChoiceItem],
    at field: JSONPointer
  ) -> PendingFormula? {
    let enableIf = source("choicesEnableIf", of: &question.element)
    if let source = choicesByUrl(&question) {
      if let enableIf { noteEnableIf(enableIf) }
      if !items.isEmpty {
        note(
          .behavior,
          at: question.element.pointer.appending("choicesByUrl"),
          "the choices come from the service, or from the list, and not from both",
          remedy: "let the service return all choices"
        )
      }
      if question.admitsOther { draft.set("other", of: field, to: true) }
      return PendingFormula(.options(field, [], source: source), [], in: question.path)
    }
    if let other = string("choicesFromQuestion", of: &question.element), !other.isEmpty {
      if let enableIf { noteEnableIf(enableIf) }
      if question.admitsOther { draft.set("other", of: field, to: true) }
      let condition = self.source("choicesVisibleIf", of: &question.element)
      let pointer = condition?.pointer ?? question.element.pointer.appending("choicesFromQuestion")
      return PendingFormula(
        .options(field, items, source: nil),
        [SurveySource("{\(other)}", pointer)] + (condition.map { [$0] } ?? []),
        in: question.path
      )
    }
    let visibleIf = source("choicesVisibleIf", of: &question.element)
    var items = items
    for index in items.indices {
      if items[index].visibleIf == nil { items[index].visibleIf = visibleIf }
      if items[index].enableIf == nil { items[index].enableIf = enableIf }
    }
    if items.contains(where: { $0.visibleIf != nil || $0.enableIf != nil }) {
      pending.append(PendingFormula(.options(field, items, source: nil), [], in: question.path))
    }
    return nil
  }

  /// A lookup that asks the service of `choicesByUrl`.
  ///
  /// - Returns: the formula of its value.
  private mutating func choicesByUrl(_ question: inout Question) -> String? {
    guard let object = question.element.take("choicesByUrl") else { return nil }
    let pointer = question.element.pointer.appending("choicesByUrl")
    guard let object = object.objectValue else {
      wrongType(pointer, "choicesByUrl is an object")
      return nil
    }
    var source = SurveyElement(object, at: pointer)
    let address = string("url", of: &source) ?? ""
    let path = string("path", of: &source) ?? ""
    let valueName = string("valueName", of: &source) ?? ""
    let titleName = string("titleName", of: &source) ?? ""
    _ = source.take("allowEmptyResponse")
    reportUnread(of: source)
    guard !address.isEmpty else { return nil }
    guard let request = SurveyRequest(address) else {
      note(
        .service,
        at: pointer.appending("url"),
        "the address of the service is not an address of HTTP",
        remedy: "write a lookup, and \"options\" that read it"
      )
      return nil
    }
    var http: JSONObject = ["service": .string(request.service), "path": .string(request.path)]
    if !request.query.isEmpty {
      http["query"] = .object(JSONObject(request.query.map { ($0.name, .string($0.formula)) }))
    }
    var body = "response.body"
    for step in path.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == "." }) {
      body = CELText.member(String(step), of: body)
    }
    func member(_ name: String) -> String {
      name.split(separator: ".").reduce("item") { CELText.member(String($1), of: $0) }
    }
    let value = valueName.isEmpty ? "item" : member(valueName)
    let formula = "\(body).map(item, {'value': \(value), 'label': \(titleName.isEmpty ? value : member(titleName))})"
    let name = question.path.isEmpty ? question.name : question.field.tokens.filter { $0 != "*" }.joined(separator: "-")
    let isInRow = question.path.contains("*")
    let id = isInRow ? question.field.description : name
    draft.lookups[id] = ["run": ["http": .object(http)], "value": .string(formula), "cache": true]
    draft.set(JSONPointer(tokens: ["lookups", id]), from: pointer)
    note(
      .service,
      at: pointer.appending("url"),
      "the lookup asks the service \(request.service), which the daemon's configuration must name",
      remedy:
        "write in \"services\" of the configuration: \"\(request.service)\": {\"http\": {\"baseURL\": \"\(request.base)\"}}"
    )
    return "\(CELText.member(id, of: "lookups")).value"
  }
}

extension SurveyChoice {
  /// The choice of a value; nil for a value that is none.
  init?(_ value: JSON) {
    switch value {
    case .string(let text): self = .text(text)
    case .bool(let value): self = .bool(value)
    case .integer, .real, .decimal: self = .number(value.doubleValue ?? 0)
    case .null, .array, .object: return nil
    }
  }
}

/// The parts of an address of a service, with the names of questions in braces.
struct SurveyRequest {
  /// The name for the daemon's configuration.
  let service: String
  /// The address of the service.
  let base: String
  /// The path; a name in braces is the address of a field.
  let path: String
  /// The query, with formulas.
  let query: [(name: String, formula: String)]

  /// Nil if the text is not such an address.
  init?(_ address: String) {
    guard let scheme = ["https://", "http://"].first(where: { address.lowercased().hasPrefix($0) }) else { return nil }
    let rest = address.dropFirst(scheme.count)
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "{") && $0 != 0x22 })
    else {
      return nil
    }
    base = scheme + host
    service = String(host.map { $0.isLetter || $0.isNumber ? $0 : "-" })
    let tail = rest.dropFirst(host.count).prefix { $0 != "#" }
    let parts = tail.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts.first ?? "")
    self.path = path.isEmpty ? "/" : path
    var query: [(name: String, formula: String)] = []
    if parts.count > 1 {
      for pair in parts[1].split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = sides.count > 1 ? String(sides[1]) : ""
        query.append((String(sides[0]), Self.formula(of: value)))
      }
    }
    self.query = query
  }

  /// A text with names in braces, as a sum of texts.
  private static func formula(of text: String) -> String {
    var parts: [String] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(CELText.quoted(String(rest[..<open]))) }
      parts.append("string(\(CELText.member(String(rest[rest.index(after: open)..<close]), of: "values")))")
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty || parts.isEmpty { parts.append(CELText.quoted(String(rest))) }
    return parts.joined(separator: " + ")
  }
}
