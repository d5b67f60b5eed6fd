import Foundation
import JSON
import JSONSchema
import Testing

/// The official suite's own vectors, where they are at hand: FORMD_CONFORMANCE or ../shared/conformance.
@Suite struct SuiteVectorTests {
  static let folder: String? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path =
      ProcessInfo.processInfo.environment["FORMD_CONFORMANCE"]
      ?? root.deletingLastPathComponent().appending(path: "shared/conformance").path
    return FileManager.default.fileExists(atPath: path + "/json-schema") ? path + "/json-schema" : nil
  }()

  private func read(_ path: String) throws -> JSON {
    try JSON(parsing: Array(Data(contentsOf: URL(filePath: path))))
  }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
  }

  @Test(
    .enabled(if: folder != nil, "there is no folder of vectors: set FORMD_CONFORMANCE"),
    arguments: [("", false), ("/optional/format", true)]
  )
  func `the vectors of a folder pass`(path: String, assertsFormat: Bool) throws {
    let folder = try #require(Self.folder)
    var documents: [String: JSON] = [:]
    let remotes = FileManager.default.enumerator(atPath: folder + "/remotes")?.allObjects as? [String] ?? []
    for name in remotes where name.hasSuffix(".json") {
      documents["http://localhost:1234/" + name] = try read(folder + "/remotes/" + name)
    }
    let options = CompileOptions(assertsFormat: assertsFormat) { [documents] uri in documents[uri] }
    let tests = folder + "/tests/draft2020-12" + path
    for file in try files(tests) {
      for group in try read(tests + "/" + file).arrayValue ?? [] {
        let schema = try Schema.compile(group["schema"] ?? .null, options: options)
        for test in group["tests"]?.arrayValue ?? [] {
          let title: [JSON?] = [group["description"], test["description"]]
          #expect(schema.validate(test["data"] ?? .null) == test["valid"]?.boolValue, "\(file) \(title)")
        }
      }
    }
  }
}
