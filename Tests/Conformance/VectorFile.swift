internal import Foundation
internal import JSON

/// One file of vectors.
struct VectorFile {
  /// Path from the folder of the suite, such as `format/date.json`.
  var name: String
  var path: String

  /// The file's value, or the reason why it cannot be read.
  func read() -> Result<JSON, JSONReadError> {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    return Result { () throws(JSONReadError) in try JSON(parsing: Array(data), numbers: .exact) }
  }

  /// The JSON files directly in a folder, by name; nil if the folder does not exist.
  static func files(in folder: String) -> [VectorFile]? {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
    return names.filter { $0.hasSuffix(".json") }.sorted().map { VectorFile(name: $0, path: folder + "/" + $0) }
  }

  /// The JSON files in a folder and below, by path from it.
  static func allFiles(in folder: String) -> [VectorFile] {
    guard let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] else { return [] }
    return names.filter { $0.hasSuffix(".json") }.sorted().map { VectorFile(name: $0, path: folder + "/" + $0) }
  }
}
