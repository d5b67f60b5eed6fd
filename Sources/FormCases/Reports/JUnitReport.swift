internal import JSON
internal import SourceTexts
internal import Texts

/// The results as JUnit XML, which services for continuous integration read.
package enum JUnitReport {
  /// All lines. A file whose cases cannot run is a suite with one error.
  package static func lines(for results: [FileResult]) -> [String] {
    let tests = results.reduce(0) { $0 + $1.cases.count + ($1.problems.isEmpty ? 0 : 1) }
    let failures = results.reduce(0) { $0 + $1.cases.count { $0.failure != nil } }
    let errors = results.count { !$0.problems.isEmpty }
    return [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites tests="\#(tests)" failures="\#(failures)" errors="\#(errors)">"#,
    ] + results.flatMap(suite) + ["</testsuites>"]
  }

  private static func suite(_ result: FileResult) -> [String] {
    let path = XMLText.attribute(result.path)
    let failures = result.cases.count { $0.failure != nil }
    let error = result.problems.isEmpty ? 0 : 1
    var lines = [
      #"  <testsuite name="\#(path)" tests="\#(result.cases.count + error)" failures="\#(failures)" errors="\#(error)">"#
    ]
    for testCase in result.cases {
      let head =
        #"    <testcase classname="\#(path)" name="\#(XMLText.attribute(testCase.name))" file="\#(path)" line="\#(testCase.position.line)""#
      guard let failure = testCase.failure else {
        lines.append(head + "/>")
        continue
      }
      lines.append(head + ">")
      lines.append(#"      <failure message="\#(XMLText.attribute(failure.moment.text))">"#)
      lines += failure.lines(file: result.path).map(XMLText.content)
      lines += ["      </failure>", "    </testcase>"]
    }
    if !result.problems.isEmpty {
      lines.append(#"    <testcase classname="\#(path)" name="the cases cannot run" file="\#(path)">"#)
      lines.append(#"      <error message="\#(XMLText.attribute(result.problems[0].message))">"#)
      lines += result.problems.map { XMLText.content($0.description) }
      lines += ["      </error>", "    </testcase>"]
    }
    let coverage = result.coverageLines
    if !coverage.isEmpty { lines += ["    <system-out>"] + coverage.map(XMLText.content) + ["    </system-out>"] }
    return lines + ["  </testsuite>"]
  }
}
