import Findings
import JSON
internal import SourceTexts
import Testing

/// Two files with all kinds of findings, and names that every format has to escape.
private func report(_ format: ReportFormat) -> String {
  var reporter = format.reporter(tool: ReportingTool(name: "formctl", version: "1.2"), folder: "/repo")
  return document(&reporter)
}

private func document(_ reporter: inout any FindingReporter) -> String {
  var summary = RunSummary()
  var text = reporter.begin()
  for file in files {
    summary.count(file)
    text += reporter.report(file)
  }
  return text + reporter.end(summary)
}

private var files: [FileFindings] {
  let source = SourceText("{\"é\": 1,\n \"b\": []}")
  var wrong = Finding(
    Diagnostic(
      file: "/repo/a,b: 100%.json",
      pointer: JSONPointer(tokens: ["é"]),
      span: TextSpan(7..<8, of: source),
      code: "type",
      message: "not <1> & \u{1}"
    ),
    keywordLocation: "/properties/é/type",
    lines: [Finding.Line(position: LineColumn(line: 1, column: 7), text: "/é: not <1> & \u{1}")]
  )
  wrong.lines.append(Finding.Line(depth: 1, position: LineColumn(line: 2, column: 3), text: "why"))
  let warning = Finding(
    Diagnostic(
      file: "/repo/a,b: 100%.json",
      span: TextSpan(0..<source.bytes.count, of: source),
      code: "odd",
      message: "odd",
      remedy: "mend\nit",
      severity: .warning
    )
  )
  var found = FileFindings(file: "/repo/a,b: 100%.json", [wrong, warning])
  found.errors = 3
  found.notes = ["2 more"]
  var fine = FileFindings(file: "./fine.json")
  fine.praise = "valid"
  return [found, fine, FileFindings(file: "gone.json", trouble: "No such \"file\"")]
}

@Suite struct ReporterTests {
  @Test func `text is lines of places and words, then the totals`() {
    var reporter: any FindingReporter = TextReporter(totals: .files, isQuiet: false, hasColor: false)
    #expect(
      document(&reporter) == """
        /repo/a,b: 100%.json:1:7: /é: not <1> & \u{1}
          /repo/a,b: 100%.json:2:3: why
        /repo/a,b: 100%.json:1:1: warning: odd
            mend
        it
        2 more
        valid
        3 files: 1 valid, 1 invalid, 1 not judged; 3 errors, 1 warning

        """
    )
  }

  @Test func `quiet text has findings alone, and color marks places and severities`() {
    var quiet: any FindingReporter = TextReporter(totals: .files, isQuiet: true, hasColor: false)
    let lines = document(&quiet).split(separator: "\n")
    #expect(lines.last == "2 more" && !lines.contains("valid"))
    var colored: any FindingReporter = TextReporter(totals: .counts, isQuiet: false, hasColor: true)
    let text = document(&colored)
    #expect(text.contains("\u{1b}[1m/repo/a,b: 100%.json:1:1:\u{1b}[0m \u{1b}[35mwarning:\u{1b}[0m odd"))
    #expect(text.hasSuffix("3 errors, 1 warning\n"))
  }

  @Test func `JSON has all files and the summary in one object`() throws {
    let text = report(.json)
    #expect(
      text == #"""
        {"files":[
        {"file":"/repo/a,b: 100%.json","valid":false,"findings":[{"file":"/repo/a,b: 100%.json","path":"/é","line":1,"column":7,"range":{"start":{"line":0,"character":6},"end":{"line":0,"character":7}},"severity":"error","code":"type","message":"not <1> & \u0001","keywordLocation":"/properties/é/type","causes":[{"line":2,"column":3,"message":"why"}]},{"file":"/repo/a,b: 100%.json","path":"","line":1,"column":1,"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":9}},"severity":"warning","code":"odd","message":"odd","remedy":"mend\nit"}],"untold":2},
        {"file":"./fine.json","valid":true,"findings":[]},
        {"file":"gone.json","valid":null,"findings":[],"error":"No such \"file\""}
        ],"summary":{"files":3,"valid":1,"invalid":1,"unjudged":1,"errors":3,"warnings":1}}

        """#
    )
    _ = try JSON(parsing: text)
  }

  @Test func `GitHub's commands have their values escaped, and paths from the root`() {
    #expect(
      report(.github) == """
        ::error file=a%2Cb%3A 100%25.json,line=1,col=7,endLine=1,endColumn=8,title=type::/é: not <1> & \u{1}%0A  2:3: why
        ::warning file=a%2Cb%3A 100%25.json,line=1,endLine=2,title=odd::odd%0Amend%0Ait
        ::error file=gone.json::No such "file"
        3 files: 1 valid, 1 invalid, 1 not judged; 3 errors, 1 warning

        """
    )
  }

  @Test func `GitLab's issues have a path, a line and a fingerprint`() throws {
    let issues = try #require(JSON(parsing: report(.gitlab)).arrayValue)
    #expect(issues.map { $0["severity"] } == ["major", "minor", "critical"])
    #expect(issues.map { $0["check_name"] } == ["type", "odd", "unjudged"])
    #expect(issues[0]["location"] == ["path": "a,b: 100%.json", "lines": ["begin": 1]])
    #expect(issues[0]["description"] == "/é: not <1> & \u{1}\n  2:3: why")
    #expect(Set(issues.compactMap { $0["fingerprint"]?.stringValue }).count == 3)
  }

  @Test func `a fingerprint stays when lines move, and two findings that are alike have two`() throws {
    func prints(_ lines: [Int]) throws -> [String] {
      var reporter = ReportFormat.gitlab.reporter(tool: ReportingTool(name: "", version: ""), folder: "/")
      let findings = lines.map { line in
        Finding(Diagnostic(file: "a", position: LineColumn(line: line, column: 1), code: "c", message: "m"))
      }
      let text = reporter.begin() + reporter.report(FileFindings(file: "a", findings)) + reporter.end(RunSummary())
      return try #require(JSON(parsing: text).arrayValue).compactMap { $0["fingerprint"]?.stringValue }
    }
    #expect(try prints([1]) == prints([9]))
    #expect(try Set(prints([1, 2])).count == 2)
    #expect(try prints([1, 2]) == prints([5, 7]))
  }

  @Test func `SARIF has a run whose results name their rules and places`() throws {
    let log = try JSON(parsing: report(.sarif))
    #expect(log["version"] == "2.1.0")
    let run = try #require(log["runs"]?.arrayValue?.first)
    #expect(run["tool"]?["driver"] == ["name": "formctl", "version": "1.2", "rules": [["id": "type"], ["id": "odd"]]])
    let results = try #require(run["results"]?.arrayValue)
    #expect(results.map { $0["ruleIndex"] } == [0, 1] && results.map { $0["level"] } == ["error", "warning"])
    #expect(
      results[0]["locations"] == [
        [
          "physicalLocation": [
            "artifactLocation": ["uri": "a%2Cb%3A%20100%25.json"],
            "region": ["startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 8],
          ]
        ]
      ]
    )
    let invocation = try #require(run["invocations"]?.arrayValue?.first)
    #expect(invocation["executionSuccessful"] == false && invocation["exitCode"] == 2)
    #expect(invocation["toolExecutionNotifications"]?.arrayValue?.count == 1)
  }

  @Test func `JUnit has a suite for each file, in XML's characters`() {
    #expect(
      report(.junit) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="/repo/a,b: 100%.json" tests="1" failures="1" errors="0">
            <testcase classname="/repo/a,b: 100%.json" name="is valid" file="/repo/a,b: 100%.json" line="1">
              <failure message="not &lt;1&gt; &amp; \u{FFFD}">
        /repo/a,b: 100%.json:1:7: /é: not &lt;1&gt; &amp; \u{FFFD}
          2:3: why
        /repo/a,b: 100%.json:1:1: odd
        mend
        it
        2 more
              </failure>
            </testcase>
          </testsuite>
          <testsuite name="./fine.json" tests="1" failures="0" errors="0">
            <testcase classname="./fine.json" name="is valid" file="./fine.json">
            </testcase>
          </testsuite>
          <testsuite name="gone.json" tests="1" failures="0" errors="1">
            <testcase classname="gone.json" name="is valid" file="gone.json">
              <error message="No such &quot;file&quot;">
        No such "file"
              </error>
            </testcase>
          </testsuite>
        </testsuites>

        """
    )
  }

  @Test(arguments: [ReportFormat.json, .gitlab, .sarif])
  func `a report of nothing is JSON, too`(format: ReportFormat) throws {
    var reporter = format.reporter(tool: ReportingTool(name: "formctl", version: "1"), folder: "/")
    _ = try JSON(parsing: reporter.begin() + reporter.end(RunSummary()))
  }

  @Test func `the exit status is that of the worst file`() {
    var wrong = FileFindings(file: "a")
    wrong.isWrong = true
    let cases: [([FileFindings], Int32)] = [
      ([], 0), ([FileFindings(file: "a")], 0), ([wrong, FileFindings(file: "b")], 1),
      ([wrong, FileFindings(file: "b", trouble: "t")], 2),
    ]
    for (files, status) in cases {
      var summary = RunSummary()
      for file in files { summary.count(file) }
      #expect(summary.exitStatus == status)
    }
  }
}
