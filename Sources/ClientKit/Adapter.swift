internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The program that drives the client under test: commands go to its input, reports come from its output, each as one
/// line of JSON (protocol/clients/README.md).
package final class Adapter {
  /// Its standard input; this object closes it.
  private let input: CInt
  /// Its standard output; this object closes it.
  let output: CInt
  /// Its process; nil if it runs in this process.
  private let process: pid_t?
  private var buffer: [UInt8] = []
  private(set) var hasEnded = false

  /// An adapter in this process, or one that another program has started.
  ///
  /// - Parameters:
  ///   - input: the descriptor that commands are written to.
  ///   - output: the descriptor that reports are read from.
  package init(input: CInt, output: CInt) {
    self.input = input
    self.output = output
    process = nil
  }

  /// Starts an adapter. Its standard error is this program's.
  ///
  /// - Parameter command: the program, which is looked up in `PATH`, and its arguments.
  /// - Throws: ``KitFailure`` if it cannot be started.
  package init(command: [String]) throws(KitFailure) {
    var commands: [CInt] = [-1, -1]
    var reports: [CInt] = [-1, -1]
    guard pipe(&commands) == 0, pipe(&reports) == 0 else { throw KitFailure("pipe: \(SystemError.last)") }
    for end in commands + reports { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer {
      close(commands[0])
      close(reports[1])
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, commands[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, reports[1], STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that the end of the scenario reaches the programs that the adapter has started.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &broken)
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let error = posix_spawnp(&process, command[0], &actions, &attributes, &words, environ)
    input = commands[1]
    output = reports[0]
    self.process = error == 0 ? process : nil
    guard error == 0 else { throw KitFailure("\(command[0]): \(SystemError(code: error))") }
  }

  deinit {
    close(input)
    close(output)
    if let process {
      kill(-process, SIGKILL)
      var status: CInt = 0
      waitpid(process, &status, 0)
    }
  }

  /// Writes a command. An adapter that has ended does not get it.
  func tell(_ command: JSON) {
    var rest = Array((command.description + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads what has arrived: ``output`` must be readable, or the read waits.
  func receive() {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = read(output, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    if count > 0 { buffer += chunk[..<count] } else { hasEnded = true }
  }

  /// Takes the next whole report; nil if it has not arrived.
  ///
  /// - Throws: ``KitFailure`` if the line is not a JSON object.
  func nextReport() throws(KitFailure) -> JSONObject? {
    guard let end = buffer.firstIndex(of: 0x0A) else { return nil }
    let line = Array(buffer[..<end])
    buffer.removeSubrange(...end)
    guard let report = (try? JSON(parsing: line))?.objectValue else {
      throw KitFailure("the adapter wrote a line that is not a JSON object: \(String(decoding: line, as: UTF8.self))")
    }
    return report
  }
}
