internal import Formats
internal import JSON
internal import SourceTexts

/// The Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS Standard): one run. A file that could not be
/// judged is not a result. It is a notification of a failed invocation (sections 3.20.14 and 3.20.21).
struct SARIFReporter: FindingReporter {
  private let tool: ReportingTool
  private let folder: String
  private var fingerprints = Fingerprints()
  /// The codes so far, in the order of their indices.
  private var rules: [String] = []
  private var ruleIndices: [String: Int] = [:]
  private var notifications: [JSON] = []
  private var isFirst = true

  init(tool: ReportingTool, folder: String) {
    self.tool = tool
    self.folder = folder
  }

  mutating func begin() -> String {
    """
    {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints",\
    "results":[
    """
  }

  mutating func report(_ file: FileFindings) -> String {
    var text = ""
    for finding in file.findings {
      text += (isFirst ? "\n" : ",\n") + result(finding, in: file.file).description
      isFirst = false
    }
    if let trouble = file.trouble {
      notifications.append(
        ["level": "error", "message": ["text": .string(trouble)], "locations": [location(file.file, nil, nil)]]
      )
    }
    return text
  }

  /// The tool comes after the results, since its rules are known only then.
  mutating func end(_ summary: RunSummary) -> String {
    let driver: JSON = [
      "name": .string(tool.name), "version": .string(tool.version),
      "rules": .array(rules.map { ["id": .string($0)] }),
    ]
    let invocation: JSON = [
      "executionSuccessful": .bool(notifications.isEmpty), "exitCode": .integer(Int64(summary.exitStatus)),
      "toolExecutionNotifications": .array(notifications),
    ]
    return "\n],\"tool\":{\"driver\":\(driver)},\"invocations\":[\(invocation)]}]}\n"
  }

  private mutating func result(_ finding: Finding, in file: String) -> JSON {
    let diagnostic = finding.diagnostic
    let file = diagnostic.file ?? file
    let index = ruleIndices[diagnostic.code] ?? rules.count
    if index == rules.count {
      rules.append(diagnostic.code)
      ruleIndices[diagnostic.code] = index
    }
    let path = ReportedPath.path(file, from: folder)
    return [
      "ruleId": .string(diagnostic.code), "ruleIndex": .integer(Int64(index)),
      "level": .string(diagnostic.severity.rawValue), "message": ["text": .string(finding.statement)],
      "locations": [location(file, diagnostic.position, diagnostic.span?.endPosition)],
      "partialFingerprints": ["finding/v1": .string(fingerprints.print(of: finding, in: path))],
    ]
  }

  /// A location in a file; standard input has no URI.
  private func location(_ file: String, _ start: LineColumn?, _ end: LineColumn?) -> JSON {
    let path = ReportedPath.path(file, from: folder)
    guard file != "-" else { return ["message": ["text": "standard input"]] }
    let uri = PercentEncoding.encoded(path) { $0 == UInt8(ascii: "/") }
    var physical: JSONObject = ["artifactLocation": ["uri": .string(path.hasPrefix("/") ? "file://" + uri : uri)]]
    if let start {
      var region: JSONObject = [
        "startLine": .integer(Int64(start.line)), "startColumn": .integer(Int64(start.column)),
      ]
      if let end, (end.line, end.column) >= (start.line, start.column) {
        region["endLine"] = .integer(Int64(end.line))
        region["endColumn"] = .integer(Int64(end.column))
      }
      physical["region"] = .object(region)
    }
    return ["physicalLocation": .object(physical)]
  }
}
