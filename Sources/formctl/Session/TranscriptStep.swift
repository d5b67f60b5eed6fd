internal import FormProtocol
internal import JSON
internal import JSONRPC

/// One line of a transcript.
struct TranscriptStep {
  enum Direction: String {
    /// From the client to the daemon.
    case sent = "->"
    /// From the daemon to the client.
    case received = "<-"
  }

  /// The number of the line, from 1.
  var line: Int
  /// Virtual milliseconds since the beginning.
  var at: Int64
  var direction: Direction
  /// One JSON-RPC message.
  var frame: RPCFrame

  /// The format of a transcript, for messages.
  private static let shape =
    #"a transcript has one JSON object per line, such as {"at": 0, "dir": "->", "frame": {...}}"#

  /// Reads a transcript. It skips blank lines and lines that start with `#`. It also skips lines with an `effect`,
  /// which are for replays without a daemon.
  ///
  /// - Throws: ``CommandFailure`` with file and line if a line is invalid, or if no line has a frame.
  static func read(_ bytes: [UInt8], file: String) throws(CommandFailure) -> [TranscriptStep] {
    var steps: [TranscriptStep] = []
    for (index, text) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let isBlank = text.allSatisfy { $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }
      if isBlank || text.first == UInt8(ascii: "#") { continue }
      let location = "\(file):\(index + 1)"
      let value: JSON
      do {
        value = try Console.parseJSON(Array(text), from: file, line: index + 1)
      } catch {
        throw CommandFailure(message: "\(error.message)\n  \(shape)")
      }
      if value["effect"] != nil { continue }
      guard let frame = value["frame"] else {
        throw CommandFailure(message: "\(location): this is not a line of a transcript\n  \(shape)")
      }
      guard let direction = value["dir"]?.stringValue.flatMap(Direction.init(rawValue:)) else {
        throw CommandFailure(message: "\(location): \"dir\" must be \"->\" or \"<-\"")
      }
      guard let at = value["at"]?.integerValue, at >= (steps.last?.at ?? 0) else {
        throw CommandFailure(message: "\(location): \"at\" must be whole milliseconds, no earlier than the line before")
      }
      steps.append(TranscriptStep(line: index + 1, at: at, direction: direction, frame: RPCFrame(frame)))
    }
    guard !steps.isEmpty else { throw CommandFailure(message: "\(file): this is not a transcript\n  \(shape)") }
    return steps
  }
}

/// Compares recorded frames with real frames. Session numbers differ between runs and are translated.
struct FrameComparison {
  /// Real session numbers by recorded session number.
  private var sessions: [Int64: Int64] = [:]

  /// A recorded frame with the session numbers of this run.
  func translated(_ frame: RPCFrame) -> RPCFrame {
    var frame = frame
    for pointer in FramePointers.sessions {
      guard let recorded = frame.json.value(at: pointer)?.integerValue, let real = sessions[recorded] else { continue }
      frame.json.merge(pointer.tokens.reversed().reduce(.integer(real)) { .object(JSONObject([($1, $0)])) })
    }
    return frame
  }

  /// The differences and omissions against the recorded frame; each with its JSON Pointer.
  mutating func differences(expected: RPCFrame, actual: RPCFrame) -> [String] {
    var found: [String] = []
    compare(expected.json, actual.json, at: .root, into: &found)
    return found
  }

  private mutating func compare(_ expected: JSON, _ actual: JSON, at pointer: JSONPointer, into found: inout [String]) {
    if let recorded = expected.integerValue, let real = actual.integerValue, FramePointers.sessions.contains(pointer) {
      if sessions[recorded] == nil { sessions[recorded] = real }
      if sessions[recorded] == real { return }
    }
    switch (expected, actual) {
    case (.object(let wanted), .object(let present)):
      for member in wanted {
        let location = pointer.appending(member.name)
        if let value = present[member.name] {
          compare(member.value, value, at: location, into: &found)
        } else {
          found.append("\(location): missing; expected \(member.value)")
        }
      }
      // A patch or a document with additional members does not match the recording.
      guard FramePointers.documents.contains(where: { pointer.tokens.starts(with: $0.tokens) }) else { return }
      for member in present where wanted[member.name] == nil {
        found.append("\(pointer.appending(member.name)): not expected: \(member.value)")
      }
    case (.array(let wanted), .array(let present)) where wanted.count == present.count:
      for (index, pair) in zip(wanted, present).enumerated() {
        compare(pair.0, pair.1, at: pointer.appending(index), into: &found)
      }
    default:
      if expected != actual { found.append("\(pointer): \(actual) instead of \(expected)") }
    }
  }
}
