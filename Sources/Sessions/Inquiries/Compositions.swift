internal import Forms
internal import Times

/// The values that input methods are composing, as far as inquiries are concerned: an unfinished text is not worth a
/// question to a service.
struct Compositions {
  /// A field of the form (row 0), or of a row.
  struct ComposedField: Hashable {
    let field: Int
    let row: Int
  }

  /// The fields that may be composed now. A composition that has ended may still be here until the turn settles.
  private(set) var fields: Set<ComposedField> = []
  /// Whether the current turn has changed a value that is being composed.
  private(set) var hasChanged = false
  /// The inquiries that wait for the end of all compositions, in the order in which they began to wait. An inquiry that
  /// has gone, or has its answer, may still be here.
  private(set) var waiting: [TimerList.Kind] = []
  /// The fields that the inquiries read which have had a question during a composition: see
  /// ``Form/inputs(ofCheck:)``.
  private var inputs: [Inquirer: [Int: Int]] = [:]

  /// Whether any field may be composed now.
  var areAny: Bool { !fields.isEmpty }

  /// An input method has composed a value, or (with `hasChanged` false) has confirmed the same value.
  mutating func composed(_ field: ComposedField, hasChanged: Bool) {
    fields.insert(field)
    if hasChanged { self.hasChanged = true }
  }

  /// The fields that an inquiry reads.
  mutating func inputs(of inquirer: Inquirer, in form: Form) -> [Int: Int] {
    if let known = inputs[inquirer] { return known }
    let found =
      switch inquirer {
      case .check(let index): form.inputs(ofCheck: index)
      case .lookup(let index): form.inputs(ofLookup: index)
      }
    inputs[inquirer] = found
    return found
  }

  /// An inquiry waits for the end of all compositions.
  mutating func wait(_ inquiry: TimerList.Kind) {
    if !waiting.contains(inquiry) { waiting.append(inquiry) }
  }

  /// The nodes that the turn's changes have made stale are computed. Fields that are not composed any more go.
  mutating func changesComputed(isComposed: (ComposedField) -> Bool) {
    hasChanged = false
    fields = fields.filter(isComposed)
  }

  /// All compositions have ended. Returns the inquiries that have waited for that.
  mutating func ended() -> [TimerList.Kind] {
    defer { self = Compositions() }
    return waiting
  }
}

extension Engine {
  /// Whether the inquiry of a check or a lookup waits for the end of a composition: if it reads a value that is being
  /// composed, or if a change of such a value makes it ask. (The turn of such a change makes only the nodes stale that
  /// depend on it, so its new inquiries are these.)
  func waitsForComposition(_ inquirer: Inquirer, in instance: Instance) -> Bool {
    let session = instance.session
    guard let extras = session.extras, extras.compositions.areAny else { return false }
    let inquiry = TimerList.Kind.debounce(row: instance.rowID, of: inquirer)
    if extras.compositions.waiting.contains(inquiry) { return true }
    if !extras.compositions.hasChanged {
      let inputs = extras.compositions.inputs(of: inquirer, in: session.form)
      let readsComposed = extras.compositions.fields.contains { composed in
        guard let scope = inputs[composed.field], let other = session.instance(of: composed.row),
          other.fields[composed.field].flags.contains(.isComposing)
        else { return false }
        return other.instance(of: scope) === instance.instance(of: scope)
      }
      guard readsComposed else { return false }
    }
    extras.compositions.wait(inquiry)
    return true
  }

  /// A value is being composed.
  func noteComposition(of field: Int, hasChanged: Bool, in instance: Instance) {
    let composed = Compositions.ComposedField(field: field, row: instance.rowID)
    instance.session.madeExtras.compositions.composed(composed, hasChanged: hasChanged)
  }

  /// Ends all compositions, because a tap sends the current values.
  func endCompositions(of session: Session) {
    guard let extras = session.extras, extras.compositions.areAny else { return }
    for composed in extras.compositions.fields {
      guard let instance = session.instance(of: composed.row),
        instance.fields[composed.field].flags.remove(.isComposing) != nil
      else { continue }
      markForSnapshot(composed.field, in: instance)
      changed(.attention, ofField: composed.field, in: instance)
    }
    propagate(session)
    askAfterCompositions(in: session, extras)
  }

  /// If no field is composed any more, the inquiries that have waited for that ask: at the end of their debounce, if
  /// they have one.
  ///
  /// - Precondition: nothing is stale.
  func askAfterCompositions(in session: Session, _ extras: SessionExtras) {
    extras.compositions.changesComputed { composed in
      session.instance(of: composed.row)?.fields[composed.field].flags.contains(.isComposing) ?? false
    }
    if extras.compositions.areAny { return }
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
    case .check(let index): instanceExtras?.checks[index].machine.wait
    case .lookup(let index): instanceExtras?.lookups[index].machine.wait
    }
  }
}
