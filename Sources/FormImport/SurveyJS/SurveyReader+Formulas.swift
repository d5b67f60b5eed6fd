internal import JSON

extension SurveyReader {
  /// Writes the formulas that wait. Formulas that give values come first, because their types are then known to the
  /// others.
  mutating func writeFormulas() {
    for formula in pending where formula.givesType { write(formula) }
    for formula in pending where !formula.givesType { write(formula) }
  }

  private mutating func write(_ pending: PendingFormula) {
    let place = pending.sources.first?.pointer
    switch pending.target {
    case .field(let field, let key):
      let address = field.shortAddress
      guard key != "suggested" || exists(field),
        draft.fields[address]?[key] == nil || !["suggested", "computed"].contains(key)
      else {
        note(
          .trigger,
          at: place ?? .root,
          "\(address) cannot have this value, because another formula gives it or it is no question",
          remedy: "write one formula with all conditions"
        )
        return
      }
      guard key == "computed" || key == "suggested" else {
        guard let formula = conditions(pending) else { return }
        draft.set(key, of: field, to: .string(formula.text), from: place)
        return
      }
      if key == "suggested", draft.fields[address]?["computed"] != nil { return }
      guard let formula = value(pending) else { return }
      draft.set(key, of: field, to: .string(formula.text), from: place)
      if key == "computed" { setType(of: field, formula.kind) }
    case .step(let index, let key):
      guard let formula = conditions(pending) else { return }
      var step = draft.steps[index].objectValue ?? JSONObject()
      step[key] = .string(formula.text)
      draft.steps[index] = .object(step)
      if let place { draft.set(JSONPointer(tokens: ["steps", String(index)]), from: place) }
    case .output(let name):
      guard draft.outputs[name] == nil, let formula = value(pending) else { return }
      draft.outputs[name] = .string(formula.text)
      scope.values[name] = SurveyCell(
        reference: CELText.member(name, of: "outputs"),
        shape: Self.shape(of: formula.kind) ?? .any(choices: [])
      )
      if let place { draft.set(JSONPointer(tokens: ["outputs", name]), from: place) }
    case .rule(let field, let id, let message):
      guard let formula = conditions(pending, value: field) else { return }
      var rule: JSONObject = ["id": .string(id), "field": .string(field.shortAddress), "check": .string(formula.text)]
      rule["message"] = message
      if let place { draft.set(JSONPointer(tokens: ["rules", String(draft.rules.count)]), from: place) }
      draft.rules.append(.object(rule))
    case .options(let field, let items, let source):
      writeOptions(of: field, items, source, pending)
    }
  }

  // MARK: Expressions

  /// The formula of conditions that must all hold.
  private mutating func conditions(_ pending: PendingFormula, value: JSONPointer? = nil) -> SurveyFormula? {
    var parts: [SurveyFormula] = []
    for source in pending.sources {
      guard let formula = formula(of: source, in: pending.container, value: value, isCondition: true) else { continue }
      parts.append(formula)
    }
    guard let first = parts.first else { return nil }
    if parts.count == 1 { return first }
    return SurveyFormula(parts.map { $0.at(.and) }.joined(separator: " && "), .bool, .and)
  }

  /// The formula of a value, or of a value under a condition.
  private mutating func value(_ pending: PendingFormula) -> SurveyFormula? {
    guard let source = pending.sources.first else { return nil }
    guard let value = pending.value else {
      return formula(of: source, in: pending.container, isCondition: false)
    }
    let given: SurveyFormula?
    switch value {
    case .expression(let text):
      given = formula(of: SurveySource(text, source.pointer), in: pending.container, isCondition: false)
    case .constant(let constant):
      given = SurveyChoice(constant).map { SurveyFormulaWriter.formula(of: $0) }
      if given == nil { wrongType(source.pointer, "a trigger sets a text, a number or a Boolean") }
    }
    guard let given, let condition = formula(of: source, in: pending.container, isCondition: true) else { return nil }
    return SurveyFormula("\(condition.definite.at(.or)) ? \(given.at(.or)) : null", given.kind, .conditional)
  }

  private mutating func formula(
    of source: SurveySource,
    in container: [String],
    value: JSONPointer? = nil,
    isCondition: Bool
  ) -> SurveyFormula? {
    let expression: SurveyExpression
    do throws(SurveyExpressionReader.Failure) {
      expression = try SurveyExpressionReader.read(source.text)
    } catch {
      let reason =
        switch error {
        case .unexpected(let offset): "something is wrong at its character \(offset + 1)"
        case .tooLarge: "it is too long or too deep"
        }
      note(
        .unreadableExpression,
        at: source.pointer,
        "this is not an expression of SurveyJS: \(reason)",
        remedy: "correct the expression"
      )
      return nil
    }
    var scope = self.scope(in: container)
    if let value, let shape = shape(at: value.tokens) {
      scope.values["$value"] = SurveyCell(reference: "self", shape: shape)
    }
    var writer = SurveyFormulaWriter(scope)
    do throws(SurveyFormulaWriter.Failure) {
      let formula = isCondition ? try writer.condition(expression) : try writer.formula(expression)
      for assumption in writer.assumptions {
        note(
          .looseTypes,
          at: source.pointer,
          "the formula takes \(assumption)",
          remedy: "compare values of the type that the question has"
        )
      }
      return formula
    } catch {
      note(error.code, at: source.pointer, error.message, remedy: error.remedy)
      return nil
    }
  }

  // MARK: Names

  /// The names for a formula of an object.
  private func scope(in container: [String]) -> SurveyScope {
    var scope = scope
    var cell = SurveyCell(reference: "values", shape: .object(scope.values.mapValues(\.shape)))
    for token in container {
      switch (token, cell.shape) {
      case ("*", .list(let element)):
        if let around = scope.rows.first {
          // In a list within a row, the row around is `outer`. Formulas cannot name rows further out.
          scope.rows =
            around.reference.hasPrefix("row")
            ? [SurveyCell(reference: "outer" + around.reference.dropFirst(3), shape: around.shape)] : []
        }
        cell = SurveyCell(reference: "row", shape: element)
        scope.rows.insert(cell, at: 0)
        scope.isInRow = true
      case (_, .object(let members)):
        guard let shape = members[token] else { return scope }
        cell = cell.member(token, shape)
        if token != container.first, case .object = shape {
          scope.rows.insert(cell, at: 0)
          scope.rowName = token
        }
      default: return scope
      }
    }
    return scope
  }

  /// The type of a field's value.
  private func shape(at path: [String]) -> SurveyShape? {
    guard let name = path.first, var shape = scope.values[name]?.shape else { return nil }
    for token in path.dropFirst() {
      switch (token, shape) {
      case ("*", .list(let element)): shape = element
      case (_, .object(let members)):
        guard let member = members[token] else { return nil }
        shape = member
      default: return nil
      }
    }
    return shape
  }

  private func exists(_ field: JSONPointer) -> Bool { shape(at: field.tokens) != nil }

  private static func shape(of kind: SurveyFormula.Kind) -> SurveyShape? {
    switch kind {
    case .number: .number
    case .text: .text(choices: nil, isDate: false)
    case .bool: .bool
    case .list, .object, .any, .null: nil
    }
  }

  /// Gives a computed field the type of its formula.
  private mutating func setType(of field: JSONPointer, _ kind: SurveyFormula.Kind) {
    let names: [SurveyFormula.Kind: String] = [.number: "number", .text: "string", .bool: "boolean"]
    guard let type = names[kind], let shape = Self.shape(of: kind) else { return }
    draft.schema = Self.typed(draft.schema, field.tokens[...], type)
    if field.tokens.count == 1, let name = field.tokens.first, let cell = scope.values[name] {
      scope.values[name] = SurveyCell(reference: cell.reference, shape: shape)
    }
  }

  private static func typed(_ schema: JSON, _ path: ArraySlice<String>, _ type: String) -> JSON {
    guard var members = schema.objectValue else { return schema }
    guard let token = path.first else {
      if members["type"] == nil, members["enum"] == nil { members["type"] = .string(type) }
      return .object(members)
    }
    if token == "*", let items = members["items"] {
      members["items"] = typed(items, path.dropFirst(), type)
    } else if var properties = members["properties"]?.objectValue, let member = properties[token] {
      properties[token] = typed(member, path.dropFirst(), type)
      members["properties"] = .object(properties)
    }
    return .object(members)
  }

  // MARK: Choices

  private mutating func writeOptions(
    of field: JSONPointer,
    _ items: [SurveyChoiceItem],
    _ source: String?,
    _ pending: PendingFormula
  ) {
    let place = pending.sources.first?.pointer ?? items.lazy.compactMap { ($0.visibleIf ?? $0.enableIf)?.pointer }.first
    let text: String
    if let source {
      text = source
    } else if let list = pending.sources.first {
      guard var chosen = formula(of: list, in: pending.container, isCondition: false), chosen.kind == .list else {
        note(
          .expression,
          at: list.pointer,
          "the choices of another question are known only if it has a list of values",
          remedy: "write a formula in \"options\" at the field"
        )
        return
      }
      if pending.sources.count > 1 {
        guard let condition = condition(pending.sources[1], item: "entry", .text, pending.container) else { return }
        chosen = SurveyFormula("\(chosen.at(.primary)).filter(entry, \(condition.definite.text))", .list, .primary)
      }
      text = chosen.text
    } else {
      var always: [String] = []
      var parts: [String] = []
      for item in items {
        guard let choice = SurveyChoice(item.value) else { continue }
        let value = SurveyFormulaWriter.formula(of: choice)
        let label = item.label?.stringValue ?? item.label?.objectValue?.first?.value.stringValue ?? choice.text
        if let languages = item.label?.objectValue, languages.count > 1, let place {
          note(
            .language,
            at: place,
            "choices that a formula gives have one language",
            remedy: "write the names in \"texts\", and read them with text() in \"options\""
          )
        }
        let constant = item.value.integerValue.map { String($0) } ?? value.text
        var entry = "{'value': dyn(\(constant)), 'label': dyn(\(CELText.quoted(label)))"
        if let enableIf = item.enableIf,
          let condition = condition(enableIf, item: value.text, value.kind, pending.container, choice)
        {
          entry += ", 'disabled': dyn(!(\(condition.definite.text)))"
        }
        entry += "}"
        if let visibleIf = item.visibleIf,
          let condition = condition(visibleIf, item: value.text, value.kind, pending.container, choice)
        {
          if !always.isEmpty { parts.append("[\(always.joined(separator: ", "))]") }
          always = []
          parts.append("(\(condition.definite.at(.or)) ? [\(entry)] : [])")
        } else {
          always.append(entry)
        }
      }
      if !always.isEmpty { parts.append("[\(always.joined(separator: ", "))]") }
      text = parts.joined(separator: " + ")
    }
    draft.set("options", of: field, to: .string(text), from: place)
  }

  /// A condition that may name the choice, `{item}`.
  private mutating func condition(
    _ source: SurveySource,
    item: String,
    _ kind: SurveyFormula.Kind,
    _ container: [String],
    _ constant: SurveyChoice? = nil
  ) -> SurveyFormula? {
    let before = scope.item
    defer { scope.item = before }
    var formula = SurveyFormula(item, kind, .primary)
    formula.constant = constant
    scope.item = formula
    return self.formula(of: source, in: container, isCondition: true)
  }

  // MARK: The result

  /// The form without the parts that formd refuses.
  mutating func accepted() -> ImportedForm {
    let origins = draft.origins
    // A rule or a step that is removed moves the ones behind it.
    var positions = ["rules": Array(draft.rules.indices), "steps": Array(draft.steps.indices)]
    var definition = draft.accepted(&collector) { part in
      var part = part
      if let list = part.tokens.first, part.tokens.count == 2, let index = Int(part.tokens[1]),
        var rest = positions[list], rest.indices.contains(index)
      {
        part = JSONPointer(tokens: [list, String(rest.remove(at: index))])
        positions[list] = rest
      }
      while !part.tokens.isEmpty {
        if let origin = origins[part] { return origin }
        part.tokens.removeLast()
      }
      return nil
    }
    if definition["title"] == .null, case .object(var members) = definition {
      members["title"] = nil
      definition = .object(members)
    }
    return ImportedForm(definition: definition, losses: collector.sorted)
  }
}

extension PendingFormula {
  /// Whether the formula says what type a value has.
  fileprivate var givesType: Bool {
    switch target {
    case .output: true
    case .field(_, let key): key == "computed"
    case .step, .rule, .options: false
    }
  }
}
