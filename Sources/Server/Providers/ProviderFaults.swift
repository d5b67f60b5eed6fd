/// Faults that tests plant in the choice of the holder to ask, to show that they would notice.
package enum ProviderFault: CaseIterable, Sendable {
  /// More may hold a name than the configuration says.
  case admitAll
  /// A holder that reads nothing is asked like any other.
  case askFull
  /// A holder that has unregistered is still asked.
  case askUnregistered
  /// The open questions of a holder that unregisters are dropped.
  case endAtUnregistering
  /// The open questions of a holder that goes get no answer.
  case loseQuestions
  /// A question is asked twice.
  case askTwice
  /// A question is repeated even if its work may be done already.
  case repeatActions
  /// The second holder does not get the key.
  case loseKey
}
