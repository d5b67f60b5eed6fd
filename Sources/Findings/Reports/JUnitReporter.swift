internal import JSON
internal import SourceTexts
internal import Texts

/// JUnit XML, which services for continuous integration read: a suite for each file, with one case.
struct JUnitReporter: FindingReporter {
  mutating func begin() -> String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" }

  mutating func report(_ file: FileFindings) -> String {
    let name = XMLText.attribute(file.file)
    let failures = file.outcome == .wrong ? 1 : 0
    let errors = file.outcome == .unjudged ? 1 : 0
    var text = "  <testsuite name=\"\(name)\" tests=\"1\" failures=\"\(failures)\" errors=\"\(errors)\">\n"
    text += "    <testcase classname=\"\(name)\" name=\"is valid\" file=\"\(name)\""
    if let line = file.findings.first?.diagnostic.position?.line { text += " line=\"\(line)\"" }
    text += ">\n"
    switch file.outcome {
    case .fine: text += output("system-out", file, message: nil)
    case .wrong: text += output("failure", file, message: file.findings.first?.diagnostic.message)
    case .unjudged: text += output("error", file, message: file.trouble)
    }
    return text + "    </testcase>\n  </testsuite>\n"
  }

  mutating func end(_ summary: RunSummary) -> String { "</testsuites>\n" }

  /// An element with all findings; none if there is nothing to report.
  private func output(_ element: String, _ file: FileFindings, message: String?) -> String {
    let lines =
      file.findings.map { finding in
        let position = [finding.diagnostic.file ?? file.file, finding.diagnostic.position?.description]
        return "\(position.compactMap { $0.map { "\($0):" } }.joined()) \(finding.statement)"
      } + [file.trouble].compactMap(\.self) + file.notes
    if lines.isEmpty, message == nil { return "" }
    let attribute = message.map { " message=\"\(XMLText.attribute($0))\"" } ?? ""
    let content = lines.map { XMLText.content($0) + "\n" }.joined()
    return "      <\(element)\(attribute)>\n\(content)      </\(element)>\n"
  }
}
