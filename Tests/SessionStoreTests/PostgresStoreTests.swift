import Foundation
import PostgresTesting
import SessionStore
import Synchronization
import Testing

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct `A store of sessions that daemons share` {
  // MARK: What is in it

  @Test func `gives back what was written, also to another daemon`() async throws {
    try await PostgresStoreHarness.with { harness in
      let a = try await harness.daemon("a")
      try await a.write(.first(1, [0: "a", 5: "", -1: "mine"]))
      try await a.write(.first(2, [0: "b"], form: "join", expiry: 700_000))
      try await a.write(.next(1, [0: "c", 5: nil, 9: "d"]))
      #expect(try await a.texts(1) == [0: "c", 9: "d", -1: "mine"])
      a.close()
      let b = try await harness.daemon("b")
      #expect(try await b.texts(1) == [0: "c", 9: "d", -1: "mine"])
      let session = try #require(try await b.claim(2).session)
      #expect(session.facts.isAbout(StoredFacts(form: "join", expiry: 700_000)) && session.parts.map(\.number) == [0])
      #expect(try await b.claim(3).isNothing)
      b.close()
    }
  }

  @Test func `a whole write takes the place of all parts but those of others`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "a", 5: "b", -1: "mine"]))
      try await store.write(.first(1, [0: "c"], expiry: 900_000))
      #expect(try await store.texts(1) == [0: "c", -1: "mine"])
      try await store.write(SessionWrite(StoredSessionID(1), isWhole: true, parts: [(7, [120]), (8, nil), (-1, nil)]))
      #expect(try await store.texts(1) == [7: "x"])
      try await store.write(
        SessionWrite(StoredSessionID(1), facts: StoredFacts(form: "join", expiry: 950_000), parts: [])
      )
      let facts = try #require(try await store.claim(1).session?.facts)
      #expect(facts.isAbout(StoredFacts(form: "join", expiry: 950_000)))
      store.close()
    }
  }

  @Test func `a session that is removed is gone, and one that is renamed is found by its new name alone`() async throws
  {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(1, [0: "a"]))
      try await store.write(.first(2, [0: "b"]))
      #expect(try await store.remove(1))
      #expect(try await !store.remove(1))
      try await store.write(SessionWrite(StoredSessionID(3), formerID: StoredSessionID(2), parts: []))
      #expect(
        await store.failure(of: SessionWrite(StoredSessionID(4), formerID: StoredSessionID(2), parts: [])) == .notOwned
      )
      #expect(try await store.claim(1).isNothing)
      #expect(try await store.claim(2).isNothing)
      try await store.write(.next(3, [1: "c"]))
      #expect(try await store.texts(3) == [0: "b", 1: "c"])
      // A session that is created again has no parts of its predecessor.
      try await store.write(.first(1, [7: "b"]))
      #expect(try await store.texts(1) == [7: "b"])
      store.close()
      #expect(try harness.psql.value("SELECT count(*) FROM formd_part") == "3")
    }
  }

  @Test func `what has expired is found in small steps, the oldest first, by the database's clock`() async throws {
    try await PostgresStoreHarness.with { harness in
      // Their clocks are years apart.
      let a = try await harness.daemon("a", wallClock: { 1e9 })
      let b = try await harness.daemon("b", wallClock: { 2e9 })
      for number in 1...4 {
        try await a.write(.first(number, [0: "a"], expiry: 1_000_000_000 - Int64(100_000 * (5 - number))))
      }
      try await a.write(.first(5, [0: "a"], expiry: 1_000_100_000))
      #expect(try await a.expired(atMost: 2) == [1, 2].map { StoredSessionID($0) })
      #expect(try await a.expired(grace: 250_000) == [1, 2].map { StoredSessionID($0) })
      #expect(try await a.expired().count == 4)
      #expect(try await b.expired() == [], "a lives, and they are its own")
      #expect(try await !b.remove(1))
      for number in 1...5 { try await a.release(number) }
      #expect(try await b.expired().count == 4)
      #expect(try await !b.remove(1, grace: 500_000))
      #expect(try await b.remove(1, grace: 50_000))
      #expect(try await !b.remove(5))
      #expect(try await b.claim(2).isNothing)
      // The session expired 300,000 seconds ago, and the grace time is 350,000 seconds.
      let second = try #require(try await b.claim(2, grace: 350_000).session?.facts)
      #expect(second.isAbout(StoredFacts(form: "login", expiry: 1_999_700_000)))
      let fifth = try #require(try await b.claim(5).session?.facts)
      #expect(fifth.isAbout(StoredFacts(form: "login", expiry: 2_000_100_000)))
      // A dead daemon owns nothing.
      #expect(try await a.claim(3, grace: 1_000_000).session != nil)
      #expect(try await !b.remove(3))
      try harness.endLease(of: a)
      #expect(try await b.expired() == [2, 3, 4].map { StoredSessionID($0) })
      #expect(try await b.remove(3))
      a.close()
      b.close()
    }
  }

  // MARK: Commits

  /// Holds the store's thread at the first transaction of a kind until the test opens the gate.
  private final class Gate: Sendable {
    let isBusy = DispatchSemaphore(value: 0)
    let mayGoOn = DispatchSemaphore(value: 0)
    let count = Mutex(0)

    func interruption(_ purpose: ConnectionInterruption.Purpose) -> ConnectionInterruption {
      ConnectionInterruption { [self] point in
        guard point == .before(purpose) else { return false }
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == 1 {
          isBusy.signal()
          mayGoOn.wait()
        }
        return false
      }
    }
  }

  @Test func `what comes while a transaction runs is the next one, and several writes of a session are one`()
    async throws
  {
    try await PostgresStoreHarness.with { harness in
      let gate = Gate()
      let store = try await harness.daemon("a", interruption: gate.interruption(.write))
      let order = Mutex<[Int]>([])
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let write = { (number: Int, write: SessionWrite) in
          store.write(write) { result in
            if case .failure(let failure) = result { Issue.record("\(failure)") }
            order.withLock { $0.append(number) }
            if number == 100 { continuation.resume() }
          }
        }
        write(0, .first(0, [0: "0"]))
        gate.isBusy.wait()
        for number in 1...97 {
          write(
            number,
            number < 10 ? .first(number, [0: "\(number)"]) : .next(number % 10, [Int64(number): "\(number)"])
          )
        }
        write(98, SessionWrite(StoredSessionID(1), isWhole: true, parts: [(1, [120])]))
        write(99, SessionWrite(StoredSessionID(200), formerID: StoredSessionID(1), parts: [(2, [121])]))
        write(100, SessionWrite(StoredSessionID(200), parts: [(1, nil), (3, [122])]))
        gate.mayGoOn.signal()
      }
      #expect(gate.count.withLock { $0 } == 2 && order.withLock { $0 } == Array(0...100))
      #expect(try await store.texts(200) == [2: "y", 3: "z"])
      #expect(try await store.texts(2)?.keys.sorted() == [0, 12, 22, 32, 42, 52, 62, 72, 82, 92])
      #expect(try harness.head(5)?.version == "1", "each was written once")
      store.close()
    }
  }

  @Test func `does what was asked of one session in its order, and tells all in theirs`() async throws {
    try await PostgresStoreHarness.with { harness in
      let gate = Gate()
      let store = try await harness.daemon("a", interruption: gate.interruption(.expiry))
      let order = Mutex<[String]>([])
      let note = { @Sendable (text: String) in order.withLock { $0.append(text) } }
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        store.expired(grace: 0, atMost: 10) { _ in note("looked") }
        gate.isBusy.wait()
        store.write(.first(1, [0: "a"])) { _ in note("first") }
        store.claim(SessionClaim(StoredSessionID(1), number: 1, takes: false), for: .seconds(1)) {
          note("\((try? $0.get())?.texts ?? [:])")
        }
        store.write(.next(1, [0: "b"])) { _ in note("next") }
        store.write(.first(2, [0: "a"])) { _ in note("other") }
        store.remove(StoredSessionID(1), grace: 0) { note("removed \((try? $0.get()) == true)") }
        store.write(.first(1, [0: "c"])) { _ in note("first again") }
        store.release(StoredSessionID(1)) { _ in note("released") }
        store.write(.next(1, [0: "d"])) { note("too late: \($0.isFailure)") }
        // With so much taken from their expiries, all have expired.
        store.expired(grace: -1_000_000, atMost: 10) {
          note("found \((try? $0.get())?.count ?? -1)")
          continuation.resume()
        }
        gate.mayGoOn.signal()
      }
      #expect(
        order.withLock { $0 } == [
          "looked", "first", "[0: \"a\"]", "next", "other", "removed true", "first again", "released",
          "too late: true",
          "found 2",
        ]
      )
      #expect(try await store.texts(1) == [0: "c"])
      store.close()
    }
  }

  @Test func `takes no part of a session that it does not have, nor of one of which it lacks something`() async throws {
    try await PostgresStoreHarness.with { harness in
      let store = try await harness.daemon("a")
      try await store.write(.first(2, [0: "b"]))
      #expect(await store.failure(of: .next(1, [0: "a"])) == .notOwned)
      try harness.psql.run("ALTER TABLE formd_part ADD CHECK (bytes <> 'bad')")
      async let bad = store.failure(of: .next(2, [0: "bad"]))
      async let good = store.failure(of: .first(3, [0: "good"]))
      #expect(await bad == .outOfStep)
      #expect(await good == nil)
      #expect(await store.failure(of: .next(2, [1: "d"])) == .outOfStep)
      #expect(await store.failure(of: SessionWrite(StoredSessionID(2), isWhole: true, parts: [(0, [120])])) == nil)
      #expect(await store.failure(of: .next(2, [1: "e"])) == nil)
      #expect(try await store.texts(2) == [0: "x", 1: "e"])
      #expect(await store.failure(of: .first(4, [0: "bad"])) == .outOfStep)
      #expect(await store.failure(of: .next(4, [0: "a"])) == .outOfStep)
      #expect(await store.failure(of: .first(4, [0: "a"])) == nil)
      store.close()
    }
  }

  @Test func `lets go of all of its sessions when it closes, and does nothing behind`() async throws {
    try await PostgresStoreHarness.with { harness in
      let notices = Notices()
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b", onNotification: { notices.note($0) })
      let done = Mutex(0)
      for number in 0..<50 { a.write(.first(number, [0: "a"])) { _ in done.withLock { $0 += 1 } } }
      while try await b.claim(49).isNothing {}
      #expect(a.close())
      // The first one says that the store listens.
      #expect(await notices.next() == nil)
      #expect(done.withLock { $0 } == 50)
      #expect(await a.failure(of: .first(1, [0: "b"])) == .closed)
      await #expect(throws: StoreFailure.self) { try await a.renew() }
      #expect(a.close())
      for number in 0..<50 { #expect(try await b.texts(number) == [0: "a"]) }
      #expect(try harness.psql.value("SELECT string_agg(name, ',') FROM formd_instance") == "b")
      b.close()
    }
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
