internal import CEL
internal import Forms

/// Another language for the texts of a session that is open.
extension Engine {
  /// From now on the session's texts are in that language. What a service or a formula of an outcome said stays as it was said.
  func setLocale(_ locale: String, of session: Session) {
    if session.locale == locale { return }
    let (before, after) = (session.localeIndex, session.form.localeIndex(for: locale))
    if before != after { noteTexts(in: session, before: before, after: after) }
    session.setLocale(locale, index: after)
    let slots = session.form.slots
    if slots.formLocale >= 0, store(.string(locale), in: slots.formLocale, of: session) {
      changedForm(.formLocale, in: session)
    }
    for field in session.form.fields.indices {
      guard let displayed = session.fields[field].displayed else { continue }
      let message = session.form.message(of: displayed, locale: after)
      if slots.messages[field] >= 0, store(message, in: slots.messages[field], of: session) {
        changed(.message, ofField: field, in: session)
      }
    }
    translateOutcomes(of: session)
    // Texts of the schema's errors are made when a value is judged, and a text with placeholders is made for one error.
    for node in session.form.graph.nodes.indices { dirty.insert(Int32(node)) }
  }

  /// Notes the cells whose texts are another in the new language. A prepared error stays the same error, so that what stands in the
  /// document is noted as absent: it is told anew in any case.
  private func noteTexts(in session: Session, before: Int, after: Int) {
    let form = session.form
    func differs(_ error: FieldError) -> Bool {
      form.message(of: error, locale: before) != form.message(of: error, locale: after)
    }
    if session.formErrors.contains(differs) { note(DocumentLayout.errors, .absent, in: session) }
    for field in form.fields.indices {
      if let displayed = session.fields[field].displayed, differs(displayed) {
        let text = form.message(of: displayed, locale: before)
        note(form.layout.message(field), .text(text), isCertain: false, in: session)
      }
      guard session.fields[field].errors.contains(differs) else { continue }
      note(form.layout.field(field, .errors), .absent, in: session)
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
