internal import JSON
internal import SourceTexts

/// One JSON object with `files` and `summary`. Each file has `file`, `valid` (null if it could not be judged),
/// `findings`, `untold` and `error`.
struct JSONReporter: FindingReporter {
  /// The unit of the characters in ranges.
  let encoding: PositionEncoding
  private var isFirst = true

  init(encoding: PositionEncoding) {
    self.encoding = encoding
  }

  mutating func begin() -> String { "{\"files\":[" }

  mutating func report(_ file: FileFindings) -> String {
    defer { isFirst = false }
    var object: JSONObject = ["file": .string(file.file), "valid": .null]
    if file.outcome != .unjudged { object["valid"] = .bool(file.outcome == .fine) }
    object["findings"] = .array(file.findings.map(json))
    if file.untold > 0 { object["untold"] = .integer(Int64(file.untold)) }
    if let trouble = file.trouble { object["error"] = .string(trouble) }
    return (isFirst ? "\n" : ",\n") + JSON.object(object).description
  }

  mutating func end(_ summary: RunSummary) -> String { "\n],\"summary\":\(summary.json)}\n" }

  private func json(_ finding: Finding) -> JSON {
    guard case .object(var object) = finding.diagnostic.json(encoding: encoding) else { return .null }
    if let location = finding.keywordLocation { object["keywordLocation"] = .string(location) }
    if let kind = finding.lossKind { object["kind"] = .string(kind) }
    let causes = finding.lines.dropFirst().map { line in
      JSON.object(
        line.position.map {
          ["line": .integer(Int64($0.line)), "column": .integer(Int64($0.column)), "message": .string(line.text)]
        } ?? ["message": .string(line.text)]
      )
    }
    if !causes.isEmpty { object["causes"] = .array(Array(causes)) }
    return .object(object)
  }
}
