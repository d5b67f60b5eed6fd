/// Faults that tests plant in sessions of several clients, to show that they would notice.
package enum SharingFault: CaseIterable, Sendable {
  /// No client gets the values that other clients enter.
  case forgetOthers
  /// A client that typed at the same time as another does not get the value that counts.
  case forgetContest
  /// An update that is empty for a client counts as sent.
  case countUntold
  /// A client that leaves a field ends the editing for all.
  case leaveForAll
  /// A client that goes stays in the fields.
  case stayInside
  /// An event that no client hears is not kept.
  case forgetEvents
  /// A client that attaches gets the old events again.
  case repeatEvents
  /// Events held back for a client that went are not kept.
  case keepHeldBack
}
