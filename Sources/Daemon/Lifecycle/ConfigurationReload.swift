internal import Actions
internal import Configuration
internal import Files
internal import FormProtocol
internal import Logging
internal import NIOCore
internal import Processes
internal import Server
internal import SourceTexts

/// A reload: reads the configuration and the forms again while the daemon runs. All of it is prepared first, and then
/// taken over at once. If a part cannot be used, nothing changes.
struct ConfigurationReload: Sendable {
  let host: NIOLoopBound<LoopServer>
  /// Reads the configuration; nil if its file can be read only once.
  let read: (@Sendable () throws(ConfigurationError) -> ServerConfiguration)?
  let makePerformer: @Sendable (ActionsConfiguration) -> RunningPerformer
  let logger: Logger
  /// The log and the entrance of clients take over a configuration.
  let follow: @Sendable (ServerConfiguration) -> Void

  /// Everything that one reload takes over.
  private struct Prepared: Sendable {
    var configuration: ServerConfiguration
    var changes: ConfigurationChanges
    var forms: FormCatalog.Reading
    var changedForms: [String]
    var performer: RunningPerformer?
  }

  /// Does it. If the task is cancelled, the daemon ends, and nothing changes any more.
  func perform() async {
    let loop = host.eventLoop
    guard let (current, forms) = try? await loop.submit({ host.value.reloadBegins() }).get() else { return }
    // However long files and definitions take, neither sessions nor signals wait.
    let result = await DetachedThread.result { () -> Result<Prepared, ConfigurationError> in
      Result { () throws(ConfigurationError) in try prepare(current, forms) }
    }
    guard !Task.isCancelled else {
      if case .success(let prepared) = result { await prepared.performer?.shutdown() }
      return
    }
    let outcome: ReloadOutcome
    switch result {
    case .success(let prepared):
      follow(prepared.configuration)
      try? await loop.submit {
        host.value.follow(prepared.configuration, prepared.forms, prepared.performer)
      }.get()
      outcome = report(prepared)
    case .failure(let error): outcome = report(error, formCount: forms.forms.count)
    }
    try? await loop.submit { host.value.reloadEnded(outcome) }.get()
  }

  /// - Throws: ``ConfigurationError`` with the problems because of which nothing is to change.
  private func prepare(
    _ current: ServerConfiguration,
    _ previous: FormCatalog
  ) throws(ConfigurationError) -> Prepared {
    let new = try read?() ?? current
    let problems = new.reloadProblems
    if !problems.isEmpty {
      throw ConfigurationError(
        problems: problems.map { Diagnostic(code: "configuration", message: $0.description) }
      )
    }
    let changes = ConfigurationChanges(from: current, to: new)
    var configuration = new.following(current)
    do throws(StartError) {
      configuration = try OpenFileLimit.fit(configuration, logger: logger)
    } catch {
      throw ConfigurationError(problems: [Diagnostic(code: "files", message: error.description)])
    }
    let forms = FormCatalog.read(folders: configuration.forms, previous: previous, for: configuration)
    // A folder that was there before may be away for a moment, and its forms stay.
    let missing = forms.unreadFolders.map(\.path).filter { !current.forms.contains($0) }
    if !missing.isEmpty {
      throw ConfigurationError(problems: forms.problems.filter { missing.contains($0.file ?? "") })
    }
    let performer = changes.concernActions ? makePerformer(configuration.actions) : nil
    return Prepared(
      configuration: configuration,
      changes: changes,
      forms: forms,
      changedForms: forms.catalog.changes(from: previous),
      performer: performer
    )
  }

  private func report(_ prepared: Prepared) -> ReloadOutcome {
    var outcome = ReloadOutcome()
    outcome.reloaded = true
    outcome.changed = prepared.changes.followed
    outcome.changedForms = prepared.changedForms
    outcome.needRestart = prepared.changes.needRestart
    if read == nil { outcome.needRestart.append("the configuration file, which is not a regular file") }
    outcome.formCount = prepared.forms.catalog.forms.count
    outcome.problems = prepared.forms.diagnostics.map { FormProblem($0) }
    for warning in prepared.configuration.warnings { logger.warning("\(warning)") }
    prepared.forms.log(to: logger)
    if !outcome.needRestart.isEmpty {
      logger.warning(
        "changed settings need a restart, and stay as they were",
        metadata: ["settings": "\(outcome.needRestart.joined(separator: ","))"]
      )
    }
    logger.notice(
      "reloaded",
      metadata: [
        "changed": "\(outcome.changed.isEmpty ? "nothing" : outcome.changed.joined(separator: ","))",
        "changedForms": "\(outcome.changedForms.joined(separator: ","))", "forms": "\(outcome.formCount)",
        "problems": "\(prepared.forms.problems.count)",
        "warnings": "\(prepared.forms.warnings.count)",
      ]
    )
    return outcome
  }

  private func report(_ error: ConfigurationError, formCount: Int) -> ReloadOutcome {
    for problem in error.problems { logger.error("\(problem)") }
    logger.error(
      "the configuration cannot be used, and nothing was changed",
      metadata: ["problems": "\(error.problems.count)"]
    )
    var outcome = ReloadOutcome()
    outcome.formCount = formCount
    outcome.problems = error.problems.map { FormProblem($0) }
    return outcome
  }
}

extension FormCatalog.Reading {
  /// Logs the problems of the forms.
  func log(to logger: Logger) {
    for problem in problems { logger.error("\(problem)") }
    for warning in warnings { logger.warning("\(warning)") }
  }
}
