import Foundation
import SQLite
import Synchronization
import Testing

@testable import SessionStore

@Suite struct `A store of sessions` {
  private let folder: StoreFolder

  init() throws { folder = try StoreFolder() }

  private func open(
    durability: StoreDurability = .normal,
    pagesMax: Int? = nil,
    interruption: StoreInterruption = StoreInterruption()
  ) throws -> SessionDatabase {
    try SessionDatabase(
      path: folder.store,
      durability: durability,
      pagesMax: pagesMax,
      wallClock: { 0 },
      interruption: interruption
    )
  }

  // MARK: What is in it

  @Test(arguments: StoreDurability.allCases)
  func `gives back what was written, also to the next one that opens it`(_ durability: StoreDurability) async throws {
    let store = try open(durability: durability)
    try await store.write(.first(1, [0: "a", 5: "", -1: "mine"]), .first(2, [0: "b"], form: "join", expiry: 7))
    try await store.write(.next(1, [0: "c", 5: nil, 9: "d"]))
    #expect(try await store.texts(of: StoredSessionID(1)) == [0: "c", 9: "d", -1: "mine"])
    store.close()
    let next = try open()
    #expect(try await next.texts(of: StoredSessionID(1)) == [0: "c", 9: "d", -1: "mine"])
    let session = try #require(try await next.read(StoredSessionID(2)))
    #expect(session.facts == StoredFacts(form: "join", expiry: 7) && session.parts.map(\.number) == [0])
    #expect(try await next.read(StoredSessionID(3)) == nil)
    next.close()
  }

  @Test func `a whole write takes the place of all parts but those of others`() async throws {
    let store = try open()
    try await store.write(.first(1, [0: "a", 5: "b", -1: "mine"]))
    try await store.write(.first(1, [0: "c"], expiry: 9))
    #expect(try await store.texts(of: StoredSessionID(1)) == [0: "c", -1: "mine"])
    try await store.write(SessionWrite(StoredSessionID(1), facts: StoredFacts(form: "login", expiry: 10), parts: []))
    #expect(try await store.read(StoredSessionID(1))?.facts.expiry == 10)
    store.close()
  }

  @Test func `a session that is removed is gone, and one that is renamed is found by its new name alone`() async throws
  {
    let store = try open()
    try await store.write(.first(1, [0: "a"]), .first(2, [0: "b"]))
    #expect(try await store.remove(StoredSessionID(1)))
    #expect(try await !store.remove(StoredSessionID(1)))
    try await store.write(SessionWrite(StoredSessionID(3), formerID: StoredSessionID(2), parts: []))
    await #expect(throws: StoreFailure.self) {
      try await store.write(SessionWrite(StoredSessionID(4), formerID: StoredSessionID(2), parts: []))
    }
    #expect(try await store.texts(of: StoredSessionID(1)) == nil)
    #expect(try await store.texts(of: StoredSessionID(2)) == nil)
    try await store.write(.next(3, [1: "c"]))
    #expect(try await store.texts(of: StoredSessionID(3)) == [0: "b", 1: "c"])
    store.close()
  }

  @Test func `what has expired is found in small steps, the oldest first`() async throws {
    let store = try open()
    for number in 1...5 { try await store.write(.first(number, [0: "a"], expiry: Int64(number))) }
    #expect(try await store.expired(by: 0, atMost: 2) == [])
    #expect(try await store.expired(by: 3, atMost: 2) == [StoredSessionID(1), StoredSessionID(2)])
    for number in 1...2 { #expect(try await store.remove(StoredSessionID(number))) }
    #expect(try await store.expired(by: 3, atMost: 2) == [StoredSessionID(3)])
    #expect(try await store.remove(StoredSessionID(3)))
    #expect(try await store.texts(of: StoredSessionID(4)) == [0: "a"])
    // A session that is created again has no parts of its predecessor.
    try await store.write(.first(1, [7: "b"]))
    #expect(try await store.texts(of: StoredSessionID(1)) == [7: "b"])
    store.close()
  }

  // MARK: The file

  @Test func `is readable for its owner alone`() throws {
    let store = try open()
    for name in [folder.store, folder.store + "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    store.close()
  }

  @Test func `has one owner`() throws {
    let store = try open()
    let failure = #expect(throws: StoreFailure.self) { try open() }
    #expect(failure?.reason == .locked && failure?.description.contains("another process uses") == true)
    store.close()
    try open().close()
  }

  @Test func `is not opened where there is something else`() throws {
    try Data("not a database, but long enough to be asked whether it is one".utf8).write(
      to: URL(filePath: folder.store)
    )
    #expect(throws: StoreFailure.self) { try open() }
    try FileManager.default.removeItem(atPath: folder.store)
    try SQLiteConnection(path: folder.store, .creating).run("CREATE TABLE mine (x)")
    let foreign = #expect(throws: StoreFailure.self) { try open() }
    #expect(foreign?.reason == .damaged && foreign?.description.contains("not a store of formd") == true)
    let nowhere = #expect(throws: StoreFailure.self) {
      try SessionDatabase(path: folder.path + "/no/sessions.db", durability: .normal)
    }
    #expect(nowhere?.reason == .readOnly)
  }

  @Test func `of a newer edition is left alone`() throws {
    try open().close()
    try SQLiteConnection(path: folder.store, .writing).run("PRAGMA user_version = 99")
    let failure = #expect(throws: StoreFailure.self) { try open() }
    #expect(failure?.reason == .newer)
  }

  @Test func `of the time before stores had a number is read`() async throws {
    let store = try open()
    try await store.write(.first(1, [0: "a"]))
    store.close()
    try SQLiteConnection(path: folder.store, .writing).run(
      """
      PRAGMA user_version = 0;
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      INSERT INTO grdb_migrations VALUES ('1: sessions and their parts')
      """
    )
    let next = try open()
    try await next.write(.next(1, [1: "b"]))
    #expect(try await next.texts(of: StoredSessionID(1)) == [0: "a", 1: "b"])
    next.close()
  }

  @Test(arguments: [(StoreDurability.normal, 1), (.full, 2)] as [(StoreDurability, Int64)])
  func `waits for the disk where that is asked for`(_ durability: StoreDurability, _ synchronous: Int64) throws {
    let file = try StoreFile(path: folder.store, durability: durability)
    #expect(try file.connection.firstValue(of: "PRAGMA synchronous") == .integer(synchronous))
  }

  // MARK: Commits

  @Test func `what comes while a transaction runs is the next one`() async throws {
    let isBusy = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let commits = Mutex(0)
    let store = try open(
      interruption: StoreInterruption { point in
        guard point == .beforeCommit else { return }
        let number = commits.withLock { count in
          count += 1
          return count
        }
        if number == 1 {
          isBusy.signal()
          mayGoOn.wait()
        }
      }
    )
    let order = Mutex<[Int]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      store.write(.first(0, [0: "0"])) { _ in order.withLock { $0.append(0) } }
      isBusy.wait()
      for number in 1...100 {
        store.write(.first(number, [0: "\(number)"])) { _ in
          order.withLock { $0.append(number) }
          if number == 100 { continuation.resume() }
        }
      }
      mayGoOn.signal()
    }
    #expect(commits.withLock { $0 } == 2 && order.withLock { $0 } == Array(0...100))
    store.close()
  }

  @Test func `does all that was asked for before it closes, and nothing behind`() async throws {
    let store = try open()
    let done = Mutex(0)
    for number in 0..<50 { store.write(.first(number, [0: "a"])) { _ in done.withLock { $0 += 1 } } }
    store.close()
    #expect(done.withLock { $0 } == 50)
    #expect(await store.failure(of: .first(1, [0: "b"])) == .closed)
    store.close()
    #expect(try folder.sessionCount() == 50)
  }

  @Test func `takes no part of a session that it does not have`() async throws {
    let store = try open()
    #expect(await store.failure(of: .next(1, [0: "a"])) == .outOfStep)
    #expect(try await store.texts(of: StoredSessionID(1)) == nil)
    #expect(await store.failure(of: .first(1, [0: "b"])) == nil)
    #expect(await store.failure(of: .next(1, [1: "c"])) == nil)
    #expect(try await store.texts(of: StoredSessionID(1)) == [0: "b", 1: "c"])
    #expect(await store.failure(of: SessionWrite(StoredSessionID(9), isWhole: true, parts: [])) == .outOfStep)
    store.close()
  }
}
