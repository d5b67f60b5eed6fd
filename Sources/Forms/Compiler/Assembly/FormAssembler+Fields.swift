internal import Budgets
internal import CEL
internal import DocumentProperties
internal import Formats
internal import JSON
internal import JSONSchema
internal import SourceTexts

extension FormAssembler {
  /// A field with its formulas.
  ///
  /// - Parameters:
  ///   - number: its number among the fields.
  ///   - step: the step that names it.
  ///   - given: its formulas that give a value.
  ///   - sources: finds the lookups behind its options.
  ///   - rules: the rules of the field.
  ///   - groups: the groups of fields that it is in: see ``Field/groups``.
  ///   - checks: the checks of the field.
  mutating func field(
    _ number: Int,
    step: Int?,
    given: ValueFormulas,
    sources: LookupSources,
    rules: [Int],
    groups: [FieldGroup],
    checks: [Int]
  ) -> Field {
    let shape = fieldTable.shapes[number]
    let own = shape.own
    let requiredError = schemaError("required", of: shape, else: BuiltInTexts.required)
    if shape.position.unit != nil, let own, own.throttle != nil || own.debounce != nil {
      collector.report(
        "conflict",
        at: own.pointer.appending(own.throttle != nil ? "throttle" : "debounce"),
        spot: .name,
        "the field \"\(shape.address)\" has fields below it, and only a field without any can be held back",
        remedy: "write it at the fields below"
      )
    }
    let timing: Field.Timing? = own?.throttle.map { .throttle($0) } ?? own?.debounce.map { .debounce($0) }
    let duplicateError =
      mustBeUnique(number, shape)
      ? schemaError(
        "duplicate",
        // Rows without a key of their own cannot be told apart.
        keyOfRows(around: shape) == number ? .error : own?.duplicateSeverity ?? .error,
        of: shape,
        else: BuiltInTexts.duplicate
      ) : nil
    let scope = FormulaCompiler.Scope(template: shape.position.template)
    let conditionalDefaults = defaults[number] ?? []
    let normalizations = own.map { normalize($0) } ?? []
    checkChoices(of: shape, own, after: normalizations)
    let follows = own?.computed != nil || own?.suggested != nil || !conditionalDefaults.isEmpty
    return Field(
      position: shape.position,
      step: step,
      renamedFrom: own.flatMap { renamedFrom($0, shape) },
      label: own?.label ?? shape.facts.title.map { Text($0) },
      placeholder: own?.placeholder,
      help: own?.help ?? shape.facts.description.map { Text($0) },
      widget: own?.widget,
      hints: own?.hints ?? JSONObject(),
      show: own?.show ?? .blur,
      isSecret: shape.isSecret,
      holdsSecret: shape.holdsSecret,
      normalize: normalizations,
      coerces: coerces(shape),
      read: read(shape),
      lengthMax: shape.lengthMax,
      timing: timing,
      isRequiredBySchema: shape.isRequired,
      isReadOnly: shape.isReadOnly,
      options: shape.options,
      initial: follows ? nil : shape.initial,
      ownInitial: follows ? nil : ownInitial(of: shape),
      conditionalDefaults: conditionalDefaults,
      facts: shape.facts,
      keepsEmpty: own?.keepsEmpty ?? false,
      admitsNull: shape.admitsNull,
      type: shape.type,
      visible: visible(shape, own),
      clearsWhenHidden: clearsWhenHidden(number, shape),
      enabled: formula(own?.enabled, scope: scope, expecting: .bool, orReason: true),
      required: formula(own?.required, scope: scope, expecting: .bool),
      computed: given.computed,
      suggested: given.suggested,
      trigger: trigger(of: number, shape),
      key: key(of: shape),
      duplicateError: duplicateError,
      trustsInitial: trustsInitial(own, shape),
      isUnordered: isUnordered(own, shape),
      ignoresBlankRows: ignoresBlankRows(own, shape),
      computedOptions: computedOptions(of: number, shape, sources),
      choiceLimit: choiceLimit(shape),
      admitsOther: admitsOther(shape),
      rules: rules,
      groups: groups,
      checks: checks,
      messages: own?.messages.texts ?? [:],
      requiredError: requiredError
    )
  }

  /// An error that the schema of the field itself gives a value, and not a keyword that explains itself.
  mutating func schemaError(
    _ code: String,
    _ severity: Severity = .error,
    of shape: FieldShape?,
    else fallback: Text
  ) -> ErrorNumber {
    let text = text(code, of: shape, else: fallback)
    return errors.add(PreparedError(code: code, severity: severity, source: .schema, message: text))
  }

  // MARK: Values

  /// The formulas that give a field its value.
  mutating func valueFormulas(of number: Int) -> ValueFormulas {
    let shape = fieldTable.shapes[number]
    guard let own = shape.own else { return ValueFormulas() }
    checkValueFormula(own, of: number, shape)
    // A secret may be computed from values that are secret as well. Neither leaves the daemon.
    let scope = FormulaCompiler.Scope(template: shape.position.template)
    return ValueFormulas(
      computed: formula(own.computed, scope: scope, isArgument: shape.isSecret),
      suggested: formula(own.suggested, scope: scope, isArgument: shape.isSecret)
    )
  }

  /// Reports a formula that gives a value although the value has another source: a field with fields below it, or a
  /// row. With `computed` it also reports the key of rows, and a throttle or debounce.
  private mutating func checkValueFormula(_ own: FieldDefinition, of field: Int, _ shape: FieldShape) {
    let name = own.computed == nil ? "suggested" : "computed"
    func refuse(_ message: String, _ remedy: Remedy) {
      collector.report("conflict", at: own.pointer.appending(name), spot: .name, message, remedy: remedy)
    }
    guard own.computed != nil || own.suggested != nil else { return }
    if shape.position.unit != nil {
      refuse(
        "the field \"\(shape.address)\" has fields below it, and they make up its value",
        "write \"\(name)\" at the fields below"
      )
    } else if shape.position.list != nil {
      refuse(
        "the field \"\(shape.address)\" is a whole row, and rows come only from input",
        "give the rows members, and write \"\(name)\" at one of them"
      )
    } else if own.computed != nil, own.throttle != nil || own.debounce != nil {
      refuse("the field \"\(shape.address)\" takes no input that could be held back", "remove the throttle or debounce")
    } else if own.computed != nil, keyOfRows(around: shape) == field {
      refuse(
        "the field \"\(shape.address)\" is the key that identifies rows, so it cannot be computed",
        "take another member as the \"key\", or \"suggested\" in place of \"computed\""
      )
    }
  }

  /// Whether the initial values of a field are trusted. A value that a formula always gives is never an initial value.
  private mutating func trustsInitial(_ own: FieldDefinition?, _ shape: FieldShape) -> Bool {
    guard let own, own.trustsInitial else { return false }
    return holds(
      "trustInitial",
      of: own,
      if: own.computed == nil,
      else: "the field \"\(shape.address)\" is computed, so it has no initial value",
      remedy: "leave out \"trustInitial\""
    )
  }

  /// Whether the order of a list does not count.
  private mutating func isUnordered(_ own: FieldDefinition?, _ shape: FieldShape) -> Bool {
    guard let own, own.isUnordered else { return false }
    return holds(
      "unordered",
      of: own,
      if: shape.position.element != nil || shape.facts.types.contains("array"),
      else: "the field \"\(shape.address)\" is not a list, so it has no order",
      remedy: "write it at a field whose schema has \"type\": \"array\""
    )
  }

  /// Whether blank rows of a list do not count.
  private mutating func ignoresBlankRows(_ own: FieldDefinition?, _ shape: FieldShape) -> Bool {
    guard let own, own.ignoresBlankRows else { return false }
    return holds(
      "blankRows",
      of: own,
      if: shape.position.element != nil,
      else: "the field \"\(shape.address)\" has no rows",
      remedy: "write it at a list whose schema describes its elements with \"items\""
    )
  }

  /// Reports a key of a field that the field cannot have.
  ///
  /// - Returns: whether the field can have it.
  private mutating func holds(
    _ key: String,
    of own: FieldDefinition,
    if isPossible: Bool,
    else problem: String,
    remedy: Remedy
  ) -> Bool {
    if !isPossible {
      collector.report("conflict", at: own.pointer.appending(key), spot: .name, problem, remedy: remedy)
    }
    return isPossible
  }

  /// The former name of a field. A name that another field has is reported.
  private mutating func renamedFrom(_ own: FieldDefinition, _ shape: FieldShape) -> String? {
    guard let name = own.renamedFrom else { return nil }
    let around = Array(shape.position.path.dropLast())
    func refuse(_ message: String, _ remedy: Remedy) {
      collector.report("conflict", at: own.pointer.appending("renamedFrom"), message, remedy: remedy)
    }
    if shape.position.list != nil {
      refuse("the field \"\(shape.address)\" is a whole row, which has no name", "write \"renamedFrom\" at the list")
    } else if fieldTable.field(on: around + [name]) != nil {
      refuse(
        "the form still has a field \"\(JSONPointer(tokens: around + [name]).address)\"",
        "write the name that the field had in an earlier version of the form"
      )
    } else {
      return name
    }
    return nil
  }

  /// A default without the parts that fields below it hold.
  private func ownInitial(of shape: FieldShape) -> JSON? {
    if shape.position.element != nil, case .array? = shape.initial { return .array([]) }
    guard shape.position.unit != nil, case .object(let members)? = shape.initial else { return shape.initial }
    let others = members.filter { fieldTable.field(on: shape.position.path + [$0.name]) == nil }
    return others.isEmpty && !members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: others))
  }

  /// The units that compiling a pattern takes, in addition to one for each byte.
  private static let patternWork = 50

  /// The steps that the texts of a field go through.
  private mutating func normalize(_ own: FieldDefinition) -> [Normalization] {
    var steps: [Normalization] = []
    for step in own.normalize {
      switch step {
      case .word(let word): steps.append(word)
      case .replace(let source, let text, let pointer):
        guard budget.spend(Self.patternWork + source.utf8.count) else { break }
        do throws(PatternError) {
          steps.append(.replace(try Pattern(source, dialect: .re2), with: text))
        } catch {
          collector.report(
            "pattern",
            at: pointer,
            spot: .codePoint(error.offset, error.offset..<error.offset + 1),
            "the regular expression cannot be used: \(error.message)",
            remedy: "use the syntax of RE2, as in matches() in formulas"
          )
        }
      }
    }
    return steps
  }

  /// Whether a field reads texts: the field or the form asks for it, and its schema asks for one type that a text can
  /// be read as.
  private mutating func coerces(_ shape: FieldShape) -> Bool {
    let own = shape.own
    if BuiltInTexts.unread(shape.type) != nil { return own?.coerces ?? definition.coerces }
    if let own, own.coerces ?? false {
      collector.report(
        "conflict",
        at: own.pointer.appending("coerce"),
        spot: .name,
        "the schema of \"\(shape.address)\" has no number or boolean type, so texts cannot be converted",
        remedy: "write it at a field whose schema has exactly one \"type\": integer, number or boolean"
      )
    }
    return false
  }

  // MARK: Keys

  /// The field that identifies a list's rows, if the definition names one.
  private func key(of shape: FieldShape) -> Int? {
    guard let element = shape.position.element, let name = shape.own?.key else { return nil }
    // A member of the row itself, without fields below it.
    return fieldTable.field(on: shape.position.path + ["*", name])
      .flatMap {
        fieldTable.shapes[$0].position.parent == element && fieldTable.shapes[$0].position.unit == nil ? $0 : nil
      }
  }

  /// The field that identifies the rows that a field is a member of.
  private func keyOfRows(around shape: FieldShape) -> Int? {
    shape.position.parent.flatMap { fieldTable.shapes[$0].position.list }.flatMap { key(of: fieldTable.shapes[$0]) }
  }

  /// Whether no two rows may have equal values of a field: the field says so, or it is the key of its list.
  private mutating func mustBeUnique(_ field: Int, _ shape: FieldShape) -> Bool {
    let own = shape.own
    if let own, own.isUnique, shape.position.template == 0 {
      collector.report(
        "conflict",
        at: own.pointer.appending("unique"),
        spot: .name,
        "the field \"\(shape.address)\" is not in a row, so there is no other value that it could equal",
        remedy: "write it at a field of a list's rows: /items/*/sku"
      )
    }
    if let own, let name = own.key, shape.position.element == nil || key(of: shape) == nil, !fieldTable.mayLackFields {
      let members = shape.position.element.map { element in
        fieldTable.shapes.filter { $0.position.parent == element && $0.position.unit == nil }.map(\.name).joined(
          separator: ", "
        )
      }
      collector.report(
        "unknownField",
        at: own.pointer.appending("key"),
        members == nil
          ? "the field \"\(shape.address)\" is not a list with rows, so it has no key"
          : "the rows of \"\(shape.address)\" have no member \"\(name)\"",
        remedy: members.map { $0.isEmpty ? "its rows have no members" : "their members are: \($0)" }
          ?? "write it at a list whose schema has \"items\""
      )
    }
    guard shape.position.template > 0 else { return false }
    return own?.isUnique ?? false || keyOfRows(around: shape) == field
  }

  // MARK: Options

  /// Which values the definition's choices admit; nil if the schema or a formula alone decides.
  private mutating func choiceLimit(_ shape: FieldShape) -> ChoiceLimit? {
    guard let own = shape.own, !own.options.isEmpty else { return nil }
    if shape.position.unit != nil, let option = own.options.first(where: { $0.value != nil }) {
      let element = shape.position.element.map { "\"\(fieldTable.addresses[$0])\"" }
      collector.report(
        "conflict",
        at: JSONPointer(tokens: option.pointer.tokens.dropLast()),
        "the field \"\(shape.address)\" has fields below it, so its value is not chosen as a whole",
        remedy: "write \"options\" at \(element.map { "\($0), for each of its rows" } ?? "the fields below")"
      )
      return nil
    }
    let disabled = Set(shape.options.filter(\.isDisabled).map(\.value))
    let isListed = shape.facts.choices == nil && !own.admitsOther
    if disabled.isEmpty, !isListed { return nil }
    return ChoiceLimit(
      values: isListed ? Set(shape.options.map(\.value)) : nil,
      disabled: disabled,
      error: schemaError("options", of: shape, else: BuiltInTexts.options)
    )
  }

  /// Whether the user may give a text that is not among the choices.
  private mutating func admitsOther(_ shape: FieldShape) -> Bool {
    guard let own = shape.own, own.admitsOther else { return false }
    let hasChoices = own.optionsFormula != nil || !shape.options.isEmpty
    let problem: (String, remedy: Remedy)? =
      if shape.facts.choices != nil {
        ("the schema of \"\(shape.address)\" lists all its values", "list the choices in \"options\" instead")
      } else if !hasChoices {
        ("the field \"\(shape.address)\" has no choices", "list them in \"options\"")
      } else if shape.type != .string && shape.type != .dynamic {
        ("the schema of \"\(shape.address)\" admits no text", "leave out \"other\"")
      } else {
        nil
      }
    guard let problem else { return true }
    let pointer = own.pointer.appending("other")
    collector.report("conflict", at: pointer, spot: .name, problem.0, remedy: problem.remedy)
    return false
  }

  /// The options that a formula computes.
  private mutating func computedOptions(
    of field: Int,
    _ shape: FieldShape,
    _ sources: LookupSources
  ) -> ComputedOptions? {
    guard let text = shape.own?.optionsFormula else { return nil }
    if shape.position.unit != nil {
      let element = shape.position.element.map { "\"\(fieldTable.addresses[$0])\"" }
      collector.report(
        "conflict",
        at: text.pointer,
        "the field \"\(shape.address)\" has fields below it, so its value is not chosen as a whole",
        remedy: "write \"options\" at \(element.map { "\($0), for each of its rows" } ?? "the fields below")"
      )
      return nil
    }
    let scope = FormulaCompiler.Scope(template: shape.position.template)
    guard let formula = formula(text, scope: scope) else { return nil }
    checkLiveChoices(formula, text, scope)
    guard formula.program.type.mayBeList else {
      collector.report(
        "expression",
        at: text.pointer,
        "\"options\" must be a list, and this formula is of type \(formula.program.type)",
        remedy: "write a list of values, or of {'value': ..., 'label': ...}"
      )
      return nil
    }
    if let element = formula.program.type.elementOfList, !shape.type.mayEqual(element) {
      collector.report(
        "expression",
        at: text.pointer,
        "the values of \"options\" are of type \(element), and the schema of \"\(shape.address)\" asks for \(shape.type)",
        remedy: "write values of the field's type, or {'value': ..., 'label': ...}"
      )
      return nil
    }
    let slots = formulas.slots
    // Options that are equal for all rows are computed once.
    let isShared = shape.position.template > 0 && formula.reads.allSatisfy { slots.locations[$0].template == 0 }
    return ComputedOptions(
      formula: formula,
      template: isShared ? 0 : shape.position.template,
      home: isShared ? fieldTable.outmostList(around: field) : field,
      lookups: sources.lookups(
        behind: formula,
        in: isShared ? 0 : shape.position.template,
        of: shape.position.template
      ),
      error: schemaError("options", of: shape, else: BuiltInTexts.options),
      fault: fault("options", .error, of: shape)
    )
  }
}

extension FieldType {
  /// Whether a value of the field can equal a value of a scalar type of formulas; for other types this is unknown.
  fileprivate func mayEqual(_ type: CELType) -> Bool {
    switch (self, type) {
    case (.string, .int), (.string, .double), (.string, .bool), (.bool, .int), (.bool, .double), (.bool, .string): false
    case (.integer, .string), (.integer, .bool), (.number, .string), (.number, .bool): false
    default: true
    }
  }
}

extension CELType {
  /// The type of a list's elements; nil if it is not a list.
  fileprivate var elementOfList: CELType? { if case .list(let element) = self { element } else { nil } }

  /// Whether a value of the type can be a list.
  fileprivate var mayBeList: Bool {
    switch self {
    case .list, .dyn: true
    default: false
    }
  }
}
