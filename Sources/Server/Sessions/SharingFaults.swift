/// Faults that tests plant where several clients have a session, to show that they would notice.
package enum SharingFault: CaseIterable, Sendable {
  /// Nobody is told what others enter.
  case forgetOthers
  /// Who typed at the same time as another is not told what counts.
  case forgetContest
  /// An update that says nothing to a client counts as told.
  case countUntold
  /// Who leaves a field ends the editing for all.
  case leaveForAll
  /// Whoever goes stays in the fields.
  case stayInside
  /// An event that nobody hears is not kept.
  case forgetEvents
  /// Who attaches is told again what was told before.
  case repeatEvents
  /// What was held back for a client that went is kept for nobody.
  case keepHeldBack
}
