/// Faults that tests plant in who is asked, to show that they would notice.
package enum ProviderFault: CaseIterable, Sendable {
  /// More may hold a name than the configuration says.
  case admitAll
  /// Who reads nothing is asked like any other.
  case askFull
  /// Who has unregistered is asked on.
  case askUnregistered
  /// What somebody was asked who unregisters is gone.
  case endAtUnregistering
  /// What somebody was asked who goes has no answer.
  case loseQuestions
  /// It is asked twice.
  case askTwice
  /// It is asked again even where it may have been done.
  case repeatActions
  /// The second one does not hear the key.
  case loseKey
}
