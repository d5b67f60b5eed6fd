package import Files
package import JSON

/// Why a reference does not lead to a file.
package enum SchemaFileError: Error, Hashable, Sendable {
  /// The URI names no file, and nothing else is followed.
  case notAFile
  /// The file is named by a path from the root of the file system.
  case absolutePath
  /// The file is not in the library's folder.
  case outside(String, folder: String)
  /// The file does not exist.
  case missing(String)
  /// The file is there and has no such value.
  case noFragment(String, fragment: String)
  /// It is not a file, or it cannot be read.
  case unreadable(String, SystemError)
  /// The file is not JSON.
  case notJSON(String, JSONReadError)
  /// Before this file, as many were read as may be.
  case tooMany(String, filesMax: Int)
  /// With this file, more would be read than may be.
  case tooLarge(String, bytesMax: Int)

  /// The error, for the author of the schema.
  package var message: String {
    switch self {
    case .notAFile: "it is not a file, and schemas are not fetched from a network"
    case .absolutePath: "a file is given by its path relative to this file, not by an absolute path"
    case .outside(let path, let folder):
      "\(path) is not in the folder \(folder.isEmpty ? "." : folder), or below it"
    case .missing(let path): "there is no file \(path)"
    case .noFragment(let path, let fragment): "the file \(path) has no \(fragment)"
    case .unreadable(let path, let error): "the file \(path) cannot be read (\(error))"
    case .notJSON(let path, let error): "\(path):\(error.position): \(error.message)"
    case .tooMany(let path, let filesMax): "with \(path) there are more than \(filesMax) files"
    case .tooLarge(let path, let bytesMax):
      "with \(path) the files have more than \(bytesMax >> 20) MiB; use smaller files"
    }
  }
}
