package import Configuration
package import Files
internal import FormProtocol
package import Processes
internal import SessionStore

extension ServerConfiguration {
  /// The reasons why a daemon with this configuration cannot start here, if they can be found without starting it. The
  /// daemon looks for them at its start.
  var startProblems: [StartError] {
    var problems: [StartError] = []
    func check(_ body: () throws(StartError) -> Void) {
      do throws(StartError) { try body() } catch { problems.append(error) }
    }
    check { () throws(StartError) in
      _ = try OpenFileLimit.raised(for: self).connectionsMax(wanted: limits[.connectionsMax])
    }
    if case .sqlite(let file)? = store, let failure = SessionDatabase.fileProblem(at: file.path) {
      problems.append(StartError(ofStore: failure))
    }
    if let auditFile, let problem = AuditFile.problem(at: auditFile) { problems.append(problem) }
    return problems
  }

  /// All reasons why a daemon cannot use these settings here: ``startProblems``, the path of the socket, the format of
  /// the store, and the outputs of the metrics. Without a path, a service manager may give the daemon its socket.
  /// A daemon that runs must not ask, because the store's file is opened and closed.
  package var problems: [StartError] {
    var problems = reloadProblems
    if problems.isEmpty, case .sqlite(let file)? = store,
      let failure = SessionDatabase.fileFormatProblem(at: file.path)
    {
      problems.append(StartError(ofStore: failure))
    }
    if socket != nil, let problem = socketProblem { problems.append(problem) }
    return problems
  }

  /// The reasons why a daemon that runs cannot use these settings. Its socket stays as it is.
  var reloadProblems: [StartError] {
    startProblems + (metrics.problem.map { [StartError($0)] } ?? [])
  }

  /// The reason why no daemon can make its socket; nil if nothing is found. Nothing is made.
  private var socketProblem: StartError? {
    do throws(StartError) {
      let path = try SocketPath(socket)
      try path.refuseUnusableFolder()
      try path.refuseWhatIsNoSocket()
      return nil
    } catch {
      return error
    }
  }
}

extension StartError {
  /// The store cannot be used.
  init(ofStore failure: StoreFailure) {
    self.init("kept sessions cannot be stored: \(failure.description)")
  }

  /// A folder with forms cannot be read.
  package init(ofFolder folder: String, _ error: SystemError) {
    let reason = error.isMissing ? "there is no folder \(folder)" : "the folder \(folder) cannot be read (\(error))"
    self.init("\(reason); forms are read from the folders that --forms or the configuration names")
  }
}
