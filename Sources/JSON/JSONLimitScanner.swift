/// Finds the position at which a text exceeds ``JSONLimits`` before any value is built: a check of the finished tree
/// would come after its cost.
///
/// Each byte is looked at once and nothing is allocated, unless there is an error to report. The scanner counts values
/// by the token before each of them: a bracket, or a comma. It stops at the first byte that makes the text invalid
/// JSON. The reader, which reads up to that byte and no further, reports the error.
struct JSONLimitScanner {
  private let text: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var position = 0
  /// Values so far, or that are about to begin.
  private var nodes = 1

  /// Looks whether a text keeps to the limits.
  ///
  /// - Returns: the most values that a reader builds of the text.
  /// - Throws: the first position in the text's order at which a value is too deep or one too many.
  static func check(_ text: UnsafeBufferPointer<UInt8>, against limits: JSONLimits) throws(JSONReadError) -> Int {
    // The shortest value takes a byte, and a comma or bracket before it; each depth takes two brackets.
    let nodesMax = text.count / 2 + 1
    if nodesMax <= min(limits.nodesMax, limits.depthMax) { return nodesMax }
    var scanner = JSONLimitScanner(text: text, limits: limits)
    guard let reason = scanner.scan() else { return scanner.nodes }
    throw JSONReadError(
      reason: reason,
      offset: scanner.position,
      position: LineColumn(offset: scanner.position, in: text),
      path: path(to: scanner.position, in: text).description
    )
  }

  private init(text: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.text = text
    self.limits = limits
  }

  /// Goes to the value that breaks a limit; returns the limit.
  private mutating func scan() -> JSONReadError.Reason? {
    var depth = 0
    skipSpace()
    if nodes > limits.nodesMax { return .nodes }
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\""):
        skipString()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard depth < limits.depthMax else { return .depth }
        depth += 1
        let bracket = text[position]
        position += 1
        skipSpace()
        // ASCII has each closing bracket two codes behind its opening one.
        guard position < text.count, text[position] != bracket + 2 else { continue }
        guard beginsItem(in: bracket) else { return nil }
        nodes += 1
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
        guard beginsItem(in: UInt8(ascii: "[")) else { return nil }
        nodes += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        position += 1
        depth -= 1
      default:
        position += 1
      }
      if nodes > limits.nodesMax { return .nodes }
      if depth <= 0 { return nil }
    }
    return nil
  }

  /// Whether an element, or in an object a member, can begin here.
  private func beginsItem(in bracket: UInt8) -> Bool {
    guard position < text.count else { return false }
    switch text[position] {
    case UInt8(ascii: "\""): return true
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      return bracket == UInt8(ascii: "[")
    default: return false
    }
  }

  private mutating func skipSpace() {
    while position < text.count {
      switch text[position] {
      case 0x20, 0x0a, 0x0d, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func skipString() {
    position += 1
    while position < text.count {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\") { position += 1 }
    }
  }

  // MARK: The path in the value

  /// An array or object around a value.
  private struct Container {
    let isObject: Bool
    /// How many elements or members precede the current one, and the beginning of the current one.
    var index = 0
    var item: Int
  }

  /// The pointer to the value whose element or member begins at `end`.
  private static func path(to end: Int, in text: UnsafeBufferPointer<UInt8>) -> JSONPointer {
    var scanner = JSONLimitScanner(text: text, limits: .file)
    var containers: [Container] = []
    while scanner.position < end {
      let byte = text[scanner.position]
      if byte == UInt8(ascii: "\"") {
        scanner.skipString()
        continue
      }
      scanner.position += 1
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        containers.append(Container(isObject: byte == UInt8(ascii: "{"), item: scanner.position))
      case UInt8(ascii: ","):
        containers[containers.count - 1].index += 1
        containers[containers.count - 1].item = scanner.position
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        containers.removeLast()
      default: break
      }
    }
    return JSONPointer(tokens: containers.map { $0.isObject ? name(at: $0.item, in: text) : String($0.index) })
  }

  /// The member's name that begins there, behind white space; empty if none can be read.
  private static func name(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> String {
    var scanner = JSONLimitScanner(text: text, limits: .file)
    scanner.position = start
    scanner.skipSpace()
    let first = scanner.position
    scanner.skipString()
    let end = min(scanner.position, text.count)
    guard first < end, case .string(let name)? = try? JSON(parsing: UnsafeBufferPointer(rebasing: text[first..<end]))
    else { return "" }
    return name
  }
}
