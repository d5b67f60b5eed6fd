internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Another language for the texts of a session that is open.
extension Engine {
  /// From now on the session's texts are in that language. Texts from a service, or from a formula of an outcome, keep
  /// their language.
  func setLocale(_ locale: String, of session: Session) {
    if session.locale == locale { return }
    // A typed text is read in the language in which it was typed.
    if session.form.readsTyped { flushAll(session) }
    let (before, after) = (session.localeIndex, session.form.localeIndex(for: locale))
    if before != after { noteTexts(in: session, before: before, after: after) }
    session.setLocale(locale, index: after)
    markForSnapshot(.opening, in: session)
    let slot = session.form.slots.form[.locale, 0]
    if slot >= 0, store(.string(locale), in: slot, of: session) { formChanged(FactSet(form: .locale), in: session) }
    session.forEachField { live in
      guard let displayed = live.state.pointee.displayed else { return }
      let message = session.form.message(of: displayed, locale: after)
      let slot = session.tables.pointee.fields[live.field].messageSlot
      if slot >= 0, store(.string(message), in: slot, of: live.instance) {
        changed(.message, ofField: live.field, in: live.instance)
      }
    }
    translateOutcomes(of: session)
    if session.form.readsTyped { readAgain(session) }
    // Texts of the schema's errors are made when a value is judged, and a text with placeholders is made for one error.
    markAllStale(session)
  }

  /// Notes the cells whose texts differ in the new language. A prepared error compares equal in all languages, so the
  /// old content is noted as absent. Then the error is sent again in any case.
  private func noteTexts(in session: Session, before: Int, after: Int) {
    let form = session.form
    func differs(_ error: FieldError) -> Bool {
      form.message(of: error, locale: before) != form.message(of: error, locale: after)
    }
    if session.formErrors.contains(differs) { note(DocumentLayout.form(.errors), .absent) }
    session.forEachField { live in
      if let displayed = live.state.pointee.displayed, differs(displayed) {
        let text = form.message(of: displayed, locale: before)
        if let row = live.instance.row {
          noteMessage(of: live.field, in: row)
        } else {
          note(form.layout.message(live.field), .text(text), isCertain: false)
        }
      }
      if live.state.pointee.errors.contains(differs) { note(.errors, of: live.field, .absent, in: live.instance) }
    }
  }

  private func translateOutcomes(of session: Session) {
    for action in session.form.actions.indices {
      guard let outcome = session.actions[action].outcome, let texts = outcome.texts else { continue }
      setOutcome(
        ActionOutcomeState(
          result: outcome.result,
          error: outcome.error,
          message: texts[session.localeIndex],
          texts: texts
        ),
        action,
        session
      )
    }
  }
}
