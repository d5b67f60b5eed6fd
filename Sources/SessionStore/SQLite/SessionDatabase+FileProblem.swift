internal import CSQLite
internal import Files
internal import JSON
internal import SQLite

#if canImport(Glibc)
  internal import Glibc
#endif

extension SessionDatabase {
  /// The reason why no store can be opened at a path, as far as the file system shows it; nil if nothing is found.
  /// Nothing is made or locked, so a daemon that uses the store is not disturbed.
  package static func fileProblem(at path: String) -> StoreFailure? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let error = SystemError.last
      let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      guard error.isMissing, stat(folder, &status) == 0 else {
        return StoreFailure(.readOnly, "the store \(path) cannot be made: \(error)")
      }
      guard access(folder, W_OK | X_OK) != 0 else { return nil }
      return StoreFailure(.readOnly, "the store \(path) cannot be made: \(SystemError.last)")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return .notAFile(path)
    }
    guard access(path, R_OK | W_OK) != 0 else { return nil }
    return StoreFailure(.readOnly, "the store \(path) cannot be written: \(SystemError.last)")
  }

  /// The failure of a file that is not a database of SQLite, found by its first bytes; nil for a database, an empty
  /// file and a file that cannot be read.
  ///
  /// A process that has opened the store must not call this: when a process closes a file, it loses its locks of that
  /// file (fcntl(2)).
  package static func fileFormatProblem(at path: String) -> StoreFailure? {
    // "The Database Header" in https://sqlite.org/fileformat.html
    let start = Array("SQLite format 3\0".utf8)
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { Glibc.close(file) }
    var bytes = [UInt8](repeating: 0, count: start.count)
    let count = Glibc.read(file, &bytes, bytes.count)
    return count <= 0 || bytes == start ? nil : StoreFailure(SQLiteError(SQLITE_NOTADB), path)
  }
}
