import CSQLite
import Foundation
import SQLite
import Testing

/// A database file in a folder of its own, which `deinit` removes.
final class TestFile {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "formd-sqlite-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var path: String { folder + "/test.sqlite" }

  func open(
    _ access: SQLiteConnection.Access = .creating,
    valueBytesMax: Int? = nil
  ) throws(SQLiteError) -> SQLiteConnection {
    try SQLiteConnection(path: path, access, valueBytesMax: valueBytesMax)
  }
}

/// The error of `body`. The test fails if there is none.
func error(_ location: SourceLocation = #_sourceLocation, of body: () throws -> Void) -> SQLiteError? {
  #expect(throws: SQLiteError.self, sourceLocation: location) { try body() }
}
