internal import JSON

extension SurveyReader {
  /// The conditions that a page or a panel gives to everything in it.
  struct Inherited {
    /// Conditions that must hold for the questions to be visible.
    var visibleIf: [SurveySource] = []
    /// Whether the questions are never visible.
    var isHidden = false
    /// Conditions that must hold for the questions to be enabled.
    var enableIf: [SurveySource] = []
    /// Whether the user cannot change the questions.
    var isReadOnly = false
    /// How many panels are around.
    var depth = 0
  }

  /// How deep panels and rows may be nested; deeper ones are left out.
  private static let depthMax = 20

  mutating func visibility(of element: inout SurveyElement) -> (isHidden: Bool, conditions: [SurveySource]) {
    let isHidden = bool("visible", of: &element) == false
    return (isHidden, source("visibleIf", of: &element).map { [$0] } ?? [])
  }

  /// The text of an expression.
  mutating func source(_ key: String, of element: inout SurveyElement) -> SurveySource? {
    guard let text = string(key, of: &element), !text.trimmedASCII.isEmpty else { return nil }
    return SurveySource(text, element.pointer.appending(key))
  }

  mutating func inherit(_ inherited: inout Inherited, from element: inout SurveyElement, withVisibility: Bool) {
    if withVisibility {
      let (isHidden, conditions) = visibility(of: &element)
      inherited.visibleIf += conditions
      // A condition replaces `visible`.
      if isHidden, conditions.isEmpty { inherited.isHidden = true }
    }
    if let condition = source("enableIf", of: &element) { inherited.enableIf.append(condition) }
    if bool("readOnly", of: &element) == true { inherited.isReadOnly = true }
  }

  /// Reads the elements of a page or a panel.
  mutating func elements(
    of container: inout SurveyElement,
    key: String = "elements",
    into schema: inout SurveyObjectSchema,
    at path: [String],
    _ inherited: Inherited
  ) {
    var all = objects(key, of: &container)
    if key == "elements" { all += objects("questions", of: &container) }
    for (object, pointer) in all {
      var element = SurveyElement(object, at: pointer)
      let type = string("type", of: &element) ?? "text"
      switch type {
      case "panel", "flowpanel": panel(&element, into: &schema, at: path, inherited)
      case "html", "image":
        note(
          .element,
          at: pointer,
          "a form has no elements that only show something, such as \(type)",
          remedy: "write its text as the help of a field"
        )
        continue
      default:
        guard inherited.depth < Self.depthMax else {
          note(.element, at: pointer, "panels and rows are nested too deeply here", remedy: "nest them less deeply")
          continue
        }
        question(&element, type: type, into: &schema, at: path, inherited)
      }
      reportUnread(of: element)
    }
  }

  private mutating func panel(
    _ element: inout SurveyElement,
    into schema: inout SurveyObjectSchema,
    at path: [String],
    _ inherited: Inherited
  ) {
    var inherited = inherited
    inherited.depth += 1
    guard inherited.depth < Self.depthMax else {
      note(.element, at: element.pointer, "panels are nested too deeply here", remedy: "nest them less deeply")
      return
    }
    inherit(&inherited, from: &element, withVisibility: true)
    let name = string("name", of: &element)
    for key in ["title", "description"] where element.object[key] != nil {
      guard text(key, of: &element) != nil else { continue }
      note(
        .section,
        at: element.pointer.appending(key),
        "a form has no sections, so the panel's \(key) is left out",
        remedy: "make a step of the panel, or write its text as the help of its first field"
      )
    }
    for key in ["isRequired", "requiredIf", "requiredErrorText"] where element.take(key) != nil {
      note(
        .behavior,
        at: element.pointer.appending(key),
        "a panel is required if one of its questions needs an answer",
        remedy: "write a rule with \"atLeastOne\" and the fields of the panel"
      )
    }
    let before = schema.names.count
    elements(of: &element, into: &schema, at: path, inherited)
    if let name, path.isEmpty { scope.containers[name] = .fields(Array(schema.names[before...])) }
  }

  // MARK: Formulas of a field

  /// Notes the conditions that hold for a field.
  ///
  /// - Returns: these conditions, with those of the elements around it.
  mutating func conditions(
    of element: inout SurveyElement,
    field: JSONPointer,
    in path: [String],
    _ inherited: Inherited
  ) -> Inherited {
    var inherited = inherited
    inherit(&inherited, from: &element, withVisibility: true)
    if inherited.isHidden {
      draft.set("visible", of: field, to: false)
    } else if !inherited.visibleIf.isEmpty {
      pending.append(PendingFormula(.field(field, "visible"), inherited.visibleIf, in: path))
    }
    if inherited.isReadOnly {
      draft.set("enabled", of: field, to: false)
    } else if !inherited.enableIf.isEmpty {
      pending.append(PendingFormula(.field(field, "enabled"), inherited.enableIf, in: path))
    }
    if let word = whenHidden("clearIfInvisible", of: &element) { draft.set("whenHidden", of: field, to: word) }
    // SurveyJS asks for no answer while nobody can give one.
    if let condition = source("requiredIf", of: &element), !inherited.isReadOnly {
      pending.append(PendingFormula(.field(field, "required"), [condition] + inherited.enableIf, in: path))
    }
    return inherited
  }

  /// Notes the formulas that give a field its value.
  mutating func givenValues(of element: inout SurveyElement, field: JSONPointer, in path: [String]) {
    if let formula = source("defaultValueExpression", of: &element) {
      pending.append(PendingFormula(.field(field, "suggested"), [formula], in: path))
    }
    let condition = source("setValueIf", of: &element)
    let value = source("setValueExpression", of: &element)
    if let value {
      note(
        .suggestedValue,
        at: value.pointer,
        "SurveyJS sets the value each time; in the form, the value is suggested, and an edit replaces it",
        remedy: "write \"computed\" in place of \"suggested\" if nobody may change the value"
      )
      if let condition {
        pending.append(
          PendingFormula(.field(field, "suggested"), [condition], in: path, value: .expression(value.text))
        )
      } else {
        pending.append(PendingFormula(.field(field, "suggested"), [value], in: path))
      }
    } else if let condition {
      note(
        .expression,
        at: condition.pointer,
        "setValueIf without setValueExpression sets nothing",
        remedy: "write setValueExpression in the survey, or a formula in \"suggested\""
      )
    }
    if let condition = source("resetValueIf", of: &element) {
      pending.append(PendingFormula(.field(field, "resetWhen"), [condition], in: path))
      note(
        .resetValue,
        at: condition.pointer,
        "SurveyJS empties the question when the condition becomes true; the form also resets it when it becomes false",
        remedy: "use \"visible\" in place of \"resetWhen\" if nobody must see the field while the condition holds"
      )
    }
  }

  /// An id for a rule that no other rule has.
  mutating func ruleID(_ stem: String) -> String {
    var id = stem
    var number = 2
    while !ruleIDs.insert(id).inserted {
      id = "\(stem).\(number)"
      number += 1
    }
    return id
  }
}
