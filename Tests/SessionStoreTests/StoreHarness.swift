import Foundation
import SQLite
import SessionStore
import Synchronization
import Testing

/// A separate folder for each test, which is removed with this object.
final class StoreFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "formd-store-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var store: String { path + "/sessions.db" }

  /// The number of sessions in the file, which must be closed.
  func sessionCount() throws -> Int64 {
    let counting = try SQLiteStatement(
      "SELECT count(*) FROM sessions",
      in: try SQLiteConnection(path: store, .writing)
    )
    #expect(try counting.step())
    return counting.integer(0)
  }
}

extension StoredSessionID {
  /// Makes an identity from a number.
  init(_ number: Int) {
    var bytes = [UInt8](repeating: 7, count: StoredSessionID.byteCount)
    for position in 0..<8 { bytes[position] = UInt8(truncatingIfNeeded: number >> (8 * position)) }
    self.init(bytes)!
  }
}

extension SessionDatabase {
  /// Makes a request, and waits for its result.
  func asked<Value: Sendable>(
    _ ask: (@escaping @Sendable (Result<Value, StoreFailure>) -> Void) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in ask { continuation.resume(with: $0) } }
  }

  func write(_ writes: SessionWrite...) async throws {
    for write in writes { try await asked { self.write(write, $0) } }
  }

  func read(_ id: StoredSessionID) async throws -> StoredSession? {
    try await asked { claim(SessionClaim(id, number: 1, takes: false), $0) }.session
  }

  func remove(_ id: StoredSessionID) async throws -> Bool { try await asked { remove(id, $0) } }

  /// The sessions that have expired at a time, if the clock of the store stands at 0.
  func expired(by now: Int64, atMost countMax: Int) async throws -> [StoredSessionID] {
    try await asked { expired(grace: -now, atMost: countMax, $0) }
  }

  /// The parts of a session as texts; nil if the session does not exist.
  func texts(of id: StoredSessionID) async throws -> [Int64: String]? {
    try await read(id).map { session in
      Dictionary(uniqueKeysWithValues: session.parts.map { ($0.number, String(decoding: $0.bytes, as: UTF8.self)) })
    }
  }

  /// The reason why a write fails; nil if it succeeds.
  func failure(of write: SessionWrite) async -> StoreFailure.Reason? {
    do { try await self.write(write) } catch let failure as StoreFailure { return failure.reason } catch {}
    return nil
  }
}

extension SessionWrite {
  /// A first write of a session with these parts.
  static func first(_ number: Int, _ parts: [Int64: String?], form: String = "login", expiry: Int64 = 1_000)
    -> SessionWrite
  {
    SessionWrite(
      StoredSessionID(number),
      isFirst: true,
      facts: StoredFacts(form: form, expiry: expiry),
      isWhole: true,
      parts: list(parts)
    )
  }

  /// A later write.
  static func next(_ number: Int, _ parts: [Int64: String?]) -> SessionWrite {
    SessionWrite(StoredSessionID(number), parts: list(parts))
  }

  private static func list(_ parts: [Int64: String?]) -> [(number: Int64, bytes: [UInt8]?)] {
    parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { Array($0.utf8) }) }
  }
}

/// The states that a store has reported. A test can wait for the next one.
final class StateLog: Sendable {
  private let states: AsyncStream<StoreState>
  private let continuation: AsyncStream<StoreState>.Continuation
  private let noted = Mutex<[StoreState]>([])

  init() { (states, continuation) = AsyncStream.makeStream() }

  /// All states, oldest first.
  var all: [StoreState] { noted.withLock { $0 } }

  func note(_ state: StoreState) {
    noted.withLock { $0.append(state) }
    continuation.yield(state)
  }

  /// The next state.
  func next() async -> StoreState? {
    for await state in states { return state }
    return nil
  }
}
