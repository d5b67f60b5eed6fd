/// Faults that tests plant in the choice of the holder to ask, to show that they would notice.
package enum ProviderFault: CaseIterable, Sendable {
  /// More may hold a name than the configuration says.
  case admitAll
  /// A holder that reads nothing is asked like any other.
  case askFull
  /// A holder that has unregistered is still asked.
  case askUnregistered
  /// The open calls of a holder that unregisters are dropped.
  case endAtUnregistering
  /// The open calls of a holder that goes get no answer.
  case loseCalls
  /// A call is made twice.
  case askTwice
  /// A call is repeated even if its work may be done already.
  case repeatActions
  /// The second holder does not get the key.
  case loseKey
}
