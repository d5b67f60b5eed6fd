internal import FormProtocol
internal import JSON
internal import SessionCalls

extension TestStep {
  /// The word of the step.
  package var verb: Verb? {
    let has: [(Verb, Bool)] = [
      (.change, change != nil), (.focus, focus != nil), (.blur, blur != nil), (.insert, insert != nil),
      (.remove, remove != nil), (.move, move != nil), (.toggle, toggle != nil),
      (.fail, fail != nil), (.show, show != nil), (.tap, tap != nil), (.cancel, cancel != nil),
      (.setLocale, setLocale != nil), (.setContext, setContext != nil), (.reset, reset != nil),
      (.undo, undo != nil), (.redo, redo != nil),
      (.advance, advance != nil), (.answer, answer != nil),
    ]
    return has.first { $0.1 }?.0
  }

  /// The event, for people: `change email`, `tap login`, `advance 300ms`.
  package var summary: String {
    guard let verb else { return "nothing" }
    let subject: String? =
      switch verb {
      case .change:
        switch change {
        case .field(let address)?: address
        case .values(let values)?: values.names.joined(separator: ", ")
        case nil: nil
        }
      case .focus: focus
      case .blur: blur
      case .insert: insert
      case .remove: remove
      case .move: move
      case .toggle: toggle
      case .fail: fail
      case .show: show
      case .tap: tap
      case .cancel: cancel
      case .setLocale: setLocale
      case .setContext, .undo, .redo: nil
      case .reset: reset?.field
      case .advance: advance?.written
      case .answer: answer
      }
    return [verb.wireName.description, subject].compactMap(\.self).joined(separator: " ")
  }

  /// The params that a client would send.
  ///
  /// - Precondition: the step is neither `advance` nor `answer`.
  var params: any InputCall {
    if let change { return params(of: change) }
    if let focus {
      var params = FieldFocusParams()
      params.field = .text(focus)
      return params
    }
    if let blur {
      var params = FieldBlurParams()
      params.field = .text(blur)
      return params
    }
    if let insert {
      var params = FieldInsertParams()
      (params.field, params.at, params.value, params.values) = (insert, at, value, values)
      return params
    }
    if let remove {
      var params = FieldRemoveParams()
      params.field = remove
      return params
    }
    if let move {
      var params = FieldMoveParams()
      (params.field, params.to) = (move, to ?? .position(0))
      return params
    }
    if let toggle {
      var params = FieldToggleParams()
      (params.field, params.value) = (toggle, value ?? .null)
      return params
    }
    if let fail {
      var params = FieldFailParams()
      (params.field, params.message) = (fail, message ?? "")
      return params
    }
    if let show {
      var params = StepShowParams()
      params.step = show
      return params
    }
    if let tap {
      var params = ActionTapParams()
      params.action = tap
      return params
    }
    if let cancel {
      var params = ActionCancelParams()
      params.action = cancel
      return params
    }
    if let setLocale {
      var params = SessionSetLocaleParams()
      params.locale = setLocale
      return params
    }
    if let setContext {
      var params = SessionSetContextParams()
      params.context = setContext
      return params
    }
    if undo != nil { return SessionUndoParams() }
    if redo != nil { return SessionRedoParams() }
    guard let reset else { preconditionFailure("a step says what happens") }
    var params = SessionResetParams()
    (params.field, params.keepValues) = (reset.field, keepValues ?? false)
    return params
  }

  private func params(of change: ChangeSubject) -> FieldChangeParams {
    var params = FieldChangeParams()
    switch change {
    case .field(let address): (params.field, params.value) = (.text(address), value ?? .null)
    case .values(let values): params.values = values
    }
    params.origin = origin ?? .user
    params.isComposing = isComposing ?? false
    params.commit = commit ?? false
    return params
  }
}
