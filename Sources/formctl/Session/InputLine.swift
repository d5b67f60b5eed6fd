internal import JSON

/// One line of `formctl run`: what the user of a form did.
enum InputLine: Equatable {
  /// `email=kim@example.com`, or `count:=3` for JSON.
  case change(field: String, value: JSON)
  case focus(String)
  case blur(String)
  case step(String)
  case tap(String)
  case locale(String)
  case reset
  /// Waits until nothing is under way.
  case wait
  /// Prints the whole document.
  case show
  case help
  case quit
  /// An empty line, or a comment.
  case nothing

  /// Why a line is not understood, and what would be.
  struct Fault: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// Reads a line.
  init(_ line: String) throws(Fault) {
    let line = Self.trim(line)
    guard !line.isEmpty, !line.hasPrefix("#") else {
      self = .nothing
      return
    }
    if let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) {
      let isJSON = equals > line.startIndex && line.utf8[line.utf8.index(before: equals)] == UInt8(ascii: ":")
      let name = Self.trim(String(line[..<(isJSON ? line.utf8.index(before: equals) : equals)]))
      let text = String(line[line.utf8.index(after: equals)...])
      if !name.isEmpty, !name.contains(" ") {
        guard isJSON else {
          self = .change(field: name, value: .string(text))
          return
        }
        do {
          self = .change(field: name, value: try JSON(parsing: text))
        } catch {
          throw Fault(description: "what follows := is no JSON: \(error); for a text write \(name)=\(text)")
        }
        return
      }
    }
    let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    switch (words[0], words.count) {
    case ("focus", 2): self = .focus(words[1])
    case ("blur", 2): self = .blur(words[1])
    case ("step", 2): self = .step(words[1])
    case ("tap", 2): self = .tap(words[1])
    case ("focus", _), ("blur", _): throw Fault(description: "\(words[0]) needs one field: \(words[0]) email")
    case ("locale", 2): self = .locale(words[1])
    case ("locale", _): throw Fault(description: "locale needs one language: locale ko")
    case ("step", _): throw Fault(description: "step needs one step: step profile")
    case ("tap", _): throw Fault(description: "tap needs one action: tap login")
    case ("reset", 1): self = .reset
    case ("wait", 1): self = .wait
    case ("show", 1): self = .show
    case ("help", 1), ("?", 1): self = .help
    case ("quit", 1), ("exit", 1): self = .quit
    default:
      throw Fault(
        description: "\(JSON.string(words[0])) is not understood; write field=text, or help for what else there is"
      )
    }
  }

  private static func trim(_ text: String) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a }
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// What `help` prints.
  static let summary = """
    email=kim@example.com    the field email gets that text
    count:=3                 the field count gets that JSON value
    focus email              editing begins
    blur email               editing ends
    step profile             the user goes to the step profile
    tap login                the action login is tapped
    locale ko                texts are in Korean
    reset                    everything as it was in the beginning
    wait                     wait until nothing is under way
    show                     print the whole document
    quit                     end at once; the end of input waits first
    """
}
