internal import JSON

extension SurveyReader {
  /// A question while it is read.
  struct Question {
    var element: SurveyElement
    let type: String
    let name: String
    let field: JSONPointer
    /// The names that lead to the object around it.
    let path: [String]
    let inherited: Inherited
    /// The texts of errors, by code.
    var messages = JSONObject()
    /// The choices of the matrix: a column without choices has them.
    var fallback: [SurveyChoiceItem] = []
    /// Whether the value may be a text of the user's own.
    var admitsOther = false
  }

  /// Reads a question into the schema of the object around it.
  mutating func question(
    _ element: inout SurveyElement,
    type: String,
    into schema: inout SurveyObjectSchema,
    at path: [String],
    _ inherited: Inherited,
    fallback: [SurveyChoiceItem] = []
  ) {
    let written = string("name", of: &element)
    let name = string("valueName", of: &element) ?? written ?? ""
    guard !name.isEmpty else {
      wrongType(element.pointer, "a question has a name")
      return
    }
    guard !schema.has(name) else {
      duplicate(name, at: element.pointer)
      return
    }
    let field = JSONPointer(tokens: path + [name])
    var question = Question(
      element: element,
      type: type,
      name: name,
      field: field,
      path: path,
      inherited: inherited,
      fallback: fallback
    )
    let label = text("title", of: &question.element) ?? .string(written ?? name)
    draft.set("label", of: field, to: label)
    if let help = text("description", of: &question.element) { draft.set("help", of: field, to: help) }
    for key in ["placeholder", "placeHolder"] {
      if let text = text(key, of: &question.element) { draft.set("placeholder", of: field, to: text) }
    }
    let effective = conditions(of: &question.element, field: field, in: path, inherited)
    givenValues(of: &question.element, field: field, in: path)
    if let text = text("requiredErrorText", of: &question.element) { question.messages["required"] = text }
    let needsAnswer = bool("isRequired", of: &question.element) == true && !effective.isReadOnly
    // SurveyJS asks for no answer while nobody can give one.
    let isRequired = needsAnswer && effective.enableIf.isEmpty

    var (members, shape) = body(&question)
    if let value = question.element.take("defaultValue"), !value.isNull {
      if members["writeOnly"] == true {
        note(
          .secretDefault,
          at: question.element.pointer.appending("defaultValue"),
          "a default of a secret would stand in the form for everybody to read; the form has none",
          remedy: "let the service choose the default"
        )
      } else if let value = defaultValue(
        value,
        for: members,
        shape,
        at: question.element.pointer.appending("defaultValue")
      ) {
        members["default"] = value
      }
    }
    validators(&question, &members)
    let isList = members["type"]?.stringValue == "array"
    if needsAnswer, !isRequired {
      if isList {
        note(
          .behavior,
          at: question.element.pointer.appending("isRequired"),
          "a list is required always or never, so the form does not require this one, which is disabled at times",
          remedy: "write a rule that has the condition in \"when\""
        )
      } else {
        pending.append(PendingFormula(.field(field, "required"), effective.enableIf, in: path))
      }
    }
    // SurveyJS asks for the required cells of a question even if none of its cells has an answer.
    let hasRequiredCells = members["type"]?.stringValue == "object" && members["required"] != nil
    schema.add(name, members, shape, isRequired: isRequired && !isList || hasRequiredCells)
    if isRequired, isList {
      // `required` never fails for a list, because an absent list is read as an empty one.
      members["minItems"] = .integer(max(1, members["minItems"]?.integerValue ?? 0))
      schema.replace(name, members, isRequired: true)
      if let text = question.messages["required"] {
        question.messages["required"] = nil
        if question.messages["minItems"] == nil { question.messages["minItems"] = text }
      }
    }
    comment(&question, isOther: question.hasOther && !question.admitsOther, into: &schema)
    if !question.messages.isEmpty { draft.set("messages", of: field, to: .object(question.messages)) }
    element = question.element
  }

  /// A default that the question's type admits: SurveyJS also takes numbers and Booleans as texts.
  private mutating func defaultValue(
    _ value: JSON,
    for members: JSONObject,
    _ shape: SurveyShape,
    at pointer: JSONPointer
  ) -> JSON? {
    let isFitting: Bool
    switch (shape, value) {
    case (.bool, .string(let text)):
      switch text {
      case "true": return true
      case "false": return false
      case "indeterminate": return nil
      default: isFitting = false
      }
    case (.number, .string(let text)), (.integer, .string(let text)):
      guard let number = Double(text), number.isFinite else {
        isFitting = false
        break
      }
      return Int64(exactly: number).map { .integer($0) } ?? .real(number)
    case (.text, .integer), (.text, .real): return .string(value.description)
    case (.bool, .bool), (.number, .integer), (.number, .real), (.integer, .integer), (.text, .string), (.any, _),
      (.object, .object), (.list, .array):
      isFitting = true
    case (.list, .string), (.list, .integer): return .array([value])
    default: isFitting = false
    }
    if !isFitting { wrongType(pointer, "the default is a value that the question can have") }
    return isFitting ? value : nil
  }

  private mutating func body(_ question: inout Question) -> (JSONObject, SurveyShape) {
    switch question.type {
    case "text": return textInput(&question)
    case "comment":
      draft.set("widget", of: question.field, to: "textarea")
      return plainText(&question)
    case "boolean": return boolean(&question)
    case "radiogroup", "dropdown", "buttongroup": return oneChoice(&question)
    case "imagepicker":
      return bool("multiSelect", of: &question.element) == true ? manyChoices(&question) : oneChoice(&question)
    case "checkbox", "tagbox", "ranking": return manyChoices(&question)
    case "rating": return rating(&question)
    case "slider": return slider(&question)
    case "expression":
      if let formula = source("expression", of: &question.element) {
        pending.append(PendingFormula(.field(question.field, "computed"), [formula], in: question.path))
      }
      return ([:], .any(choices: []))
    case "multipletext": return multipleText(&question)
    case "matrix": return matrix(&question)
    case "matrixdropdown": return matrixOfColumns(&question)
    case "matrixdynamic", "paneldynamic": return rows(&question)
    case "signaturepad":
      note(
        .element,
        at: question.element.pointer,
        "formd does not draw signatures; the field takes the image as a text",
        remedy: "draw the widget \"signature\" in the client"
      )
      draft.set("widget", of: question.field, to: "signature")
      return (["type": "string"], .text(choices: nil, isDate: true))
    case "file":
      note(
        .element,
        at: question.element.pointer,
        "formd keeps no files; the field is a list of names, types and contents",
        remedy: "upload the files elsewhere, and keep their addresses in the form"
      )
      let file: JSON = [
        "type": "object",
        "properties": ["name": ["type": "string"], "type": ["type": "string"], "content": ["type": "string"]],
      ]
      return (["type": "array", "items": file], .list(.object([:])))
    default:
      note(
        .element,
        at: question.element.pointer,
        "the importer does not know questions of the type \(question.type); the field takes any value",
        remedy: "write the schema of the field by hand"
      )
      return ([:], .any(choices: []))
    }
  }

  // MARK: Texts and numbers

  private mutating func plainText(_ question: inout Question) -> (JSONObject, SurveyShape) {
    var members: JSONObject = ["type": "string"]
    if let length = count("maxLength", of: &question.element), length > 0 {
      members["maxLength"] = .integer(Int64(length))
    }
    if let length = count("minLength", of: &question.element), length > 0 {
      members["minLength"] = .integer(Int64(length))
    }
    return (members, .text(choices: nil, isDate: false))
  }

  private mutating func textInput(_ question: inout Question) -> (JSONObject, SurveyShape) {
    let input = string("inputType", of: &question.element) ?? "text"
    let pointer = question.element.pointer.appending("inputType")
    var (members, shape) = plainText(&question)
    switch input {
    case "text", "tel", "search": break
    case "password":
      members["writeOnly"] = true
      draft.set("widget", of: question.field, to: "password")
    case "number", "range":
      members["type"] = "number"
      for key in ["maxLength", "minLength"] { members[key] = nil }
      shape = .number
      draft.set("coerce", of: question.field, to: true)
      if input == "range" { draft.set("widget", of: question.field, to: "range") }
    case "email":
      members["format"] = "email"
      assumeFormat(pointer, "email")
    case "url":
      members["format"] = "uri"
      assumeFormat(pointer, "uri")
    case "date":
      members["format"] = "date"
      shape = .text(choices: nil, isDate: true)
    case "datetime-local", "datetime", "time", "month", "week", "color":
      members["pattern"] = InputPattern.of(input).map { .string($0) }
      draft.set("widget", of: question.field, to: .string(input))
      shape = .text(choices: nil, isDate: true)
    default: wrongType(pointer, "the importer does not know the type \(input)")
    }
    bounds(&question, &members, shape)
    return (members, shape)
  }

  private mutating func assumeFormat(_ pointer: JSONPointer, _ format: String) {
    note(
      .inputFormat,
      at: pointer,
      "a browser alone would judge this; in the form, the format \(format) is checked",
      remedy: "remove \"format\" from the schema if other texts are valid"
    )
  }

  /// `min`, `max`, and their formulas.
  private mutating func bounds(_ question: inout Question, _ members: inout JSONObject, _ shape: SurveyShape) {
    for (key, keyword, operation, messageKey) in [
      ("min", "minimum", ">=", "minErrorText"), ("max", "maximum", "<=", "maxErrorText"),
    ] {
      let message = text(messageKey, of: &question.element)
      if let value = question.element.take(key), !value.isNull, value != "" {
        let pointer = question.element.pointer.appending(key)
        if let formula = value.stringValue, formula.hasPrefix("=") {
          rule(&question, "{$value} \(operation) (\(formula.dropFirst()))", pointer, name: key, message: message)
        } else if case .number = shape, let number = value.doubleValue ?? value.stringValue.flatMap({ Double($0) }) {
          members[keyword] = Int64(exactly: number).map { .integer($0) } ?? .real(number)
          if let message { question.messages[keyword] = message }
        } else if case .text(_, true) = shape, let text = value.stringValue, InputPattern.isMoment(text) {
          rule(
            &question,
            "{$value} \(operation) '\(text.replacing("'", with: "\\'"))'",
            pointer,
            name: key,
            message: message
          )
        } else {
          wrongType(pointer, "a bound of this question is a number or a date")
        }
      }
      let formulaKey = key + "ValueExpression"
      if let formula = source(formulaKey, of: &question.element) {
        rule(&question, "{$value} \(operation) (\(formula.text))", formula.pointer, name: key, message: message)
      }
    }
  }

  /// A rule for the question's value, which the expression names `{$value}`.
  private mutating func rule(
    _ question: inout Question,
    _ expression: String,
    _ pointer: JSONPointer,
    name: String,
    message: JSON?
  ) {
    let id = ruleID("\(question.name).\(name)")
    pending.append(
      PendingFormula(
        .rule(question.field, id: id, message: message),
        [SurveySource(expression, pointer)],
        in: question.path
      )
    )
  }

  private mutating func boolean(_ question: inout Question) -> (JSONObject, SurveyShape) {
    let yes = question.element.take("valueTrue")
    let no = question.element.take("valueFalse")
    let labelTrue = text("labelTrue", of: &question.element)
    let labelFalse = text("labelFalse", of: &question.element)
    for key in ["renderAs", "swapOrder"] where question.element.object[key] == nil { _ = question.element.take(key) }
    guard yes != nil || no != nil, yes != true || no != false else {
      var labels = JSONObject()
      labels["true"] = labelTrue
      labels["false"] = labelFalse
      guard !labels.isEmpty else { return (["type": "boolean"], .bool) }
      draft.set("options", of: question.field, to: .object(labels))
      return (["type": "boolean", "enum": [true, false]], .bool)
    }
    let items = [
      SurveyChoiceItem(value: yes ?? true, label: labelTrue), SurveyChoiceItem(value: no ?? false, label: labelFalse),
    ]
    draft.set("widget", of: question.field, to: "switch")
    return choices(items, of: question.field)
  }

  private mutating func rating(_ question: inout Question) -> (JSONObject, SurveyShape) {
    draft.set("widget", of: question.field, to: "rating")
    let values = items("rateValues", of: &question.element)
    let low = number("rateMin", of: &question.element) ?? 1
    let count = number("rateCount", of: &question.element)
    let step = number("rateStep", of: &question.element) ?? 1
    let high = number("rateMax", of: &question.element) ?? (count.map { low + ($0 - 1) * step } ?? 5)
    for key in ["minRateDescription", "maxRateDescription"] where question.element.object[key] != nil {
      _ = text(key, of: &question.element)
      note(
        .presentation,
        at: question.element.pointer.appending(key),
        "the ends of a scale have no names in a form",
        remedy: "write the names in \"help\" at the field"
      )
    }
    if !values.isEmpty { return choices(values, of: question.field) }
    draft.set("coerce", of: question.field, to: true)
    guard step == 1, low == low.rounded(), high == high.rounded(), abs(low) < 1e9, abs(high) < 1e9 else {
      return (["type": "number", "minimum": .real(low), "maximum": .real(high)], .number)
    }
    return (["type": "integer", "minimum": .integer(Int64(low)), "maximum": .integer(Int64(high))], .integer)
  }

  private mutating func slider(_ question: inout Question) -> (JSONObject, SurveyShape) {
    draft.set("widget", of: question.field, to: "range")
    draft.set("coerce", of: question.field, to: true)
    var members: JSONObject = ["type": "number", "minimum": 0, "maximum": 100]
    bounds(&question, &members, .number)
    guard question.element.object["sliderType"] == "range" else { return (members, .number) }
    return (["type": "array", "items": .object(members), "minItems": 2, "maxItems": 2], .list(.number))
  }

  // MARK: Validators

  private mutating func validators(_ question: inout Question, _ members: inout JSONObject) {
    var patterns: [JSON] = []
    for (object, pointer) in objects("validators", of: &question.element) {
      var validator = SurveyElement(object, at: pointer)
      let written = string("type", of: &validator) ?? ""
      let type = written.hasSuffix("validator") ? String(written.dropLast("validator".count)) : written
      let message = text("text", of: &validator)
      let isText = members["type"]?.stringValue == "string"
      switch type {
      case "numeric":
        let low = number("minValue", of: &validator)
        let high = number("maxValue", of: &validator)
        for (bound, keyword, operation) in [(low, "minimum", ">="), (high, "maximum", "<=")] {
          guard let bound else { continue }
          if isText {
            rule(&question, "{$value} \(operation) \(CELText.plain(bound))", pointer, name: keyword, message: message)
          } else {
            members[keyword] = Int64(exactly: bound).map { .integer($0) } ?? .real(bound)
            if let message { question.messages[keyword] = message }
          }
        }
        if low == nil, high == nil, isText {
          patterns.append("^-?[0-9]+([.][0-9]+)?$")
          if let message { question.messages["pattern"] = message }
        }
      case "text":
        for (key, keyword) in [("minLength", "minLength"), ("maxLength", "maxLength")] {
          guard let length = count(key, of: &validator), length > 0 else { continue }
          members[keyword] = .integer(Int64(length))
          if let message { question.messages[keyword] = message }
        }
        if bool("allowDigits", of: &validator) == false {
          patterns.append("^[^0-9]*$")
          if let message { question.messages["pattern"] = message }
        }
      case "email":
        members["format"] = "email"
        if let message { question.messages["format"] = message }
      case "regex":
        guard let pattern = string("regex", of: &validator) else { break }
        let isFolded = bool("caseInsensitive", of: &validator) == true || bool("insensitive", of: &validator) == true
        if isFolded {
          note(
            .behavior,
            at: pointer,
            "a pattern of a schema distinguishes upper and lower case",
            remedy: "write both cases in the pattern: [aA]"
          )
        }
        patterns.append(.string(pattern))
        if let message { question.messages["pattern"] = message }
      case "answercount":
        for (key, keyword) in [("minCount", "minItems"), ("maxCount", "maxItems")] {
          guard let count = count(key, of: &validator), count > 0 else { continue }
          members[keyword] = .integer(Int64(count))
          if let message { question.messages[keyword] = message }
        }
      case "expression":
        if let expression = source("expression", of: &validator) {
          rule(&question, expression.text, expression.pointer, name: "expression", message: message)
        }
      default:
        note(
          .validator,
          at: pointer,
          "formd has no validator \(written)",
          remedy: "write a rule, or a check that asks a service"
        )
        continue
      }
      reportUnread(of: validator)
    }
    if let own = members["pattern"] { patterns.insert(own, at: 0) }
    if patterns.count == 1 { members["pattern"] = patterns[0] }
    if patterns.count > 1 {
      members["pattern"] = nil
      members["allOf"] = .array(patterns.map { ["pattern": $0] })
    }
  }

  // MARK: Comments

  /// The field for the text beside the choices: `NAME-Comment`, as SurveyJS calls it.
  private mutating func comment(_ question: inout Question, isOther: Bool, into schema: inout SurveyObjectSchema) {
    let hasComment = question.element.takeKey(["hasComment", "showCommentArea"])?.value.boolValue == true
    if question.admitsOther {
      for key in ["otherText", "otherPlaceholder", "otherPlaceHolder", "otherErrorText"] {
        guard question.element.object[key] != nil else { continue }
        _ = question.element.take(key)
        note(
          .presentation,
          at: question.element.pointer.appending(key),
          "clients have their own words for a text of the user's own",
          remedy: "write the words into the help of the field"
        )
      }
    }
    guard isOther || hasComment else { return }
    let name = "\(question.name)-Comment"
    guard !schema.has(name) else { return }
    let field = JSONPointer(tokens: question.path + [name])
    schema.add(name, ["type": "string"], .text(choices: nil, isDate: false), isRequired: false)
    let label = text("commentText", of: &question.element) ?? question.otherLabel ?? "Comment"
    draft.set("label", of: field, to: label)
    for key in ["otherPlaceholder", "otherPlaceHolder", "commentPlaceholder", "commentPlaceHolder"] {
      if let text = text(key, of: &question.element) { draft.set("placeholder", of: field, to: text) }
    }
    if let message = text("otherErrorText", of: &question.element) {
      draft.set("messages", of: field, to: ["required": message])
    }
    var condition = question.inherited.visibleIf
    if let own = question.element.object["visibleIf"]?.stringValue, !own.trimmedASCII.isEmpty {
      condition.append(SurveySource(own, question.element.pointer.appending("visibleIf")))
    }
    if isOther {
      let prefix = question.path.isEmpty ? "" : "row."
      let test = "{\(prefix)\(question.name)} anyof ['other']"
      let pointer = question.element.pointer
      pending.append(
        PendingFormula(.field(field, "visible"), condition + [SurveySource(test, pointer)], in: question.path)
      )
      draft.set("required", of: field, to: true)
    } else if !condition.isEmpty {
      pending.append(PendingFormula(.field(field, "visible"), condition, in: question.path))
    }
  }
}
