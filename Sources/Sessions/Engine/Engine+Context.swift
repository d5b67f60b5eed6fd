internal import Forms
internal import JSON

/// The context that formulas read: a client gives it, and no input of a user changes it.
extension Engine {
  /// The context replaces the one before. Everything that reads a changed member is computed again.
  func setContext(_ context: JSONObject?, of session: Session) {
    guard let own = session.form.context else { return }
    let (before, after) = (session.context.map { JSON.object($0) }, context.map { JSON.object($0) })
    if before.isIdentical(to: after) { return }
    session.valueBytes += after.bytes - before.bytes
    session.madeExtras.context = context
    markForSnapshot(.context, in: session)
    var hasChanged = false
    for member in own.members where store(member.value(in: context), in: member.slot, of: session) { hasChanged = true }
    if hasChanged { formChanged(.context, in: session) }
  }

  /// Gives the slots their initial content.
  func initializeContextSlots(of session: Session) {
    guard let own = session.form.context else { return }
    for member in own.members { session.slots[Int(member.slot)] = member.value(in: session.context) }
  }
}

extension Session {
  /// The context that a client gave; nil without one. The form's schema admits it, except that secrets are missing in a
  /// session that was restored from a store.
  var context: JSONObject? { extras?.context }
}
