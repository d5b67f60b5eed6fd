internal import Forms
internal import Times

/// The values that input methods are composing, as far as inquiries are concerned: an unfinished text is not worth a
/// question to a service.
struct Compositions {
  /// Whether any field may be composed now.
  private(set) var areAny = false
  /// Whether the current turn has changed a value that is being composed.
  private(set) var hasChanged = false
  /// The inquiries that wait for the end of all compositions, in the order in which they began to wait. An inquiry that
  /// has gone, or has its answer, may still be here.
  private(set) var waiting: [TimerList.Kind] = []

  /// An input method has composed a value, or (with `hasChanged` false) has confirmed the same value.
  mutating func composed(hasChanged: Bool) {
    areAny = true
    if hasChanged { self.hasChanged = true }
  }

  /// An inquiry has a question now.
  ///
  /// - Returns: whether it has to wait.
  mutating func asks(_ inquiry: TimerList.Kind) -> Bool {
    if !areAny { return false }
    if waiting.contains(inquiry) { return true }
    if hasChanged { waiting.append(inquiry) }
    return hasChanged
  }

  /// The nodes that the turn's changes have made stale are computed.
  mutating func changesComputed() { hasChanged = false }

  /// All compositions have ended. Returns the inquiries that have waited for that.
  mutating func ended() -> [TimerList.Kind] {
    defer { self = Compositions() }
    return waiting
  }
}

extension Engine {
  /// Whether the inquiry of a check or a lookup waits for the end of a composition that has changed a cell that it
  /// reads. The turn of such a change makes only the nodes stale that depend on it, so its new inquiries are these.
  func waitsForComposition(_ inquirer: Inquirer, in instance: Instance) -> Bool {
    guard let extras = instance.session.extras else { return false }
    return extras.compositions.asks(.debounce(row: instance.rowID, of: inquirer))
  }

  /// Ends all compositions, because a tap sends the current values.
  func endCompositions(of session: Session) {
    guard let extras = session.extras, extras.compositions.areAny else { return }
    session.forEachField { live in
      guard live.state.pointee.flags.remove(.isComposing) != nil else { return }
      mark(live.field, in: live.instance)
      changed(.attention, ofField: live.field, in: live.instance)
    }
    propagate(session)
    askAfterCompositions(in: session, extras)
  }

  /// If no field is composed any more, the inquiries that have waited for that ask: at the end of their debounce, if
  /// they have one.
  ///
  /// - Precondition: nothing is stale.
  func askAfterCompositions(in session: Session, _ extras: SessionExtras) {
    extras.compositions.changesComputed()
    var areAny = false
    session.forEachField { if $0.state.pointee.flags.contains(.isComposing) { areAny = true } }
    if areAny { return }
    for waiting in extras.compositions.ended() {
      guard case .debounce(let row, let inquirer) = waiting, let instance = session.instance(of: row),
        instance.wait(of: inquirer) == .debounce
      else { continue }
      if let debounce = session.form.terms(of: inquirer).debounce {
        extras.timers.set(waiting, to: now + debounce)
      } else {
        debounceEnded(of: inquirer, in: instance)
      }
    }
    propagate(session)
  }
}

extension Instance {
  /// The event that one of its checks or lookups waits for.
  fileprivate func wait(of inquirer: Inquirer) -> InquiryWait? {
    switch inquirer {
    case .check(let index): own?.checks[index].machine.wait
    case .lookup(let index): own?.lookups[index].machine.wait
    }
  }
}
