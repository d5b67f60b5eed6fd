internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The user's terminal: its keys, and its original settings.
///
/// While keys come one by one, Ctrl-C and Ctrl-Z still send signals, whatever this program waits for. A signal that
/// ends the program restores the terminal first.
final class TerminalDevice {
  /// The descriptor that keys are read from, for `poll`.
  let input: CInt
  private let output: CInt
  /// Whether the terminal can move its cursor, so that keys come one by one. Other terminals send whole lines.
  let isScreen: Bool
  /// Whether the output may have colors and styles.
  let hasColor: Bool
  /// A descriptor for `poll`. It is readable after a resize, and when the program goes on after a stop.
  let wake: CInt
  private let original: termios

  /// Takes over the terminal: `/dev/tty`, else standard input with standard error.
  ///
  /// - Throws: ``CommandFailure`` if there is none.
  init() throws(CommandFailure) {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    input = terminal >= 0 ? terminal : STDIN_FILENO
    output = terminal >= 0 ? terminal : STDERR_FILENO
    var settings = termios()
    guard tcgetattr(input, &settings) == 0 else { throw CommandFailure(message: "the terminal: \(SystemError.last)") }
    original = settings
    let kind = ProcessEnvironment["TERM"] ?? "dumb"
    isScreen = kind != "dumb"
    // By no-color.org, any value disables color, unless it is empty.
    hasColor = isScreen && ProcessEnvironment["NO_COLOR"] == nil
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw CommandFailure(message: "pipe: \(SystemError.last)") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wake = ends[0]
    if isScreen {
      settings.c_iflag &= ~tcflag_t(ICRNL | INLCR | IGNCR | IXON)
      settings.c_oflag &= ~tcflag_t(OPOST)
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    }
    TerminalSignals.begin(descriptor: input, output: output, wake: ends[1], isScreen, original, settings)
    apply(settings)
    if isScreen { write(TerminalSignals.pasteOn) }
  }

  /// Restores the terminal's settings.
  func restore() {
    if isScreen { write(TerminalSignals.pasteOff) }
    TerminalSignals.end()
    var settings = original
    tcsetattr(input, TCSADRAIN, &settings)
  }

  /// Sets whether a terminal that sends whole lines shows the typed text.
  func showsTyping(_ isShown: Bool) {
    var settings = original
    if !isShown { settings.c_lflag &= ~tcflag_t(ECHO) }
    apply(settings)
  }

  private func apply(_ settings: termios) {
    var settings = settings
    TerminalSignals.current = settings
    tcsetattr(input, TCSADRAIN, &settings)
  }

  /// The current size; 80 by 24 for a terminal that does not know its size.
  var size: (columns: Int, rows: Int) { Console.size(of: output) }

  /// The available input; empty at the end of the input.
  ///
  /// - Throws: ``CommandFailure`` if the terminal is gone.
  func read() throws(CommandFailure) -> ArraySlice<UInt8> {
    try Console.readChunk(of: input, "the terminal") ?? []
  }

  /// Clears the wake-up.
  ///
  /// - Returns: whether the program went on after a stop. Then other programs may have used the terminal.
  func wokeUp() -> Bool {
    var hasGoneOn = false
    var bytes = [UInt8](repeating: 0, count: 64)
    while true {
      let count = Glibc.read(wake, &bytes, bytes.count)
      guard count > 0 else { break }
      if bytes[..<count].contains(TerminalSignals.Wake.continued) { hasGoneOn = true }
    }
    if hasGoneOn, isScreen { write(TerminalSignals.pasteOn) }
    return hasGoneOn
  }

  /// Reads up to the end of a line, and discards it. So the rest of a secret that the user is typing does not reach the
  /// program behind this one.
  func discardLine() {
    while let bytes = try? read(), !bytes.isEmpty {
      // Ctrl-D ends the input of a screen.
      if bytes.contains(where: { [UInt8(ascii: "\r"), UInt8(ascii: "\n"), 4].contains($0) }) { return }
    }
  }

  /// Writes the whole text.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
      // The next read of keys reports a terminal that is gone.
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(count, 0))
    }
  }
}

/// The signal handlers for the terminal. They call only functions that signal-safety(7) allows. They read only
/// variables that are set before they are installed.
private enum TerminalSignals {
  static let pasteOn = "\u{1B}[?2004h"
  static let pasteOff = "\u{1B}[?2004l"
  nonisolated(unsafe) private static var descriptor: CInt = -1
  nonisolated(unsafe) private static var output: CInt = -1
  nonisolated(unsafe) private static var wake: CInt = -1
  nonisolated(unsafe) private static var isScreen = false
  nonisolated(unsafe) private static var original = termios()
  /// The settings while this program controls the terminal.
  nonisolated(unsafe) static var current = termios()

  /// The bytes that a screen gets at the end. They switch off bracketed paste, begin a new line, and clear the rest.
  nonisolated(unsafe) private static let farewell: UnsafeMutableBufferPointer<UInt8> = {
    let bytes = Array((pasteOff + "\r\n\u{1B}[J").utf8)
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }()

  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  static func begin(
    descriptor: CInt,
    output: CInt,
    wake: CInt,
    _ isScreen: Bool,
    _ original: termios,
    _ current: termios
  ) {
    self.descriptor = descriptor
    self.output = output
    self.wake = wake
    self.isScreen = isScreen
    self.original = original
    self.current = current
    // The buffer is made here, because a handler must not allocate it.
    _ = farewell
    for number in ending {
      signal(number) { number in
        TerminalSignals.giveBack()
        _exit(128 + number)
      }
    }
    signal(SIGWINCH) { _ in TerminalSignals.wakeUp(Wake.resized) }
    signal(SIGTSTP) { _ in
      let error = errno
      TerminalSignals.giveBack()
      kill(getpid(), SIGSTOP)
      errno = error
    }
    signal(SIGCONT) { _ in
      let error = errno
      tcsetattr(TerminalSignals.descriptor, TCSADRAIN, &TerminalSignals.current)
      TerminalSignals.wakeUp(Wake.continued)
      errno = error
    }
  }

  static func end() {
    for number in ending + [SIGWINCH, SIGTSTP, SIGCONT] { signal(number, SIG_DFL) }
  }

  /// Unread input is discarded, because it may be a part of a secret.
  private static func giveBack() {
    if isScreen { _ = Glibc.write(output, farewell.baseAddress, farewell.count) }
    tcsetattr(descriptor, TCSAFLUSH, &original)
  }

  /// The bytes that wake the program, by their reasons.
  enum Wake {
    static let resized: UInt8 = 0
    static let continued: UInt8 = 1
  }

  private static func wakeUp(_ reason: UInt8) {
    let error = errno
    var byte = reason
    _ = Glibc.write(wake, &byte, 1)
    errno = error
  }
}
