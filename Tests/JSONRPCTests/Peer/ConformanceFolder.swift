import Foundation
import JSON

/// The shared vectors: `FORMD_CONFORMANCE`, or `../shared/conformance` beside the package.
enum ConformanceVectors {
  static let path: String = {
    if let path = ProcessInfo.processInfo.environment["FORMD_CONFORMANCE"] { return path }
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.deletingLastPathComponent().appendingPathComponent("shared/conformance").path
  }()

  static func file(_ name: String) -> JSON? {
    guard let data = FileManager.default.contents(atPath: path + "/" + name) else { return nil }
    return try? JSON(parsing: Array(data))
  }
}
