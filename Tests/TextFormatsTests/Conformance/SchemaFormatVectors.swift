import Foundation
import Testing
import TextFormats

@Suite(.enabled(if: Vectors.folder != nil, Comment(rawValue: Vectors.missing)))
struct SchemaFormatVectors {
  static let files: [String] = {
    let path = "json-schema/tests/draft2020-12/optional/format"
    guard let folder = Vectors.folder?.appendingPathComponent(path) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
  }()

  @Test(arguments: files)
  func `formats judge every text of the JSON Schema suite as it does`(file: String) throws {
    let groups = try #require(try Vectors.read(file) as? [[String: Any]])
    var failures: [String] = []
    var count = 0
    for group in groups {
      let name = try #require((group["schema"] as? [String: Any])?["format"] as? String)
      for test in try #require(group["tests"] as? [[String: Any]]) {
        guard let text = test["data"] as? String, let isValid = test["valid"] as? Bool else { continue }
        count += 1
        // A format that nobody knows accepts everything.
        let isAccepted = TextFormat(name: name)?.accepts(text) ?? true
        if isAccepted != isValid {
          failures.append("\(name): \(Vectors.show(text)) must be \(isValid): \(test["description"] ?? "")")
        }
      }
    }
    #expect(count > 0)
    #expect(failures.isEmpty, "\(failures.count) of \(count):\n\(failures.joined(separator: "\n"))")
  }
}
