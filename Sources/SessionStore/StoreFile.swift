internal import GRDB
internal import GRDBSQLite
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// How safe a commit is.
package enum StoreDurability: String, CaseIterable, Sendable {
  /// It survives the end of the process, however sudden (`synchronous=NORMAL`).
  case normal
  /// It survives power loss, too (`synchronous=FULL`): each commit waits for the disk.
  case full
}

/// The open file of a store: a SQLite database that this process alone has.
///
/// SQLite's own lock says so (`locking_mode=EXCLUSIVE`): it ends with its process, however that ends, and in WAL mode it saves the memory that
/// processes would share.
struct StoreFile {
  /// Says that a SQLite file is a store of this program (`PRAGMA application_id`): "fmds".
  static let applicationID: Int32 = 0x666d_6473

  /// The path without links.
  let path: String
  let database: DatabaseQueue
  private let identity: FileIdentity
  private let logIdentity: FileIdentity

  /// Opens the file, makes it where there is none, and brings it up to date.
  ///
  /// - Parameter pagesMax: how many pages it may have; nil: as many as SQLite takes. For tests of a full disk.
  /// - Throws: why it cannot be used, in words for who runs the daemon.
  init(path given: String, durability: StoreDurability, pagesMax: Int? = nil) throws(StoreFailure) {
    try Self.make(given)
    do throws(SystemError) {
      path = try FileIdentity.realPath(of: given)
    } catch {
      throw StoreFailure(.readOnly, "the store \(given) cannot be found: \(error)")
    }
    let path = path
    do {
      database = try DatabaseQueue(path: path, configuration: Self.configuration(path, durability, pagesMax))
      try database.inDatabase { database in
        // What is not empty is a store.
        if try Self.isEmpty(database) { try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)") }
      }
      guard try !database.read(Self.editions.hasBeenSuperseded) else {
        throw StoreFailure(.newer, "a newer formd has written the store \(path): run that one, or choose another path")
      }
      try Self.editions.migrate(database)
    } catch {
      throw StoreFailure(error, path)
    }
    try Self.closeToOthers(path)
    guard let identity = FileIdentity(path: path), let logIdentity = FileIdentity(path: path + "-wal") else {
      throw StoreFailure(.removed, "the store \(path) was removed while it was opened")
    }
    self.identity = identity
    self.logIdentity = logIdentity
  }

  /// Whether the path still names the open file: SQLite would go on writing into one that nobody finds any more.
  var isInPlace: Bool {
    FileIdentity(path: path) == identity && FileIdentity(path: path + "-wal") == logIdentity
  }

  /// Makes the file, for its owner alone, where there is none. SQLite gives its mode to the files beside it.
  private static func make(_ path: String) throws(StoreFailure) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_EXCL, 0o600)
    if file >= 0 {
      // Nobody has a lock on a file that is new, so that closing it takes none away.
      close(file)
      return
    }
    if errno == EEXIST { return try checkKind(of: path) }
    let error = SystemError.last
    throw StoreFailure(.readOnly, "the store \(path) cannot be made: \(error)")
  }

  /// What users have typed is for nobody else, whoever has made the file.
  private static func closeToOthers(_ path: String) throws(StoreFailure) {
    for file in [path, path + "-wal"] where chmod(file, 0o600) != 0 {
      let error = SystemError.last
      throw StoreFailure(.readOnly, "the store \(file) cannot be closed to other users: \(error)")
    }
  }

  /// What is no file at all is opened by nobody.
  private static func checkKind(of path: String) throws(StoreFailure) {
    var status = stat()
    // What cannot be looked at cannot be opened, which says why.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw StoreFailure(.damaged, "the store \(path) is no file: choose another path for the store")
  }

  /// Whether there is any file at a path.
  static func isThere(_ path: String) -> Bool { FileIdentity(path: path) != nil }

  /// Puts a copy to where a file was, unless another has taken its place.
  ///
  /// - Parameter write: writes the copy to that path, where an empty file is. One that fails has made none.
  static func putBack(at path: String, _ write: (String) throws -> Void) {
    guard FileIdentity(path: path) == nil else { return }
    let copy = path + "-copy"
    unlink(copy)
    defer { unlink(copy) }
    do {
      try make(copy)
      try write(copy)
    } catch {
      return
    }
    // A log that was left behind is of another file.
    if FileIdentity(path: path) == nil { unlink(path + "-wal") }
    _ = link(copy, path)
  }

  private static func isEmpty(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0
  }

  /// The database is a store of this program, or is to be made one.
  private static func checkOwner(of database: Database, _ path: String) throws {
    let id = try Int32.fetchOne(database, sql: "PRAGMA application_id")
    guard try id == applicationID || (id ?? 0) == 0 && isEmpty(database) else {
      throw StoreFailure(.damaged, "\(path) is a database, but no store of formd: choose another path for the store")
    }
  }

  private static func configuration(_ path: String, _ durability: StoreDurability, _ pagesMax: Int?) -> Configuration {
    var configuration = Configuration()
    configuration.label = "formd.store"
    configuration.publicStatementArguments = false
    configuration.foreignKeysEnabled = false
    // One process has the file, with one connection: who else has it will not let go soon.
    configuration.busyMode = .immediateError
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // Before anything of it is changed.
      try checkOwner(of: database, path)
      for setting in [
        "page_size = \(pageBytes)", "journal_mode = WAL",
        // Sessions that have ended are not read out of free pages.
        "secure_delete = FAST",
        "synchronous = \(durability == .full ? "FULL" : "NORMAL")", "cache_size = -\(cacheKilobytes)",
        // Whoever writes need not wait until the log is brought into the file: that is done when nobody waits.
        "wal_autocheckpoint = 0",
      ] + (pagesMax.map { ["max_page_count = \($0)"] } ?? []) {
        try database.execute(sql: "PRAGMA \(setting)")
      }
      // The lock is taken by the first that writes.
      try database.execute(sql: "BEGIN IMMEDIATE; COMMIT")
    }
    return configuration
  }

  /// Small parts are scattered over the file by their sessions, and a page is written whole.
  private static let pageBytes = 1024
  /// Beside the system's own cache, from which a page comes in a microsecond.
  private static let cacheKilobytes = 1 << 10

  /// The tables, edition by edition. One that was released is not changed any more.
  private static var editions: DatabaseMigrator {
    var editions = DatabaseMigrator()
    editions.registerMigration("1: sessions and their parts") { database in
      // A session's number puts sessions that were opened together side by side, and its parts with them.
      try database.execute(
        sql: """
          CREATE TABLE sessions (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id BLOB NOT NULL UNIQUE,
            form TEXT NOT NULL,
            expiry INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX sessions_by_expiry ON sessions (expiry);
          CREATE TABLE parts (
            session INTEGER NOT NULL,
            number INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (session, number)
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE probe (bytes BLOB NOT NULL) STRICT;
          """
      )
    }
    return editions
  }
}

extension StoreFailure {
  /// What an error of SQLite's means for the store at a path.
  init(_ error: any Error, _ path: String) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let error as DatabaseError: self.init(error.resultCode.rawValue, error.message ?? "unknown", path)
    default: self.init(.other, "the store \(path) cannot be used: \(error)")
    }
  }

  /// The same for a result code.
  init(_ code: CInt, _ message: String, _ path: String) {
    switch code & 0xff {
    case SQLITE_FULL: self.init(.full, "the store \(path) is full: make room on its disk")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .locked,
        "another process has the store \(path), and a store has one owner: end that one, or choose another path"
      )
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self.init(.readOnly, "the store \(path) cannot be written: make it and its folder writable (\(message))")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .damaged,
        "the store \(path) is damaged, or no database: move it away, or bring back a copy (\(message))"
      )
    case SQLITE_TOOBIG: self.init(.tooLarge, "a part of a session is larger than SQLite takes")
    default: self.init(.other, "the store \(path) fails: SQLite error \(code), \(message)")
    }
  }
}
