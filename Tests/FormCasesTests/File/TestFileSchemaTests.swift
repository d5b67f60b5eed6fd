import FormCases
import Foundation
import JSON
import JSONSchema
import Testing

/// The schema that editors complete test files from.
struct TestFileSchemaTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let file = root.appending(path: "protocol/schema/test.schema.json")

  @Test
  func `protocol schema test schema json is what test files are read by (FORMD_REWRITE=1 rewrites it)`() throws {
    if ProcessInfo.processInfo.environment["FORMD_REWRITE"] == "1" {
      try Data(TestFileSchema.text.utf8).write(to: Self.file, options: .atomic)
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == TestFileSchema.text)
  }

  @Test
  func `it meets its own meta-schema`() throws {
    let meta = try Schema.compile(["$ref": "https://json-schema.org/draft/2020-12/schema"])
    #expect(meta.validate(TestFileSchema.json))
  }

  /// The folders of the examples.
  static let examples: [String] = {
    let folder = root.appending(path: "protocol/examples").path
    // Without files the tests would have no cases, and pass.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      fatalError("there are no files at \(folder)")
    }
    return names.filter { FileManager.default.fileExists(atPath: "\(folder)/\($0)/\($0).form.json") }.sorted()
  }()

  @Test(arguments: examples)
  func `every example form has cases, which the schema admits and which pass`(_ name: String) throws {
    let path = Self.root.appending(path: "protocol/examples/\(name)/\(name).test.json").path
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let failures = try Schema.compile(TestFileSchema.json).failures(of: JSON(parsing: bytes))
    #expect(failures.isEmpty, "\(failures)")
    let result = TestRun.result(ofFile: path)
    #expect(result.problems.isEmpty && result.passedCount > 2, "\(result.problems)")
    for testCase in result.cases {
      #expect(testCase.failure == nil, "\(testCase.name): \(testCase.failure?.lines(file: path) ?? [])")
    }
  }

  @Test(
    arguments: [
      #"{}"#, #"{"cases": [{}]}"#, #"{"cases": [{"name": "a", "stepz": []}]}"#,
      #"{"cases": [{"name": "a", "steps": [{}]}]}"#,
      #"{"cases": [{"name": "a", "steps": [{"tap": "a", "blur": "b"}]}]}"#,
      #"{"cases": [{"name": "a", "steps": [{"move": "a"}]}]}"#,
      #"{"cases": [{"name": "a", "steps": [{"advance": "soon"}]}]}"#,
      #"{"cases": [{"name": "a", "answers": [{"http": {}, "sql": {}}]}]}"#,
      #"{"cases": [{"name": "a", "answers": [{"http": {"servce": "x"}}]}]}"#,
      #"{"cases": [{"name": "a", "expect": {"valid": true}}]}"#,
      #"{"cases": [{"name": "a", "expect": {"refused": 1004}}]}"#,
      #"{"cases": [{"name": "a", "expect": {"errors": {"b": "x"}}}]}"#,
      #"{"cases": [{"name": "a", "expect": {"messages": {"b": ["x"]}}}]}"#,
      #"{"cases": [{"name": "a", "expect": {"lookups": {"b": 1}}}]}"#,
      #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"rows": []}}]}]}"#,
      #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"status": 600}}]}]}"#,
      #"{"cases": [{"name": "a", "answers": [{"http": {}, "response": {"kind": "timeout", "body": 1}}]}]}"#,
      #"{"cases": [{"name": "a", "answers": [{"sql": {}, "response": {"rows": [1]}}]}]}"#,
    ]
  )
  func `the schema refuses what reading refuses`(_ text: String) throws {
    #expect(throws: TestFileError.self) { try LoadedTestFile(Array(text.utf8), path: "t") }
    #expect(try !Schema.compile(TestFileSchema.json).validate(JSON(parsing: text)))
  }
}
