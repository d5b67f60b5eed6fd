internal import CSQLite
internal import Files
internal import JSON
internal import SQLite

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
/// SQLite's own lock says so (`locking_mode=EXCLUSIVE`). The lock ends with its process, however the process ends. In
/// WAL mode it saves the memory that processes would share.
struct StoreFile {
  /// Says that a SQLite file is a store of this program (`PRAGMA application_id`): "fmds".
  static let applicationID: Int32 = 0x666d_6473

  /// The path without links.
  let path: String
  let connection: SQLiteConnection
  private let identity: FileIdentity
  private let logIdentity: FileIdentity

  /// Opens the file, makes it if there is none, and brings it up to date.
  ///
  /// - Parameter pagesMax: how many pages it may have; nil: as many as SQLite allows. For tests of a full disk.
  /// - Throws: the reason why it cannot be used, in words for the operator.
  init(path given: String, durability: StoreDurability, pagesMax: Int? = nil) throws(StoreFailure) {
    try Self.make(given)
    do throws(SystemError) {
      path = try FileIdentity.realPath(of: given)
    } catch {
      throw StoreFailure(.readOnly, "the store \(given) cannot be found: \(error)")
    }
    let path = path
    do {
      connection = try Self.connect(path, durability, pagesMax)
      try Self.bringUpToDate(connection, path)
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

  /// Whether the path still names the open file: otherwise SQLite would go on writing into a file that has no name.
  var isInPlace: Bool {
    FileIdentity(path: path) == identity && FileIdentity(path: path + "-wal") == logIdentity
  }

  /// Brings the log into the file, and empties the log.
  func checkpoint() throws(SQLiteError) { try connection.run("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Writes a copy of the whole database into an empty file.
  func copy(to path: String) throws(SQLiteError) {
    let statement = try SQLiteStatement("VACUUM INTO ?", in: connection)
    try statement.bind(path, at: 1)
    try statement.run()
  }

  /// Writes a copy of the whole database into a new file, for its owner alone. The disk has the copy when this
  /// returns.
  ///
  /// - Returns: its size in bytes.
  /// - Throws: the reason why there is no copy, in words for the operator.
  func backUp(to path: String) throws(StoreFailure) -> Int {
    let copy = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL | O_NOFOLLOW, 0o600)
    guard copy >= 0 else { throw Self.noCopy(path, SystemError.last) }
    defer { close(copy) }
    do throws(SQLiteError) {
      try self.copy(to: path)
    } catch {
      unlink(path)
      throw StoreFailure(error, path)
    }
    var status = stat()
    guard fsync(copy) == 0, fstat(copy, &status) == 0 else {
      let error = SystemError.last
      unlink(path)
      throw Self.noCopy(path, error)
    }
    return Int(status.st_size)
  }

  private static func noCopy(_ path: String, _ error: SystemError) -> StoreFailure {
    StoreFailure(.readOnly, "the copy \(path) cannot be made: \(error)")
  }

  /// Makes the file, for its owner alone, if there is none. SQLite gives its mode to the files beside it.
  private static func make(_ path: String) throws(StoreFailure) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_EXCL, 0o600)
    if file >= 0 {
      // A new file has no lock yet, so that closing it takes none away.
      close(file)
      return
    }
    if errno == EEXIST { return try checkKind(of: path) }
    let error = SystemError.last
    throw StoreFailure(.readOnly, "the store \(path) cannot be made: \(error)")
  }

  /// Only the owner may read what users have typed, also if another program has made the file.
  private static func closeToOthers(_ path: String) throws(StoreFailure) {
    for file in [path, path + "-wal"] where chmod(file, 0o600) != 0 {
      let error = SystemError.last
      throw StoreFailure(.readOnly, "the store \(file) cannot be made private to its owner: \(error)")
    }
  }

  /// Refuses a folder, a device or a socket.
  private static func checkKind(of path: String) throws(StoreFailure) {
    var status = stat()
    // If the path cannot be looked at, opening it fails and says why.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
    throw .notAFile(path)
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

  private static func connect(
    _ path: String,
    _ durability: StoreDurability,
    _ pagesMax: Int?
  ) throws -> SQLiteConnection {
    // One process has the file, with one connection: another owner will not release it soon. So the connection does not
    // wait for locks.
    let connection = try SQLiteConnection(path: path, .writing)
    try connection.run("PRAGMA locking_mode = EXCLUSIVE")
    // The owner is checked before the file is changed.
    try checkOwner(of: connection, path)
    for setting in [
      "page_size = \(pageBytes)", "journal_mode = WAL",
      // Sessions that have ended are not read out of free pages.
      "secure_delete = FAST",
      "synchronous = \(durability == .full ? "FULL" : "NORMAL")", "cache_size = -\(cacheKilobytes)",
      // A write does not wait until the log is brought into the file. The store does that when no job waits.
      "wal_autocheckpoint = 0",
    ] + (pagesMax.map { ["max_page_count = \($0)"] } ?? []) {
      try connection.run("PRAGMA \(setting)")
    }
    // The lock is taken by the first that writes.
    try connection.run("BEGIN IMMEDIATE; COMMIT")
    return connection
  }

  /// The database is a store of this program, or is to be made one.
  private static func checkOwner(of connection: SQLiteConnection, _ path: String) throws {
    let id = try integer("PRAGMA application_id", connection)
    guard try id == applicationID || id == 0 && isEmpty(connection) else {
      throw StoreFailure(.damaged, "\(path) is a database, but not a store of formd: choose another path for the store")
    }
  }

  private static func isEmpty(_ connection: SQLiteConnection) throws(SQLiteError) -> Bool {
    try integer("SELECT count(*) FROM sqlite_schema", connection) == 0
  }

  private static func integer(_ statement: String, _ connection: SQLiteConnection) throws(SQLiteError) -> Int64 {
    if case .integer(let number)? = try connection.firstValue(of: statement) { number } else { 0 }
  }

  /// Small parts are scattered over the file by their sessions, and a page is written whole.
  private static let pageBytes = 1024
  /// Beside the system's own cache, from which a page comes in a microsecond.
  private static let cacheKilobytes = 1 << 10

  /// The edition of the tables that this program makes (`PRAGMA user_version`). A released edition is not changed any
  /// more.
  private static let edition: Int64 = 1

  /// Makes the tables of an empty file.
  ///
  /// A store of edition 0 was written before stores had a number. It has the tables of edition 1, and is not changed.
  ///
  /// - Throws: ``StoreFailure`` when a newer program has written the file.
  private static func bringUpToDate(_ connection: SQLiteConnection, _ path: String) throws {
    guard try integer("PRAGMA user_version", connection) <= edition else {
      throw StoreFailure(
        .newer,
        "a newer formd has written the store \(path): run that version, or choose another path"
      )
    }
    guard try isEmpty(connection) else { return }
    try connection.transaction {
      try connection.run(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(edition);
        \(tables)
        """
      )
    }
  }

  private static let tables = """
    -- A session's number puts sessions that were opened together side by side, and its parts with them.
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
}

extension StoreFailure {
  /// The failure of the store at a path that an error of SQLite means.
  init(_ error: any Error, _ path: String) {
    switch error {
    case let failure as StoreFailure: self = failure
    case let error as SQLiteError: self.init(error, path)
    default: self.init(.other, "the store \(path) cannot be used: \(error)")
    }
  }

  private init(_ error: SQLiteError, _ path: String) {
    let message = error.message
    switch error.code {
    case SQLITE_FULL: self.init(.full, "the store \(path) is full: make room on its disk")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .locked,
        "another process uses the store \(path): end that process, or choose another path"
      )
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
      self.init(.readOnly, "the store \(path) cannot be written: make it and its folder writable (\(message))")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(
        .damaged,
        "the store \(path) is damaged, or is not a database: move it away, or restore a copy (\(message))"
      )
    case SQLITE_TOOBIG: self.init(.tooLarge, "a part of a session is larger than SQLite allows")
    default: self.init(.other, "the store \(path) fails: \(error)")
    }
  }
}
