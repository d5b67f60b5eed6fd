internal import ArgumentParser
internal import Client
internal import Files
internal import FormProtocol
internal import JSON
internal import Texts

/// `formctl top`: shows the daemon's load and its clients.
struct TopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "top",
    abstract: "Show the daemon's load, and which clients take most of its time.",
    discussion: """
      On a terminal, the command goes on until Ctrl-C; otherwise it prints once. TIME
      is the time for a client's messages, timers and answers since it connected.
      MEMORY is what the daemon keeps or queues for the client. The ID is for formctl
      disconnect. The command also works when the daemon has reached its limit of
      clients.

        formctl top
        formctl top --clients 3 --json | jq '.topClients[].pid'
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Option(help: "How many clients to list, 0 to 10000; default: 20, or on a terminal as many as fit.")
  var clients: Int?
  @Option(help: ArgumentHelp("How often to refresh, in seconds.", valueName: "seconds")) var interval = 2.0
  @Option(help: "End after this number of refreshes; default: 1, or on a terminal no limit.") var count: Int?
  @Flag(help: "Print the daemon's answer unchanged.") var json = false

  func validate() throws {
    try validateSeconds(interval, option: "--interval")
    guard (0...10_000).contains(clients ?? 0) else { throw ValidationError("--clients must be from 0 to 10000.") }
    guard (count ?? 1) > 0 else { throw ValidationError("--count must be 1 or more.") }
  }

  func run() throws {
    let daemon = try connection.connect()
    var before: ServerStatistics?
    var timesLeft = count ?? (isScreen ? .max : 1)
    while true {
      let now = try daemon.stats(clients: clients ?? (isScreen ? Console.size.rows : 20), timeout: .seconds(10))
      show(now, since: before)
      before = now
      timesLeft -= 1
      if timesLeft == 0 { break }
      _ = Poll.wait(for: [daemon.descriptor], timeout: .seconds(interval))
    }
    // The shell's prompt must begin on a new line.
    if isScreen { Console.say("") }
  }

  /// Whether the screen is redrawn again and again.
  private var isScreen: Bool { Console.isTerminal && !json }

  private func show(_ now: ServerStatistics, since before: ServerStatistics?) {
    if json { return Console.say(now.json) }
    let view = TopView(now: now, before: before, name: ProcessName.of)
    guard isScreen else { return Console.say(view.lines.joined(separator: "\n")) }
    let size = Console.size
    // If the user asks for a number of clients, all of them are printed, even if the terminal scrolls.
    let lines = view.lines(columns: size.columns, rows: clients == nil ? size.rows : .max)
    // The output begins at the top of a cleared screen. A line break after the last line would scroll the first line
    // away.
    Console.show("\u{1b}[H\u{1b}[2J" + lines.joined(separator: "\n"))
  }
}

/// The names of this machine's processes.
enum ProcessName {
  /// The system's name of a process (proc(5), comm), without control characters; nil if the process does not exist.
  static func of(_ process: Int) -> String? {
    guard let bytes = try? FileBytes.read("/proc/\(process)/comm", bytesMax: 64, mayWait: true) else { return nil }
    // The file ends with a line break.
    return String(decoding: bytes.dropLast(), as: UTF8.self).printable
  }
}
