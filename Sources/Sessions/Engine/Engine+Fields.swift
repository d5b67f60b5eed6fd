internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON
internal import Texts

/// A field's errors, its validity, and the message that is shown.
extension Engine {
  /// Computes the state of a field: its errors, its flags of validity, and its message.
  ///
  /// - Returns: the facts about the field that differ from before. The nodes that read them become stale.
  func computeField(_ field: Int, _ instance: Instance) -> FactSet {
    let state = instance.fields.at(field)
    let isVisible = state.pointee.flags.contains(.isVisible)
    var errors = isVisible ? currentErrors(of: field, instance) : .none
    let entry = instance.tables.pointee.fields.at(field)
    if _slowPath(entry.pointee.forgivesErrors) { errors = countedErrors(errors, of: field, instance) }
    let hasErrors = !errors.isEmpty
    let areBlocking = instance.blocks(errors)
    let errorsDiffer = !state.borrowed.pointee.hasErrors(errors)
    var isPending = isVisible && entry.pointee.mayBePending && hasPendingInquiry(field, instance)
    var isValid = !isPending && !areBlocking
    if _slowPath(entry.hasFieldsBelow) {
      let sums = instance.sums.at(Int(entry.pointee.sums))
      if sums.pointee.pending > 0 { isPending = true }
      if sums.pointee.invalid > 0 || sums.pointee.pending > 0 { isValid = false }
    }
    updateStatus(field, isValid: isValid, isPending: isPending, instance)
    var changed = FactSet.none
    // Noted after the other cells of the field, because they come first in the document.
    if errorsDiffer {
      let bytes = errors.bytes
      let before = state.exchangeErrors(consume errors)
      let growth = bytes &- before.bytes
      if _slowPath(growth != 0) { instance.withSession { $0.computedBytes &+= growth } }
      note(.errors, of: field, .errors(before), in: instance)
    }
    // Formulas read them only in such a form.
    if errorsDiffer, instance.tables.pointee.hasBlockingFailures { changed |= .errors }
    // A field without errors that shows no message needs no look at its message.
    if hasErrors || state.pointee.displayed != nil || state.pointee.flags.contains(.revealsNow) {
      if updateMessage(field, instance) { changed |= .message }
    }
    return changed
  }

  /// Whether a check of that field is under way, or a lookup for its options.
  @inline(never)
  func hasPendingInquiry(_ field: Int, _ instance: Instance) -> Bool {
    if instance.loadsOptions(of: field) { return true }
    guard let instanceExtras = instance.instanceExtras else { return false }
    return instance.form.fields[field].checks.contains { instanceExtras.checks[$0].machine.isPending }
  }

  @inline(__always)
  private func updateStatus(_ field: Int, isValid: Bool, isPending: Bool, _ instance: Instance) {
    let entry = instance.tables.pointee.fields.at(field)
    if set(.isValid, of: field, to: isValid, in: instance) {
      if _slowPath(entry.pointee.step >= 0) { countInvalid(isValid, inStep: Int(entry.pointee.step), instance.session) }
      if _fastPath(instance.isTopLevel(field)) {
        instance.withSession { $0.invalidCount &+= isValid ? -1 : 1 }
      } else {
        countInvalid(isValid, around: LiveField(field, in: instance))
      }
    }
    if _slowPath(isPending != instance.fields[field].flags.contains(.isPending)) {
      updatePending(field, isPending, instance)
    }
  }

  @inline(never)
  private func updatePending(_ field: Int, _ isPending: Bool, _ instance: Instance) {
    let entry = instance.tables.pointee.fields.at(field)
    set(.isPending, of: field, to: isPending, in: instance)
    if entry.pointee.step >= 0 { countPending(isPending, inStep: Int(entry.pointee.step), instance.session) }
    countPending(isPending, around: LiveField(field, in: instance))
  }

  /// Counts a field that has become valid or invalid, in the field around it.
  @inline(never)
  private func countInvalid(_ isValid: Bool, around live: LiveField) {
    guard let around = live.around else { return }
    around.sums.pointee.invalid &+= isValid ? -1 : 1
  }

  /// Counts a field whose pending state has changed, in the field around it or in the form.
  private func countPending(_ isPending: Bool, around live: LiveField) {
    if let around = live.around {
      around.sums.pointee.pending &+= isPending ? 1 : -1
    } else {
      live.instance.withSession { $0.pendingCount &+= isPending ? 1 : -1 }
    }
  }

  /// Errors come before warnings. Within each, the order is schema, rules, checks and errors of services, and then the
  /// order written.
  @inline(__always)
  private func currentErrors(of field: Int, _ instance: Instance) -> ErrorList {
    let entry = instance.tables.pointee.fields.at(field)
    let state = instance.fields.at(field)
    let flags = state.pointee.flags
    var errors = state.borrowed.pointee.hasSchemaErrors() ? state.pointee.schemaErrors : .none
    if flags.contains(.isEmpty) && !entry.hasFieldsBelow && mustHaveValue(field, entry, instance) {
      // Only `required` applies to a field without a value, and schemaErrors is empty here.
      errors.append(.prepared(PreparedErrorReference(entry.pointee.requiredError)))
    }
    // For most fields only these and their rules give errors.
    let mayHaveMoreErrors = instance.instanceExtras != nil || !flags.isDisjoint(with: [.isDuplicate, .isNotOffered])
    if _slowPath(mayHaveMoreErrors) { appendErrorsBesideSchema(of: field, to: &errors, instance) }
    var position = Int(entry.pointee.firstRule)
    let end = position + Int(entry.pointee.ruleCount)
    while position < end {
      let rule = Int(instance.tables.pointee.ruleNumbers[position])
      if let error = error(ofRule: rule, at: field, instance) { errors.append(error) }
      position += 1
    }
    if _slowPath(mayHaveMoreErrors), let instanceExtras = instance.instanceExtras {
      appendLateErrors(of: field, instanceExtras, to: &errors, instance)
    }
    return _slowPath(errors.count > 1) ? instance.form.withWarningsLast(errors.all) : errors
  }

  /// Adds errors that are listed with the schema's errors of a value but are found elsewhere: duplicates, values that
  /// are not offered, and failures of keywords around the field.
  @inline(never)
  private func appendErrorsBesideSchema(of field: Int, to errors: inout ErrorList, _ instance: Instance) {
    let flags = instance.fields[field].flags
    if flags.contains(.isDuplicate), let error = instance.form.fields[field].duplicateError {
      errors.append(.prepared(PreparedErrorReference(error)))
    }
    if flags.contains(.isNotOffered) {
      if let options = instance.form.fields[field].computedOptions {
        let isFaulted = instance.options(of: field)?.json == nil
        errors.append(.prepared(PreparedErrorReference(isFaulted ? options.fault : options.error)))
      } else if let limit = instance.form.fields[field].choiceLimit {
        errors.append(.prepared(PreparedErrorReference(limit.error)))
      }
    }
    if let instanceExtras = instance.instanceExtras, !instanceExtras.objectKeywordErrors.isEmpty {
      appendObjectKeywordErrors(of: field, instanceExtras, to: &errors, instance)
    }
  }

  @inline(never)
  private func appendLateErrors(
    of field: Int,
    _ instanceExtras: InstanceExtras,
    to errors: inout ErrorList,
    _ instance: Instance
  ) {
    for check in instance.form.fields[field].checks {
      if let error = instanceExtras.checks[check].error { errors.append(error) }
    }
    if !instanceExtras.serverErrors.isEmpty {
      for (_, error) in instanceExtras.serverErrors[field] ?? [] { errors.append(error) }
    }
  }

  private func appendObjectKeywordErrors(
    of field: Int,
    _ instanceExtras: InstanceExtras,
    to errors: inout ErrorList,
    _ instance: Instance
  ) {
    for keyword in instanceExtras.objectKeywordErrors.keys.sorted() {
      for (target, error) in instanceExtras.objectKeywordErrors[keyword] ?? [] where target == field {
        // The schema and a `then` may both require the field, and a pattern and a property may give equal errors. One
        // error is enough.
        if errors.contains({ $0 == error }) { continue }
        errors.append(error)
      }
    }
  }

  /// Whether the schema or a rule refuses the value of the field, or of a field inside it. If so, its checks need not
  /// run.
  func hasBlockingSynchronousError(_ field: Int, _ instance: Instance) -> Bool {
    if !instance.tables.pointee.fields.at(field).hasFieldsBelow { return hasOwnSynchronousError(field, instance) }
    var hasError = false
    instance.forEachField(from: field) { live in
      if !hasError { hasError = hasOwnSynchronousError(live.field, live.instance) }
    }
    return hasError
  }

  private func hasOwnSynchronousError(_ field: Int, _ instance: Instance) -> Bool {
    let form = instance.form
    let entry = instance.tables.pointee.fields.at(field)
    let flags = instance.fields[field].flags
    guard flags.contains(.isVisible), !instance.isIgnored else { return false }
    if flags.contains(.isEmpty), !entry.hasFieldsBelow, mustHaveValue(field, entry, instance) { return true }
    if instance.trustsValue(of: field) { return false }
    if instance.fields[field].schemaErrors.contains({ form.blocks($0) }) { return true }
    if flags.contains(.isNotOffered) { return true }
    if flags.contains(.isDuplicate), let error = form.fields[field].duplicateError,
      form.blocks(.prepared(PreparedErrorReference(error)))
    {
      return true
    }
    if let parts = instance.instanceExtras?.objectKeywordErrors, !parts.isEmpty {
      for errors in parts.values where errors.contains(where: { $0.field == field && form.blocks($0.error) }) {
        return true
      }
    }
    return form.fields[field].rules.contains { rule in
      error(ofRule: rule, at: field, instance).map { form.blocks($0) } ?? false
    }
  }

  // MARK: The shown message

  /// Chooses the error whose message is shown, by the field's policy. Returns whether formulas read another text.
  private func updateMessage(_ field: Int, _ instance: Instance) -> Bool {
    let form = instance.form
    let state = instance.fields.at(field)
    let displayed = takeDisplayedError(of: field, instance)
    guard displayed != state.pointee.displayed else { return false }
    let locale = instance.withSession { $0.localeIndex }
    let old = state.pointee.displayed.map { form.message(of: $0, locale: locale) }
    // Another error may have the same text.
    let isCertain = old == nil || displayed == nil
    if instance.template != 0 {
      instance.row.map { noteMessage(of: field, in: $0) }
    } else {
      note(form.layout.message(field), old.map { .text($0) } ?? .absent, isCertain: isCertain)
    }
    state.pointee.displayed = displayed
    markForSnapshot(field, in: instance)
    let slot = instance.tables.pointee.fields[field].messageSlot
    guard slot >= 0 else { return false }
    return store(.string(displayed.map { form.message(of: $0, locale: locale) } ?? ""), in: slot, of: instance)
  }

  /// The error that an outcome gives to the field. It shows at once, before the field's policy shows any other error.
  @inline(__always)
  private func serverError(of field: Int, _ instance: Instance) -> FieldError? {
    instance.instanceExtras == nil ? nil : knownServerError(of: field, instance)
  }

  private func knownServerError(of field: Int, _ instance: Instance) -> FieldError? {
    guard let error = instance.instanceExtras?.serverErrors[field]?.first?.error else { return nil }
    return instance.fields[field].errors.contains { $0 == error } ? error : nil
  }

  /// The error whose message is to be shown; nil: none. Ends ``FieldFlags/revealsNow``.
  private func takeDisplayedError(of field: Int, _ instance: Instance) -> FieldError? {
    let state = instance.fields.at(field)
    let flags = state.pointee.flags
    if flags.contains(.revealsNow) { state.pointee.flags.remove(.revealsNow) }
    if state.borrowed.pointee.hasErrors(.none) { return nil }
    let form = instance.form
    let policy = form.fields[field].show
    // Errors come before warnings, so a warning is shown only if there is no error.
    var first: FieldError? {
      form.fields[field].groups.isEmpty ? state.pointee.errors.first : firstError(toShowOf: field, instance)
    }
    let showsAlways = instance.withSession { $0.flags.contains(.showsAlways) }
    if !showsAlways, !flags.permitMessages(policy) { return serverError(of: field, instance) }
    if flags.contains(.revealsNow) { return first }
    // While the user is at it, no new message appears. The message that is shown may go, or change its text.
    let isStanding = flags.contains(.isComposing) || !showsAlways && policy == .blur && flags.contains(.isFocused)
    if !isStanding { return first }
    guard let shown = state.pointee.displayed else { return nil }
    return standingError(like: shown, among: state.pointee.errors, form)
  }

  /// The first error that may be shown. An error about a group of fields waits until the user has left each field of
  /// the group, or a tap has revealed its messages.
  @inline(never)
  private func firstError(toShowOf field: Int, _ instance: Instance) -> FieldError? {
    let (form, state) = (instance.form, instance.fields.at(field))
    let showsAll =
      form.fields[field].show == .always || state.pointee.flags.contains(.isRevealed)
      || instance.withSession { $0.flags.contains(.showsAlways) }
    return state.pointee.errors.all.first { error in
      guard !showsAll, let group = form.fields[field].groups.first(where: { form.isError(error, of: $0, at: field) })
      else { return true }
      return group.fields.allSatisfy { other in
        let flags = instance.fields[other].flags
        return flags.contains(.isTouched) || !flags.contains(.isVisible)
      }
    }
  }

  /// The error that is shown, if it is still listed. Otherwise an error with its code, because the details about the
  /// value may have changed.
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

extension FieldFlags {
  /// Whether a field with that policy and these flags may show messages: its time has come, or a tap has revealed them.
  @inline(__always)
  fileprivate func permitMessages(_ policy: ShowPolicy) -> Bool {
    if contains(.isRevealed) { return true }
    return switch policy {
    case .always: true
    case .edit: !isDisjoint(with: [.isEdited, .hasBeenRecomputed])
    case .blur: !isDisjoint(with: [.isTouched, .hasBeenRecomputed])
    case .submit: false
    }
  }
}
