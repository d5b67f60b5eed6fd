import FormCases
import JSON
internal import SourceTexts
import Testing

struct ReportTests {
  private func result() throws -> FileResult {
    var result = FileResult(path: "t.test.json")
    result.cases = try results(
      loginForm,
      cases: """
        {"name": "opens <&\\"\\\\#>"},
        {"name": "fails", "expect": {"outputs": {"length": 1}}}
        """
    )
    return result
  }

  private var broken: FileResult {
    var result = FileResult(path: "b.test.json")
    result.problems = [
      Diagnostic(file: "b.test.json", position: LineColumn(line: 2, column: 3), code: "json", message: "it is broken")
    ]
    return result
  }

  @Test
  func `for people: a line for each file, what failed, and the totals`() throws {
    let results = [try result(), broken]
    #expect(
      PeopleReport.lines(for: results[0], isVerbose: false) == [
        "t.test.json: 1 of 2 passed", "  FAILED: fails (when the session was opened)",
        "    t.test.json:3:52: outputs length", "      expected  1", "      got       0",
        "    the engine's explanation of output length:",
        #"      {"formula": "size(values.email)", "reads": {"values.email": null}}"#,
      ]
    )
    #expect(PeopleReport.lines(for: results[0], isVerbose: true).contains(##"  passed: opens <&"\#>"##))
    #expect(PeopleReport.lines(for: results[1], isVerbose: false) == ["b.test.json:2:3: error: it is broken"])
    #expect(results.totals == "1 passed, 2 failed")
  }

  @Test(
    arguments: [
      ("1000", "1\u{202F}000", [#""1000""#, "\"1\u{202F}000\""]),
      ("1 000", "1\u{202F}000", [#""1 000""#, #""1\u202f000""#]),
      ("1\u{A0}0", "1\u{202F}0", [#""1\u00a00""#, #""1\u202f0""#]),
    ] as [(String, String, [String])]
  )
  func `spaces are visible if nothing else differs`(_ expected: String, _ got: String, _ texts: [String]) throws {
    let schema = #"{"type": "object", "properties": {"n": {"type": "integer"}}}"#
    let form = #"{"form": "t", "schema": \#(schema), "outputs": {"o": "'\#(got)'"}}"#
    let lines = try failure(form, #"{"name": "n", "expect": {"outputs": {"o": "\#(expected)"}}}"#)
    #expect(lines.dropFirst(2).prefix(2) == ["  expected  \(texts[0])", "  got       \(texts[1])"])
  }

  @Test
  func `TAP has a plan, escaped names and what is wrong in YAML`() throws {
    let lines = TAPReport.lines(for: [try result(), broken])
    #expect(
      lines == [
        "TAP version 14", "1..3", ##"ok 1 - t.test.json: opens <&"\\\#>"##, "not ok 2 - t.test.json: fails", "  ---",
        #"  message: "when the session was opened""#, "  details:", #"    - "t.test.json:3:52: outputs length""#,
        #"    - "  expected  1""#, #"    - "  got       0""#, #"    - "the engine's explanation of output length:""#,
        #"    - "  {\"formula\": \"size(values.email)\", \"reads\": {\"values.email\": null}}""#, "  ...",
        "not ok 3 - b.test.json", "  ---", #"  message: "the cases cannot run""#, "  details:",
        #"    - "b.test.json:2:3: error: it is broken""#, "  ...", "# 1 passed, 2 failed",
      ]
    )
  }

  @Test
  func `coverage has a line for each gap in every report, also of a formula that has several`() throws {
    let definition = """
      {"form": "t", "schema": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 9}}},
       "rules": [{"id": "few", "field": "n", "check": "self <\\n  5", "message": "Few."}]}
      """
    let form = try form(definition)
    var result = FileResult(path: "t.test.json")
    result.coverage = (
      "t.form.json", CoverageReport(of: form, CoverageObserver()), ScannedText(json: SourceText(definition))
    )
    let gap = "t.form.json:2:49: rules.few.check never fails: self <   5"
    let people = PeopleReport.lines(for: result, isVerbose: false)
    #expect(people == ["t.test.json: 0 of 0 passed", "t.form.json: 0 of 1 reached", "  \(gap)"])
    #expect(TAPReport.lines(for: [result]).dropFirst(2).dropLast() == ["# t.form.json: 0 of 1 reached", "# \(gap)"])
    let xml = JUnitReport.lines(for: [result])
    #expect(
      xml.suffix(6) == [
        "    <system-out>", "t.form.json: 0 of 1 reached", gap.replacing("<", with: "&lt;"), "    </system-out>",
        "  </testsuite>", "</testsuites>",
      ]
    )
  }

  @Test
  func `JUnit has a suite for each file`() throws {
    let lines = JUnitReport.lines(for: [try result(), broken])
    #expect(
      lines == [
        #"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testsuites tests="3" failures="1" errors="1">"#,
        #"  <testsuite name="t.test.json" tests="2" failures="1" errors="0">"#,
        ##"    <testcase classname="t.test.json" name="opens &lt;&amp;&quot;\#&gt;" file="t.test.json" line="2"/>"##,
        #"    <testcase classname="t.test.json" name="fails" file="t.test.json" line="3">"#,
        #"      <failure message="when the session was opened">"#, "t.test.json:3:52: outputs length",
        "  expected  1", "  got       0", "the engine's explanation of output length:",
        #"  {"formula": "size(values.email)", "reads": {"values.email": null}}"#, "      </failure>", "    </testcase>",
        "  </testsuite>", #"  <testsuite name="b.test.json" tests="1" failures="0" errors="1">"#,
        #"    <testcase classname="b.test.json" name="the cases cannot run" file="b.test.json">"#,
        #"      <error message="it is broken">"#, "b.test.json:2:3: error: it is broken", "      </error>",
        "    </testcase>", "  </testsuite>", "</testsuites>",
      ]
    )
  }
}
