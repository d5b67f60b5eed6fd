internal import CEL
internal import Forms

/// Another language for the texts of a session that is open.
extension Engine {
  /// From now on the session's texts are in that language. Texts from a service, or from a formula of an outcome, keep
  /// their language.
  func setLocale(_ locale: String, of session: Session) {
    if session.locale == locale { return }
    let (before, after) = (session.localeIndex, session.form.localeIndex(for: locale))
    if before != after { noteTexts(in: session, before: before, after: after) }
    session.setLocale(locale, index: after)
    mark(.opening, in: session)
    let slots = session.form.slots
    if slots.formLocale >= 0, store(.string(locale), in: slots.formLocale, of: session) {
      changedForm(.formLocale, in: session)
    }
    session.forEachPlace { place in
      guard let displayed = place.state.pointee.displayed else { return }
      let message = session.form.message(of: displayed, locale: after)
      let slot = session.tables.pointee.fields[place.field].messageSlot
      if slot >= 0, store(message, in: slot, of: place.instance) {
        changed(.message, ofField: place.field, in: place.instance)
      }
    }
    translateOutcomes(of: session)
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
    if session.formErrors.contains(differs) { note(DocumentLayout.errors, .absent, in: session) }
    session.forEachPlace { place in
      if let displayed = place.state.pointee.displayed, differs(displayed) {
        let text = form.message(of: displayed, locale: before)
        if let row = place.instance.row {
          noteMessage(of: place.field, in: row)
        } else {
          note(form.layout.message(place.field), .text(text), isCertain: false, in: session)
        }
      }
      if place.state.pointee.errors.contains(differs) { note(.errors, of: place.field, .absent, in: place.instance) }
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
