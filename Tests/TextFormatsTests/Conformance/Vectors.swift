import Foundation

/// The folder of upstream vectors: FORMD_CONFORMANCE, or `shared/conformance` beside the repository.
enum Vectors {
  static let folder: URL? = {
    let environment = ProcessInfo.processInfo.environment["FORMD_CONFORMANCE"]
    let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder =
      environment.map { URL(fileURLWithPath: $0) } ?? root.appendingPathComponent("../shared/conformance").standardized
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  static let missing = "no conformance vectors: set FORMD_CONFORMANCE to their folder"

  /// The JSON in `path` below the folder.
  static func read(_ path: String) throws -> Any {
    guard let folder else { return [] }
    return try JSONSerialization.jsonObject(with: Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// The member `cases` of the JSON in `path`.
  static func cases(_ path: String) throws -> [[String: Any]] {
    (try read(path) as? [String: Any])?["cases"] as? [[String: Any]] ?? []
  }

  /// A text with everything unusual spelled out, for reports.
  static func show(_ text: String) -> String {
    text.unicodeScalars.prefix(100).map {
      $0.value > 0x20 && $0.value < 0x7F ? String($0) : "\\u{\(String($0.value, radix: 16))}"
    }
    .joined()
  }
}
