import Foundation
import Testing

/// Promises of Sources/README.md about the engine's code.
@Suite struct `The sources of the engine` {
  private static let sources: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("Sources")
  }()

  /// The files of a module, each with its path in the module.
  private static func files(of module: String) throws -> [(path: String, text: String)] {
    let root = sources.appendingPathComponent(module)
    let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    let files = try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      (path, try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
    }
    #expect(files.count > 20, "\(module) has few files")
    return files
  }

  /// The lines that are not comments.
  private static func code(in text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }

  @Test(arguments: ["Forms", "Sessions"])
  func `they read no clock, because the caller gives them the time`(module: String) throws {
    let clocks = ["threadCPUTime", "clock_gettime", "ContinuousClock", "SuspendingClock", "ofSystem", "Date()"]
    for (path, text) in try Self.files(of: module) {
      for line in Self.code(in: text) where clocks.contains(where: line.contains) {
        Issue.record("\(module)/\(path): \(line)")
      }
    }
  }

  @Test func `the compiler checks that values of the engine can be sent to other threads`() throws {
    for (path, text) in try Self.files(of: "Sessions") {
      for line in Self.code(in: text) where line.contains("@unchecked") { Issue.record("\(path): \(line)") }
    }
  }
}
