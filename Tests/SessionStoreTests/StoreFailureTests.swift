import Foundation
import SessionStore
import Testing

/// A store whose file cannot be written.
@Suite struct `A store that cannot write` {
  private let folder: StoreFolder
  private let log = StateLog()

  init() throws { folder = try StoreFolder() }

  private func open(pagesMax: Int? = nil, interruption: StoreInterruption = StoreInterruption()) throws
    -> SessionDatabase
  {
    try SessionDatabase(
      path: folder.store,
      durability: .normal,
      retryInterval: .milliseconds(1),
      pagesMax: pagesMax,
      wallClock: { 0 },
      interruption: interruption,
      onStateChange: { [log] in log.note($0) }
    )
  }

  private func reason(_ state: StoreState?) -> StoreFailure.Reason? {
    if case .away(let failure)? = state { failure.reason } else { nil }
  }

  @Test func `is away while it is full, loses nothing, and is back when there is room`() async throws {
    let store = try open(pagesMax: 200)
    let part = String(repeating: "x", count: 8_000)
    var written = 0
    while await store.failure(of: .first(written, [0: part])) == nil { written += 1 }
    #expect(written > 5)
    #expect(reason(await log.next()) == .full)
    for number in 0..<written { #expect(try await store.texts(of: StoredSessionID(number)) == [0: part]) }
    #expect(await store.failure(of: .next(0, [1: "y"])) == .full)
    // Removals still succeed, because they make room.
    for number in 0..<5 { #expect(try await store.remove(StoredSessionID(number))) }
    #expect(await log.next() == .well)
    try await store.write(.first(1_000, [0: part]))
    try await store.write(.next(6, [1: "y"]))
    store.close()
    #expect(try folder.sessionCount() == written - 5 + 1)
  }

  @Test func `refuses one that is too large, and nobody else`() async throws {
    let store = try open(pagesMax: 400)
    try await store.write(.first(1, [0: "a"]), .first(2, [0: "b"]))
    let large = String(repeating: "x", count: 1_000_000)
    async let refused = store.failure(of: .next(1, [0: large]))
    async let taken = store.failure(of: .next(2, [0: "c"]))
    #expect(await refused == .full)
    #expect(await taken == nil)
    #expect(await store.failure(of: .next(1, [1: "d"])) == .outOfStep)
    #expect(try await store.texts(of: StoredSessionID(1)) == [0: "a"])
    #expect(try await store.texts(of: StoredSessionID(2)) == [0: "c"])
    store.close()
  }

  @Test(arguments: [[""], ["-wal"], ["", "-wal"]])
  func `puts back a file that was removed, with all that was acknowledged`(_ removed: [String]) async throws {
    let store = try open()
    for number in 0..<10 { try await store.write(.first(number, [0: "a"])) }
    for suffix in removed { try FileManager.default.removeItem(atPath: folder.store + suffix) }
    #expect(await store.failure(of: .next(1, [0: "b"])) == .removed)
    while await log.next() != .well {}
    #expect(await store.failure(of: .next(1, [0: "b"])) == .outOfStep)
    try await store.write(.first(1, [0: "b"]))
    try await store.write(.next(2, [1: "c"]))
    store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["sessions.db"])
    #expect(try folder.sessionCount() == 10)
    let next = try open()
    #expect(try await next.texts(of: StoredSessionID(2)) == [0: "a", 1: "c"])
    next.close()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.store)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `takes whole sessions alone when another file has taken the place of its own`() async throws {
    let other = try StoreFolder()
    try SessionDatabase(path: other.store, durability: .normal).close()
    let store = try open()
    try await store.write(.first(1, [0: "a"]), .first(2, [0: "a"]))
    try FileManager.default.removeItem(atPath: folder.store)
    try FileManager.default.moveItem(atPath: other.store, toPath: folder.store)
    #expect(await store.failure(of: .next(1, [0: "b"])) == .removed)
    while await log.next() != .well {}
    #expect(await store.failure(of: .next(2, [0: "b"])) == .outOfStep)
    try await store.write(.first(2, [0: "c"]))
    #expect(try await store.texts(of: StoredSessionID(2)) == [0: "c"])
    #expect(try await store.read(StoredSessionID(1)) == nil)
    store.close()
  }

  @Test func `is away while its folder is gone, and back with it`() async throws {
    let store = try open()
    try await store.write(.first(1, [0: "a"]))
    let elsewhere = folder.path + "-moved"
    try FileManager.default.moveItem(atPath: folder.path, toPath: elsewhere)
    #expect(await store.failure(of: .next(1, [0: "b"])) == .removed)
    #expect(reason(await log.next()) != nil)
    #expect(try await store.texts(of: StoredSessionID(1)) == [0: "a"])
    try FileManager.default.moveItem(atPath: elsewhere, toPath: folder.path)
    while await log.next() != .well {}
    try await store.write(.first(1, [0: "c"]))
    #expect(try await store.texts(of: StoredSessionID(1)) == [0: "c"])
    store.close()
  }
}
