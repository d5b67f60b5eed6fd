internal import JSON
internal import Texts

/// Reads one survey.
struct SurveyReader {
  /// The form.
  var draft: FormDraft
  /// The losses.
  var collector: LossCollector
  /// The names for formulas.
  var scope = SurveyScope()
  /// The expressions that wait until all questions are known.
  var pending: [PendingFormula] = []
  /// The survey as a text.
  var surveyText = ""
  /// Whether a text has several languages.
  var hasLocales = false
  /// The ids of rules so far.
  var ruleIDs: Set<String> = []

  init(_ collector: LossCollector, name: String) {
    self.collector = collector
    draft = FormDraft(name: name)
  }

  // MARK: The survey

  mutating func form(of object: JSONObject) -> ImportedForm {
    surveyText = JSON.object(object).description
    var survey = SurveyElement(object, at: .root)
    draft.title = text("title", of: &survey)
    _ = survey.take("$schema")
    if let description = text("description", of: &survey) {
      note(
        .section,
        at: survey.pointer.appending("description"),
        "a form has no text for people below its title",
        remedy:
          "show \(description.stringValue.map { CELText.quoted(String($0.prefix(40))) } ?? "the text") beside the form"
      )
    }
    let locale = string("locale", of: &survey)
    draft.whenHidden = whenHidden("clearInvisibleValues", of: &survey)
    for key in ["defaultLocale", "fitToContainer"] { _ = survey.take(key) }

    var schema = SurveyObjectSchema()
    let pages = self.pages(of: &survey)
    let mode = string("questionsOnPageMode", of: &survey)
    var stepIDs: [String] = []
    let hasSteps = pages.count > 1 && mode != "singlePage"
    var ids: Set<String> = ["form", "none"]
    for (number, (page, pointer)) in pages.enumerated() {
      var page = SurveyElement(page, at: pointer)
      let written = string("name", of: &page) ?? "page\(number + 1)"
      let id = ids.contains(written) || written.isEmpty ? "page-\(number + 1)" : written
      ids.insert(id)
      var inherited = Inherited()
      inherit(&inherited, from: &page, withVisibility: !hasSteps)
      let before = schema.names
      elements(of: &page, into: &schema, at: [], inherited)
      scope.containers[written] = hasSteps ? .step(id) : .fields(Array(schema.names.dropFirst(before.count)))
      let title = text("title", of: &page)
      if let description = text("description", of: &page), !description.isNull {
        note(
          .section,
          at: pointer.appending("description"),
          "a step has no text below its label",
          remedy: "write the text in the help of the step's first field"
        )
      }
      if hasSteps {
        var step: JSONObject = ["id": .string(id)]
        step["label"] = title
        step["fields"] = .array(
          schema.names.dropFirst(before.count).map { .string(JSONPointer(tokens: [$0]).shortAddress) }
        )
        let position = draft.steps.count
        let sources = visibility(of: &page)
        if sources.isHidden { step["visible"] = false }
        draft.steps.append(.object(step))
        if !sources.isHidden, !sources.conditions.isEmpty {
          pending.append(PendingFormula(.step(position, "visible"), sources.conditions))
        }
        stepIDs.append(id)
      } else if title != nil {
        note(
          .section,
          at: pointer.appending("title"),
          "a form of one page has no place for the page's title",
          remedy: "use the title of the form, or add a step"
        )
      }
      reportUnread(of: page)
    }
    actions(of: &survey, steps: stepIDs)
    calculatedValues(of: &survey, into: &schema)
    triggers(of: &survey)
    reportUnread(of: survey)

    draft.schema = schema.schema
    for (name, shape) in schema.shapes {
      scope.values[name] = SurveyCell(reference: CELText.member(name, of: "values"), shape: shape)
    }
    writeFormulas()
    if hasLocales {
      draft.locale = "en"
      if let locale, locale != "en" {
        note(
          .language,
          at: JSONPointer(tokens: ["locale"]),
          "the texts under default are taken for English, and en is the form's language",
          remedy: "write the language of these texts in place of en, at locale and in the texts"
        )
      }
    } else if let locale {
      draft.locale = locale
    }
    return accepted()
  }

  /// The pages; a survey without pages is one page.
  private mutating func pages(of survey: inout SurveyElement) -> [(JSONObject, JSONPointer)] {
    var pages: [(JSONObject, JSONPointer)] = []
    let list = survey.take("pages")
    if let list = list?.arrayValue {
      for (index, page) in list.enumerated() {
        let pointer = JSONPointer(tokens: ["pages", String(index)])
        guard let page = page.objectValue else {
          wrongType(pointer, "a page is an object")
          continue
        }
        pages.append((page, pointer))
      }
    } else if list != nil {
      wrongType(JSONPointer(tokens: ["pages"]), "the pages are a list")
    }
    // Only the lists are read as a page; the reader takes the survey's other keys.
    var lists = JSONObject()
    for key in ["elements", "questions"] {
      if let list = survey.take(key) { lists[key] = list }
    }
    if !lists.isEmpty { pages.append((lists, .root)) }
    return pages
  }

  private mutating func actions(of survey: inout SurveyElement, steps: [String]) {
    let next = text("pageNextText", of: &survey) ?? "Next"
    let complete = text("completeText", of: &survey) ?? "Complete"
    for id in steps.dropLast() {
      draft.actions["next-\(id)"] = ["label": next, "scope": .string(id)]
    }
    draft.actions["complete"] = ["label": complete]
  }

  private mutating func calculatedValues(of survey: inout SurveyElement, into schema: inout SurveyObjectSchema) {
    for (object, pointer) in objects("calculatedValues", of: &survey) {
      var value = SurveyElement(object, at: pointer)
      let name = string("name", of: &value)
      let expression = string("expression", of: &value)
      let isIncluded = bool("includeIntoResult", of: &value) ?? false
      reportUnread(of: value)
      guard let name, let expression, !name.isEmpty else {
        wrongType(pointer, "a calculated value has a name and an expression")
        continue
      }
      guard !schema.has(name), draft.outputs[name] == nil else {
        duplicate(name, at: pointer)
        continue
      }
      scope.values[name] = SurveyCell(
        reference: CELText.member(name, of: isIncluded ? "values" : "outputs"),
        shape: .any(choices: [])
      )
      let source = SurveySource(expression, pointer.appending("expression"))
      if isIncluded {
        schema.add(name, [:], .any(choices: []), isRequired: false)
        pending.append(PendingFormula(.field(JSONPointer(tokens: [name]), "computed"), [source]))
      } else {
        pending.append(PendingFormula(.output(name), [source]))
      }
    }
  }

  private mutating func triggers(of survey: inout SurveyElement) {
    for (object, pointer) in objects("triggers", of: &survey) {
      var trigger = SurveyElement(object, at: pointer)
      let type = string("type", of: &trigger) ?? ""
      let name = type.hasSuffix("trigger") ? String(type.dropLast("trigger".count)) : type
      let expression = string("expression", of: &trigger)
      let target = string("setToName", of: &trigger)
      let value: SurveyValueSource?
      switch name {
      case "setvalue": value = trigger.take("setValue").map { .constant($0) }
      case "copyvalue": value = string("fromName", of: &trigger).map { .expression("{\($0)}") }
      case "runexpression": value = string("runExpression", of: &trigger).map { .expression($0) }
      default: value = nil
      }
      guard let expression, let target, !target.isEmpty, let value else {
        note(
          .trigger,
          at: pointer,
          "formd has no trigger \(name.isEmpty ? "without a type" : name) like this one",
          remedy: name == "skip" || name == "complete"
            ? "write \"visible\" at the steps that are left out"
            : "write the effect as a formula of the field that changes"
        )
        continue
      }
      note(
        .suggestedValue,
        at: pointer,
        "the trigger sets \(target) once; in the form, the value is suggested while the condition holds, and an edit replaces it",
        remedy: "write \"computed\" in place of \"suggested\" if nobody may change the value"
      )
      if bool("isVariable", of: &trigger) == true {
        pending.append(
          PendingFormula(.output(target), [SurveySource(expression, pointer.appending("expression"))], value: value)
        )
      } else {
        pending.append(
          PendingFormula(
            .field(JSONPointer(tokens: [target]), "suggested"),
            [SurveySource(expression, pointer.appending("expression"))],
            value: value
          )
        )
      }
      reportUnread(of: trigger)
    }
  }

  // MARK: Losses

  mutating func note(_ code: LossCode, at pointer: JSONPointer, _ message: String, remedy: String) {
    collector.note(code, at: pointer, message, remedy: remedy)
  }

  mutating func wrongType(_ pointer: JSONPointer, _ message: String) {
    note(.wrongType, at: pointer, "\(message), so this value is left out", remedy: "correct the value")
  }

  mutating func duplicate(_ name: String, at pointer: JSONPointer) {
    note(
      .duplicateName,
      at: pointer,
      "another question has the value \(name) already, so this one is left out",
      remedy: "give each question a name of its own"
    )
  }

  /// The word for the values of hidden fields; nil for the default. SurveyJS and formd do not send these values by
  /// default. A survey that sends them has an effect that formd does not have, so nothing reads its key.
  mutating func whenHidden(_ key: String, of element: inout SurveyElement) -> JSON? {
    switch element.object[key]?.stringValue {
    case "onHidden", "onHiddenContainer":
      _ = element.take(key)
      return "clear"
    case "onComplete", "default":
      _ = element.take(key)
      return nil
    default: return nil
    }
  }

  /// Notes every key that nothing has read.
  mutating func reportUnread(of element: SurveyElement) {
    for key in element.unread {
      let pointer = element.pointer.appending(key)
      if SurveyKeys.isPresentation(key) {
        note(
          .presentation,
          at: pointer,
          "a form does not say how clients draw it, so \(key) is left out",
          remedy: "let the client decide, or write \"widget\" at the field"
        )
      } else if SurveyKeys.behavior.contains(key) {
        note(
          .behavior,
          at: pointer,
          "formd has nothing like \(key)",
          remedy: "write it in the program that opens the form, or as a rule"
        )
      } else {
        note(
          .unknownKey,
          at: pointer,
          "the importer does not know the key \(key)",
          remedy: "correct the key, or add its effect to the form by hand"
        )
      }
    }
  }

  // MARK: Reading keys

  mutating func string(_ key: String, of element: inout SurveyElement) -> String? {
    guard let value = element.take(key) else { return nil }
    if let text = value.stringValue { return text }
    if !value.isNull { wrongType(element.pointer.appending(key), "\(key) is a text") }
    return nil
  }

  mutating func bool(_ key: String, of element: inout SurveyElement) -> Bool? {
    guard let value = element.take(key) else { return nil }
    if let value = value.boolValue { return value }
    if !value.isNull { wrongType(element.pointer.appending(key), "\(key) is true or false") }
    return nil
  }

  mutating func number(_ key: String, of element: inout SurveyElement) -> Double? {
    guard let value = element.take(key) else { return nil }
    if let number = value.doubleValue, number.isFinite { return number }
    if let number = value.stringValue.flatMap({ Double($0) }), number.isFinite { return number }
    if !value.isNull { wrongType(element.pointer.appending(key), "\(key) is a number") }
    return nil
  }

  /// A count: a whole number from 0; SurveyJS writes -1 for none.
  mutating func count(_ key: String, of element: inout SurveyElement) -> Int? {
    guard let number = number(key, of: &element), number >= 0 else { return nil }
    return Int(exactly: number.rounded())
  }

  mutating func objects(_ key: String, of element: inout SurveyElement) -> [(JSONObject, JSONPointer)] {
    let pointer = element.pointer.appending(key)
    guard let value = element.take(key) else { return [] }
    guard let list = value.arrayValue else {
      if !value.isNull { wrongType(pointer, "\(key) is a list") }
      return []
    }
    var objects: [(JSONObject, JSONPointer)] = []
    for (index, object) in list.enumerated() {
      if let object = object.objectValue {
        objects.append((object, pointer.appending(index)))
      } else {
        wrongType(pointer.appending(index), "an element of \(key) is an object")
      }
    }
    return objects
  }

  /// A text for people: one text, or texts by language.
  mutating func text(_ key: String, of element: inout SurveyElement) -> JSON? {
    guard let value = element.take(key) else { return nil }
    return text(value, at: element.pointer.appending(key))
  }

  mutating func text(_ value: JSON, at pointer: JSONPointer) -> JSON? {
    switch value {
    case .string(let text):
      guard !text.isEmpty else { return nil }
      notePiping(text, at: pointer)
      return value
    case .object(let texts):
      var result = JSONObject()
      for member in texts {
        guard let text = member.value.stringValue else {
          wrongType(pointer.appending(member.name), "a text in a language is a text")
          continue
        }
        notePiping(text, at: pointer.appending(member.name))
        result[member.name == "default" ? "en" : member.name] = member.value
      }
      guard !result.isEmpty else { return nil }
      hasLocales = true
      return .object(result)
    case .null: return nil
    case .integer, .real, .decimal: return .string(value.description)
    case .bool, .array:
      wrongType(pointer, "a text is a text, or an object from language to text")
      return nil
    }
  }

  private mutating func notePiping(_ text: String, at pointer: JSONPointer) {
    guard let open = text.firstIndex(of: "{"), text[open...].contains("}") else { return }
    note(
      .textWithValue,
      at: pointer,
      "a text cannot contain an answer, so clients show the braces as they are",
      remedy: "write the text without the answer, or as an output with a formula"
    )
  }
}

extension JSONPointer {
  /// The address of a field as a form's author writes it.
  var shortAddress: String { FormDraft.address(of: self) }
}
