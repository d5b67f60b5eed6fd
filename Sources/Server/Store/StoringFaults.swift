/// Faults that tests plant in the storing of sessions, to show that they would notice.
package enum StoringFault: CaseIterable, Sendable {
  /// Answers do not wait for the commit.
  case answerEarly
  /// Updates do not wait for it.
  case updateEarly
  /// Requests to services, databases and providers do not wait for it.
  case startEarly
  /// A commit that fails counts as done.
  case ignoreFailure
  /// The changes of a turn are not written.
  case forgetChanges
  /// Events are not written.
  case forgetEvents
  /// A key that was rotated stays.
  case forgetRename
  /// A session that was closed stays.
  case forgetRemoval
  /// Secrets are written.
  case keepSecrets
}
