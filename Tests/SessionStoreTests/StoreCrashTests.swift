import Foundation
import SessionStore
import Synchronization
import Testing

/// The contents of a store whose process was killed.
@Suite struct `A store behind a kill` {
  /// The sessions that a process writes round by round. Each write stores its number twice, and once more in a part of
  /// its own.
  private static let sessionCount = 5

  private static func write(_ number: Int) -> SessionWrite {
    let session = number % sessionCount
    let parts: [Int64: String?] = [0: "\(number)", 1: "\(number)", 100 + Int64(number): "x"]
    return number < sessionCount ? .first(session, parts) : .next(session, parts)
  }

  /// Writes until the process ends, a few writes at a time, and notes each acknowledged write in a file.
  private static func writeForEver(into store: SessionDatabase, noting acknowledged: Int32, from first: Int) {
    for number in first..<(first + 4) {
      store.write(write(number)) { result in
        guard case .success = result else { return }
        var line = Array("\(number)\n".utf8)
        _ = Glibc.write(acknowledged, &line, line.count)
        if number % 4 == 3 { writeForEver(into: store, noting: acknowledged, from: number + 1) }
      }
    }
  }

  /// Checks the contents that a killed process has left. All acknowledged writes are there; each write is whole or
  /// absent, and is there only together with its predecessors.
  private static func check(_ path: String, acknowledged: [Int]) async throws {
    let store = try SessionDatabase(path: path, durability: .normal, wallClock: { 0 })
    for session in 0..<sessionCount {
      let last = acknowledged.last { $0 % sessionCount == session }
      guard let texts = try await store.texts(of: StoredSessionID(session)) else {
        #expect(last == nil, "session \(session) is gone")
        continue
      }
      let found = try #require(texts[0].flatMap { Int($0) })
      #expect(found % sessionCount == session && texts[1] == texts[0])
      #expect(found >= last ?? 0, "session \(session) has \(found), and \(last ?? 0) was acknowledged")
      let parts = Set(texts.keys.filter { $0 >= 100 }.map { Int($0) - 100 })
      #expect(parts == Set(stride(from: session, through: found, by: sessionCount)))
    }
    try await store.write(.first(0, [0: "on it goes"]))
    store.close()
  }

  private static func numbers(in file: String) throws -> [Int] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }.sorted()
  }

  @Test(arguments: StoreInterruption.Point.allCases, [1, 2, 9])
  func `has all that was acknowledged, wherever it was hit`(_ point: StoreInterruption.Point, _ count: Int) async throws
  {
    let folder = try StoreFolder()
    let (store, acknowledged) = (folder.store, folder.path + "/acknowledged")
    let name = point.rawValue
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [store = store as String, acknowledged = acknowledged as String, name = name as String, count = count as Int] in
      let notes = Glibc.open(acknowledged, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let left = Mutex(count)
      let opened = try SessionDatabase(
        path: store,
        durability: .normal,
        logPagesWanted: 4,
        interruption: StoreInterruption { point in
          guard point.rawValue == name else { return }
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { kill(getpid(), SIGKILL) }
        }
      )
      `A store behind a kill`.writeForEver(into: opened, noting: notes, from: 0)
      // The store's thread ends the process.
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    try await Self.check(store, acknowledged: Self.numbers(in: acknowledged))
  }

  /// A killed process has written the log up to some byte. So each length of the log is one possible crash.
  @Test func `has each write whole or not at all, at whatever byte of the log it was hit`() async throws {
    let folder = try StoreFolder()
    let (path, acknowledged) = (folder.store, folder.path + "/acknowledged")
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, acknowledged = acknowledged as String] in
      let notes = Glibc.open(acknowledged, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      let left = Mutex(12)
      let opened = try SessionDatabase(
        path: path,
        durability: .normal,
        interruption: StoreInterruption { point in
          guard point == .afterCompletion else { return }
          if left.withLock({ left in
            left -= 1
            return left == 0
          }) {
            kill(getpid(), SIGKILL)
          }
        }
      )
      `A store behind a kill`.writeForEver(into: opened, noting: notes, from: 0)
      await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
    }
    let numbers = try Self.numbers(in: acknowledged)
    let file = try Data(contentsOf: URL(filePath: path))
    let log = try Data(contentsOf: URL(filePath: path + "-wal"))
    var seen: Set<Int> = []
    // Three offsets in each page of the log.
    for length in stride(from: 0, through: log.count, by: 350).map({ $0 }) + [log.count] {
      let copy = try StoreFolder()
      try file.write(to: URL(filePath: copy.store))
      try log.prefix(length).write(to: URL(filePath: copy.store + "-wal"))
      let isWhole = length == log.count
      do {
        try await Self.check(copy.store, acknowledged: isWhole ? numbers : [])
        seen.insert(length)
      } catch let failure as StoreFailure {
        // No write is acknowledged in a file whose creation did not finish.
        #expect(failure.reason == .damaged || failure.reason == .other, "\(failure) at \(length)")
        #expect(length < log.count)
      }
    }
    // The store's thread may find the first four writes one by one. The thread itself starts the later ones, four at a
    // time, and writes them together.
    #expect(seen.contains(log.count) && seen.count > 10 && numbers.count >= 4 + (12 - 4) * 4, "\(numbers.count)")
  }
}
