internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema
internal import Texts

/// A field's errors, its validity, and the message that is shown.
extension Engine {
  /// So many errors of the schema are counted where not all are listed; more where more are listed.
  static let errorsCountedMaxUsual = 1_000
  private var errorsCountedMax: Int { max(Self.errorsCountedMaxUsual, errorsPerFieldMax + 1) }

  func computeField(_ field: Int, _ session: Session) -> FactSet {
    let state = session.fields + field
    let isVisible = state.pointee.flags.contains(.isVisible)
    let errors = faults.through(.countHidden, isVisible, broken: true) ? currentErrors(of: field, session) : .none
    let hasOtherErrors = errors != state.borrowed.pointee.content.errors
    if hasOtherErrors {
      var old = errors
      swap(&state.pointee.errors, &old)
      note(session.tables.pointee.cell(field: field, .errors), .errors(old), in: session)
    }
    let row = session.tables.pointee.fields + field
    var isPending = isVisible && row.pointee.checkCount > 0 && hasPendingCheck(field, session)
    var isValid = !isPending && (errors.isEmpty || !errors.contains { session.blocks($0) })
    if row.pointee.group >= 0 {
      let group = session.groups + Int(row.pointee.group)
      if group.pointee.pending > 0 { isPending = true }
      if group.pointee.invalid > 0 || group.pointee.pending > 0 { isValid = false }
    }
    var changed = updateStatus(field, isValid: isValid, isPending: isPending, session)
    // Only then somebody reads them.
    if hasOtherErrors, session.tables.pointee.hasBlockingFailures { changed |= .errors }
    // A field without errors that shows no message needs no look at its message.
    if !errors.isEmpty || state.pointee.displayed != nil || state.pointee.flags.contains(.revealsNow) {
      if updateMessage(field, session) { changed |= .message }
    }
    return changed
  }

  /// Whether a check of that very field is under way.
  func hasPendingCheck(_ field: Int, _ session: Session) -> Bool {
    guard let extras = session.extras else { return false }
    return session.form.fields[field].checks.contains { extras.checks[$0].machine.isPending }
  }

  @inline(__always)
  private func updateStatus(_ field: Int, isValid: Bool, isPending: Bool, _ session: Session) -> FactSet {
    var changed = FactSet.none
    let row = session.tables.pointee.fields + field
    let flags = session.fields[field].flags
    if isValid != flags.contains(.isValid) {
      setFlag(.isValid, to: isValid, of: field, cell: .isValid, in: session)
      store(isValid, in: row.pointee.isValidSlot, of: session)
      changed |= .isValid
      if row.pointee.step >= 0 { countInvalid(isValid, inStep: Int(row.pointee.step), session) }
      if row.pointee.parent >= 0 {
        countInvalid(isValid, in: Int(row.pointee.parent), session)
      } else {
        session.invalidCount &+= isValid ? -1 : 1
      }
    }
    if isPending != flags.contains(.isPending) {
      setFlag(.isPending, to: isPending, of: field, cell: .isPending, in: session)
      store(isPending, in: row.pointee.isPendingSlot, of: session)
      changed |= .isPending
      if row.pointee.step >= 0 { countPending(isPending, inStep: Int(row.pointee.step), session) }
      countPending(isPending, row, session)
    }
    return changed
  }

  /// Counts a field that has begun or ended to be valid, in the field around it.
  private func countInvalid(_ isValid: Bool, in parent: Int, _ session: Session) {
    let difference: Int32 = isValid ? faults.through(.miscountInside, -1, broken: 0) : 1
    session.groups[Int(session.tables.pointee.fields[parent].group)].invalid &+= difference
  }

  /// Counts a field that has begun or ended to be pending, in the field around it or in the form.
  private func countPending(_ isPending: Bool, _ row: UnsafePointer<FormTables.FieldRow>, _ session: Session) {
    guard row.pointee.parent < 0 else {
      let parent = session.tables.pointee.fields + Int(row.pointee.parent)
      session.groups[Int(parent.pointee.group)].pending &+= isPending ? 1 : -1
      return
    }
    session.pendingCount &+= isPending ? 1 : faults.through(.wrongCounter, -1, broken: 0)
  }

  /// Schema, rules, checks, and what a server said; within each, the order written; errors before warnings.
  @inline(__always)
  private func currentErrors(of field: Int, _ session: Session) -> ErrorList {
    let row = session.tables.pointee.fields + field
    let state = session.fields + field
    let flags = state.pointee.flags
    var errors = state.pointee.schemaErrors
    if flags.contains(.isAbsent) && row.pointee.group < 0 && mustHaveValue(field, row, session) {
      // Only `required` applies to a field without a value; schemaErrors is empty here.
      errors.append(.prepared(PreparedErrorReference(ErrorAddress(Int(row.pointee.requiredError)))))
    }
    if let extras = session.extras, !extras.partErrors.isEmpty {
      appendPartErrors(of: field, extras, to: &errors, session)
    }
    for position in row.pointee.firstRule..<row.pointee.firstRule + row.pointee.ruleCount {
      let rule = Int(session.tables.pointee.ruleIndices[Int(position)])
      if session.rules[rule] == .passed { continue }
      if let error = error(ofRule: rule, session) { errors.append(error) }
    }
    if let extras = session.extras { appendLateErrors(of: field, extras, to: &errors, session) }
    if case .many(let all) = errors { errors = session.form.withWarningsLast(all) }
    return errors
  }

  private func appendLateErrors(
    of field: Int,
    _ extras: SessionExtras,
    to errors: inout ErrorList,
    _ session: Session
  ) {
    for check in session.form.fields[field].checks {
      if let error = extras.checks[check].machine.error { errors.append(error) }
    }
    if !extras.serverErrors.isEmpty { for (_, error) in extras.serverErrors[field] ?? [] { errors.append(error) } }
  }

  private func appendPartErrors(
    of field: Int,
    _ extras: SessionExtras,
    to errors: inout ErrorList,
    _ session: Session
  ) {
    for part in extras.partErrors.keys.sorted() {
      for (target, error) in extras.partErrors[part] ?? [] where target == field {
        // The schema and a `then` may both require the field; one error is enough.
        if session.form.code(of: error) == "required", errors.contains({ $0 == error }) { continue }
        errors.append(error)
      }
    }
  }

  /// The error of a rule, if the rule fails.
  @inline(__always)
  func error(ofRule index: Int, _ session: Session) -> FieldError? {
    switch session.rules[index] {
    case .passed:
      return nil
    case .failed:
      return .prepared(PreparedErrorReference(ErrorAddress(Int(session.tables.pointee.rules[index].error))))
    case .faulted:
      return .prepared(PreparedErrorReference(ErrorAddress(Int(session.tables.pointee.rules[index].fault))))
    case .failedWithMessage:
      return detailed(
        session.form.rules[index].error,
        message: session.extras?.ruleMessages[index] ?? "",
        in: session
      )
    }
  }

  /// A prepared error with a text of its own.
  func detailed(_ address: ErrorAddress, message: String, in session: Session) -> FieldError {
    let prepared = session.form.errors[address]
    return .detailed(
      ErrorDetail(
        code: prepared.code,
        severity: prepared.severity,
        source: prepared.source,
        message: message
      )
    )
  }

  /// Whether the schema or a rule refuses the field's value, or that of a field inside of it. Then its checks need not run.
  func hasBlockingSynchronousError(_ field: Int, _ session: Session) -> Bool {
    (field..<Int(session.tables.pointee.fields[field].end)).contains { hasOwnSynchronousError($0, session) }
  }

  private func hasOwnSynchronousError(_ field: Int, _ session: Session) -> Bool {
    let form = session.form
    let row = session.tables.pointee.fields + field
    let flags = session.fields[field].flags
    guard flags.contains(.isVisible) else { return false }
    if flags.contains(.isAbsent), row.pointee.group < 0, mustHaveValue(field, row, session) { return true }
    if session.fields[field].schemaErrors.contains({ form.blocks($0) }) { return true }
    if let parts = session.extras?.partErrors, !parts.isEmpty {
      for errors in parts.values where errors.contains(where: { $0.field == field && form.blocks($0.error) }) {
        return true
      }
    }
    return form.fields[field].rules.contains { rule in
      error(ofRule: rule, session).map { form.blocks($0) } ?? false
    }
  }

  // MARK: From the schema

  /// The errors of a value that its property's schema refuses, and whether its type is wrong.
  func schemaErrors(
    of field: Int,
    _ session: Session
  ) -> (errors: ErrorList, hasWrongType: Bool) {
    guard let value = session.fields[field].value else { return (.none, false) }
    let definition = session.form.fields[field]
    guard let property = definition.property else { return (.none, false) }
    let object = session.form.units[definition.owner].object
    let (failures, total) = listed { limit in
      var failures: [Failure] = []
      object.failures(of: value, property: property, into: &failures, limit: limit, budget: &budget)
      return failures
    }
    var errors = ErrorList.none
    var hasWrongType = false
    for failure in failures {
      // `instanceLocation` starts at the object around the field, with the field's name.
      let rest = Array(failure.instanceLocation.tokens.dropFirst())
      if failure.keyword == .type, rest.isEmpty { hasWrongType = true }
      let place = FieldPlace(field: field, rest: rest + (failure.parameters.missingProperty.map { [$0] } ?? []))
      errors.append(error(of: failure, at: place, isSecret: definition.holdsSecret, session))
    }
    if total > failures.count {
      errors.append(more(thanListed: total, of: field, isSecret: definition.holdsSecret, session))
    }
    return (errors, hasWrongType)
  }

  /// The errors of an object-level keyword for the current values, each with its field (-1: the form).
  func partErrors(of index: Int, _ session: Session) -> [(field: Int, error: FieldError)] {
    let form = session.form
    let part = form.parts[index]
    let unit = form.units[part.unit]
    // An object that is not there needs to meet nothing.
    if let field = unit.field, !session.fields[field].flags.contains(.isJudged) { return [] }
    let values = JSON.object(values(readBy: part, session))
    if unit.object.isValid(values, part: part.index, budget: &budget) { return [] }
    let failures = unit.object.failures(of: values, part: part.index, limit: errorsCountedMax, budget: &budget)
    // Which branches of an object-level keyword hold is told by the values that the keyword reads.
    let isSecret =
      part.fields.contains { form.fields[$0].holdsSecret } || part.readsOthers && unit.areOthersSecret
    var errors: [(field: Int, error: FieldError)] = []
    var totals: [Int: Int] = [:]
    for failure in failures {
      // `required` and `dependent*` name the missing member. Other failures have the place of the member.
      let missing = failure.parameters.missingProperty.map { [$0] } ?? []
      let place = form.place(of: failure.instanceLocation.tokens + missing, in: part.unit)
      let total = totals[place.field ?? -1, default: 0] + 1
      totals[place.field ?? -1] = total
      // Each place lists its own: a keyword may tell of many fields.
      if total > errorsPerFieldMax { continue }
      errors.append((place.field ?? -1, error(of: failure, at: place, isSecret: isSecret, session)))
    }
    for (field, total) in totals.sorted(by: { $0.key < $1.key }) where total > errorsPerFieldMax {
      errors.append((field, more(thanListed: total, of: field < 0 ? nil : field, isSecret: isSecret, session)))
    }
    return errors
  }

  /// As many failures as a field lists, and how many there are in all.
  ///
  /// - Parameter collect: finds at most so many failures, causes included.
  private func listed(_ collect: (Int) -> [Failure]) -> (failures: [Failure], total: Int) {
    let found = collect(errorsPerFieldMax)
    let count = found.reduce(0) { $0 + 1 + $1.causes.count }
    guard count >= errorsPerFieldMax else { return (found, found.count) }
    return (found, max(found.count, collect(errorsCountedMax).count))
  }

  /// The last error of a list that does not name all: it says how many there are. Of a secret's value it does not.
  private func more(thanListed total: Int, of field: Int?, isSecret: Bool, _ session: Session) -> FieldError {
    let form = session.form
    let parameters: JSONObject = isSecret ? [:] : ["total": .integer(Int64(total))]
    let text =
      field.flatMap { form.fields[$0].messages[UTF8Key(text: "more")] }
      ?? (isSecret ? BuiltInTexts.invalid : BuiltInTexts.more)
    let resolved = text.resolved(for: form.locales[session.localeIndex], default: form.locale)
    return .detailed(
      ErrorDetail(
        code: "more",
        severity: .error,
        source: .schema,
        message: fillPlaceholders(resolved, from: parameters),
        parameters: parameters
      )
    )
  }

  /// The values that an object-level keyword reads. Those of the keywords that read every top-level member are gathered once for all.
  private func values(readBy part: SchemaPart, _ session: Session) -> JSONObject {
    let readsAll = part.unit == 0 && part.readsOthers && part.fields.count == session.form.topLevelCount
    if readsAll, let allValues { return allValues }
    counters.visited(part.fields.count)
    let values = session.values(readBy: part)
    if readsAll { allValues = values }
    return values
  }

  /// - Parameters:
  ///   - place: where the failure stands.
  ///   - isSecret: whether it may tell something about a secret.
  private func error(of found: Failure, at place: FieldPlace, isSecret: Bool, _ session: Session) -> FieldError {
    let form = session.form
    if found.kind == .tooCostly { report(found) }
    let code = found.kind == .invalid ? found.keyword.rawValue : found.kind.rawValue
    if code == "required", let field = place.field, place.rest.isEmpty {
      return .prepared(PreparedErrorReference(form.fields[field].requiredError))
    }
    let hidesValue = faults.through(.leakSecret, isSecret, broken: false)
    // Names and positions inside of a secret are part of it.
    let failure = hidesValue ? found.withoutValue : found
    let path = hidesValue ? [] : place.rest
    // A secret's error may say the schema's own numbers, but nothing about the value.
    var parameters = isSecret ? failure.parameters.schemaSide : failure.parameters.object
    if !hidesValue, !failure.causes.isEmpty { parameters["causes"] = causes(of: failure) }
    let template = place.field.flatMap { form.fields[$0].messages[UTF8Key(text: code)] }
    let message =
      if let template {
        fillPlaceholders(
          template.resolved(for: form.locales[session.localeIndex], default: form.locale),
          from: parameters
        )
      } else {
        failure.message(locale: session.locale ?? form.locale ?? "en")
      }
    return .detailed(
      ErrorDetail(
        code: code,
        path: JSONPointer(tokens: path).description,
        severity: .error,
        source: .schema,
        message: message,
        parameters: parameters
      )
    )
  }

  /// Why the closest branch of a union does not hold, each cause with its place inside of the value.
  private func causes(of failure: Failure) -> JSON {
    let depth = failure.instanceLocation.tokens.count
    return .array(
      failure.causes.prefix(errorsPerFieldMax).map { cause in
        let missing = cause.parameters.missingProperty.map { [$0] } ?? []
        var told: JSONObject = ["code": .string(cause.keyword.rawValue)]
        let place = JSONPointer(tokens: Array(cause.instanceLocation.tokens.dropFirst(depth)) + missing)
        if !place.tokens.isEmpty { told["path"] = .string(place.description) }
        return .object(told)
      }
    )
  }

  // MARK: The shown message

  /// Which error's message is shown, by the field's policy. Returns whether it is another text for formulas.
  private func updateMessage(_ field: Int, _ session: Session) -> Bool {
    let form = session.form
    let state = session.fields + field
    let displayed = displayedError(of: field, session)
    guard displayed != state.pointee.displayed else { return false }
    let locale = session.localeIndex
    let old = state.pointee.displayed.map { form.message(of: $0, locale: locale) }
    // Another error may have the same text.
    let isCertain = old == nil || displayed == nil
    note(form.layout.message(field), old.map { .text($0) } ?? .absent, isCertain: isCertain, in: session)
    state.pointee.displayed = displayed
    let slot = session.tables.pointee.fields[field].messageSlot
    guard slot >= 0 else { return false }
    return store(displayed.map { form.message(of: $0, locale: locale) } ?? "", in: slot, of: session)
  }

  /// What an outcome says of the field: that shows at once, before the field's policy shows anything else.
  private func serverError(of field: Int, _ session: Session) -> FieldError? {
    guard let error = session.extras?.serverErrors[field]?.first?.error else { return nil }
    return session.fields[field].errors.contains { $0 == error } ? error : nil
  }

  private func displayedError(of field: Int, _ session: Session) -> FieldError? {
    let state = session.fields + field
    let flags = state.pointee.flags
    defer { state.pointee.flags.remove(.revealsNow) }
    let errors = state.pointee.errors
    if errors.isEmpty { return nil }
    let form = session.form
    // Errors stand before warnings, and so a warning is shown only where no error is.
    let first = errors.first
    let policy = form.fields[field].show
    if !session.flags.contains(.showsAlways) {
      if !flags.contains(.isRevealed) {
        switch policy {
        case .always: break
        case .edit: if !flags.contains(.isEdited) { return serverError(of: field, session) }
        case .blur: if !flags.contains(.isTouched) { return serverError(of: field, session) }
        case .submit: return serverError(of: field, session)
        }
      }
      if flags.contains(.revealsNow) { return first }
      let isBeingEdited = flags.contains(.isComposing) || (flags.contains(.isEditing) && policy == .blur)
      if isBeingEdited {
        // While the user edits, no new message appears. The message that is shown may go, or change its text.
        guard let shown = state.pointee.displayed else { return nil }
        return standingError(like: shown, among: errors, form)
      }
    } else if flags.contains(.isComposing), !flags.contains(.revealsNow) {
      return state.pointee.displayed.flatMap { standingError(like: $0, among: errors, form) }
    }
    return first
  }

  /// The error that is shown, if it stands still; else one of its code: what the error says of the value may have changed.
  private func standingError(like shown: FieldError, among errors: ErrorList, _ form: Form) -> FieldError? {
    let code = form.code(of: shown)
    var same: FieldError?
    _ = errors.contains { error in
      if error == shown {
        same = error
        return true
      }
      if same == nil, form.code(of: error).hasSameUTF8(as: code) { same = error }
      return false
    }
    return same
  }
}

extension Failure {
  /// The failure of a secret: names and positions inside the value are part of it, so only the field itself is named.
  fileprivate var withoutValue: Failure {
    var failure = self
    failure.instanceLocation = JSONPointer(tokens: Array(instanceLocation.tokens.prefix(1)))
    switch parameters {
    case .property, .item, .duplicates, .matches: failure.parameters = .none
    case .none, .count, .limit, .types, .missing, .dependency, .allowed, .pattern, .format: break
    }
    return failure
  }
}

extension FailureParameters {
  /// The parameters that come from the schema; none that comes from the value.
  fileprivate var schemaSide: JSONObject {
    switch self {
    case .count(let limit, _): ["limit": .integer(Int64(limit))]
    case .types(let expected, _): ["expected": .array(expected.map { .string($0) })]
    case .limit, .missing, .dependency, .allowed, .pattern, .format: object
    case .none, .property, .item, .duplicates, .matches: [:]
    }
  }
}
