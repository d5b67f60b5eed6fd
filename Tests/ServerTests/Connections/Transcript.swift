import Forms
import Foundation
import JSON
import Server
import Sessions
import Testing

/// A recorded conversation (protocol/transcripts/README.md).
struct Transcript: Sendable, CustomTestStringConvertible {
  /// One line of it.
  enum Line: Sendable {
    case sent(JSON)
    case received(JSON)
    case effect(EffectResponse)
  }

  let name: String
  /// The lines, each with its virtual time in milliseconds.
  let lines: [(at: Int64, line: Line)]

  var testDescription: String { name }

  private static let root: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("protocol").path
  }()

  /// All transcripts in the repository.
  static let all: [Transcript] = {
    let folder = root + "/transcripts"
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return try names.filter { $0.hasSuffix(".jsonl") }.sorted().map { try Transcript(file: folder + "/" + $0) }
    } catch {
      // Without its file a test would have no case, and pass.
      fatalError("the transcripts in \(folder) cannot be read: \(error)")
    }
  }()

  /// The example forms.
  static let examples: FormCatalog = FormCatalog.read(folders: [root + "/examples"]).catalog

  init(file: String) throws {
    name = String(file.split(separator: "/").last ?? "")
    var lines: [(at: Int64, line: Line)] = []
    for text in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") where !text.hasPrefix("#") {
      let json = try JSON(parsing: String(text))
      let at = json["at"]?.integerValue ?? 0
      if let frame = json["frame"] {
        lines.append((at, json["dir"] == "->" ? .sent(frame) : .received(frame)))
      } else if let response = json["effect"]?["response"] {
        lines.append((at, .effect(EffectResponse(transcript: response))))
      }
    }
    self.lines = lines
  }
}

extension EffectResponse {
  /// Reads an effect's answer from a transcript.
  fileprivate init(transcript json: JSON) {
    self.init(
      kind: json["kind"]?.stringValue.flatMap(Kind.init(rawValue:)) ?? .error,
      status: Int(json["status"]?.integerValue ?? 0),
      headers: json["headers"]?.objectValue ?? [:],
      body: json["body"],
      rows: json["rows"]?.arrayValue
    )
  }
}

/// Whether a message holds what was recorded: every recorded member, `patch` and `document` whole.
func holds(_ actual: JSON, _ recorded: JSON, under name: String = "") -> Bool {
  guard let members = recorded.objectValue, name != "patch", name != "document" else {
    if let expected = recorded.arrayValue, let found = actual.arrayValue {
      return expected.count == found.count && zip(found, expected).allSatisfy { holds($0, $1) }
    }
    return actual == recorded
  }
  return members.allSatisfy { member in
    actual[member.name].map { holds($0, member.value, under: member.name) } ?? false
  }
}
