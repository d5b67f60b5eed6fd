/// Faults that tests plant in how sessions are stored, to show that they would notice.
package enum StoringFault: CaseIterable, Sendable {
  /// Answers do not wait for the commit.
  case answerEarly
  /// Updates do not wait for it.
  case updateEarly
  /// Requests to others do not.
  case startEarly
  /// A commit that fails counts as done.
  case ignoreFailure
  /// What a turn has changed is not written.
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
