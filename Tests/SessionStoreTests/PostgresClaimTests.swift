import PostgresTesting
import SessionStore
import Testing

// The tests run serially: each opens its own connections, and a server accepts only a few.
@Suite(.serialized, .needsPostgreSQL)
struct `A session that daemons ask for` {
  @Test func `is taken where it is nobody's, one's own, or of a daemon that is dead`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      try await a.write(.first(1, [0: "a"]))
      #expect(try await a.texts(1) == [0: "a"])
      #expect(try await b.claim(1).holder == "a")
      try harness.endLease(of: a)
      #expect(try await b.texts(1) == [0: "a"])
      #expect(try harness.head(1)?.owner == b.id)
      #expect(await a.failure(of: .next(1, [0: "b"])) == .notOwned)
      #expect(await a.failure(of: .next(1, [0: "b"])) == .notOwned)
      #expect(try await b.texts(1) == [0: "a"])
      #expect(try await a.renew().owned == [])
      #expect(try await a.claim(1).holder == "b")
      try await b.release(1)
      #expect(await b.failure(of: .next(1, [0: "b"])) == .notOwned)
      #expect(try await a.texts(1) == [0: "a"])
      try await a.write(.next(1, [0: "c"]))
      a.close()
      b.close()
    }
  }

  @Test func `is taken at once by a later process of the same machine, and by no earlier one`() async throws {
    try await PostgresStoreHarness.with { harness in
      let former = try await harness.daemon("former", machine: "m")
      let other = try await harness.daemon("other", machine: "n")
      for number in 1...3 { try await former.write(.first(number, [0: "a"])) }
      // The new daemon claims before its first renewal.
      let next = try SessionDatabase(try harness.settings("next", machine: "m"))
      #expect(try await next.texts(1) == [0: "a"])
      #expect(await former.failure(of: .next(1, [0: "b"])) == .notOwned)
      #expect(await former.failure(of: .next(2, [0: "b"])) == nil)
      #expect(try await next.renew().owned == nil)
      #expect(try await next.texts(2) == [0: "b"])
      // The former daemon's lease is over for all daemons.
      #expect(try await other.texts(3) == [0: "a"])
      // If the former daemon lives after all, each renewal returns the sessions that it owns.
      #expect(try await former.renew().owned == [])
      try await former.write(.first(4, [0: "a"]))
      #expect(try await former.renew().owned == [StoredSessionID(4)])
      #expect(try await next.texts(4) == [0: "a"])
      #expect(try await former.renew().owned == [])
      #expect(try await former.claim(4).holder == "next")
      for store in [former, other, next] { store.close() }
    }
  }

  @Test func `is not given where nobody has it, it is over, or it was never there`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      try await a.write(.first(1, [0: "a"], expiry: -10))
      #expect(try await b.claim(1).holder == "a", "who has it in memory says whether it is over")
      try await a.release(1)
      #expect(try await b.claim(1).isNothing)
      #expect(try await b.claim(2).isNothing)
      #expect(try await b.claim(1, grace: 60_000).texts == [0: "a"])
      a.close()
      b.close()
    }
  }

  // MARK: Requests

  private func request(_ number: Int64, by asker: SessionDatabase, takes: Bool) -> SessionRequest {
    SessionRequest(id: StoredSessionID(1), asker: asker.id, number: number, takes: takes)
  }

  @Test func `is asked of its owner, which learns of it and releases it`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (asked, answered) = (Notices(), Notices())
      let a = try await harness.daemon("a", onNotification: { asked.note($0) })
      let b = try await harness.daemon("b", onNotification: { answered.note($0) })
      // Each store notifies once when it begins to listen.
      #expect(await asked.next() == nil)
      #expect(await answered.next() == nil)
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1).holder == "a")
      #expect(await asked.next() == nil)
      for _ in 0..<2 { #expect(try await a.renew().requests == [request(1, by: b, takes: false)]) }
      try await a.write(.next(1, [0: "b"]))
      try await a.release(1)
      #expect(await answered.next() == StoredSessionID(1))
      #expect(try await b.texts(1) == [0: "b"])
      #expect(try await a.renew().requests == [])
      #expect(try await b.renew().requests == [])
      a.close()
      b.close()
    }
  }

  @Test func `is given only for a request that is there, and then belongs to the asking daemon`() async throws {
    try await PostgresStoreHarness.with { harness in
      let answered = Notices()
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b", onNotification: { answered.note($0) })
      let c = try await harness.daemon("c")
      #expect(await answered.next() == nil)
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1, asking: 1, takes: true).holder == "a")
      #expect(try await b.claim(1, asking: 1, takes: true, isAsked: true, isLast: true).holder == "no, says a")
      #expect(try await a.renew().requests == [])
      #expect(try await !a.answer(request(1, by: b, takes: true), gives: true), "it was withdrawn")
      #expect(try await b.claim(1, asking: 2, takes: true).holder == "a")
      #expect(try await !a.answer(request(1, by: b, takes: true), gives: true), "it is another request")
      #expect(try await !a.answer(request(2, by: b, takes: false), gives: true), "it is another request")
      #expect(try await !a.answer(request(2, by: c, takes: true), gives: true), "it is another daemon")
      try await a.write(.next(1, [0: "b"]))
      #expect(try await a.answer(request(2, by: b, takes: true), gives: true))
      #expect(try harness.head(1)?.owner == b.id)
      #expect(await answered.next() == StoredSessionID(1))
      #expect(await a.failure(of: .next(1, [0: "late"])) == .notOwned)
      #expect(try await a.answer(request(2, by: b, takes: true), gives: true), "the same answer again")
      #expect(try await c.claim(1).holder == "b", "nobody else can take it")
      #expect(try await b.claim(1, asking: 2, takes: true, isAsked: true, isLast: true).texts == [0: "b"])
      #expect(await b.failure(of: .next(1, [0: "c"])) == nil)
      for store in [a, b, c] { store.close() }
    }
  }

  @Test(arguments: [ConnectionInterruption.Point.before(.answer), .behind(.answer)], [false, true])
  func `is answered once, although the connection is lost`(_ point: ConnectionInterruption.Point, gives: Bool)
    async throws
  {
    try await PostgresStoreHarness.with { harness in
      let losses = Once()
      let a = try await harness.daemon("a", interruption: ConnectionInterruption { $0 == point && losses.take() })
      let b = try await harness.daemon("b")
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1, takes: true).holder == "a")
      losses.arm()
      #expect(try await a.answer(request(1, by: b, takes: true), gives: gives) == gives)
      #expect(try harness.head(1)?.owner == (gives ? b : a).id)
      #expect(await a.failure(of: .next(1, [0: "b"])) == (gives ? .notOwned : nil))
      a.close()
      b.close()
    }
  }

  @Test func `is not given to a daemon whose request or lease has run out`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      let c = try await harness.daemon("c")
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1, takes: true, for: .milliseconds(1)).holder == "a")
      try await harness.psql.wait(until: "wanted_until <= clock_timestamp() FROM formd_session")
      #expect(try await a.renew().requests == [])
      #expect(try await !a.answer(request(1, by: b, takes: true), gives: true))
      #expect(try await b.claim(1, takes: true, isAsked: true).holder == "a", "a request goes on")
      #expect(try await c.claim(1).holder == "another one asks a")
      try harness.endLease(of: b)
      #expect(try await a.renew().requests == [])
      #expect(try await !a.answer(request(1, by: b, takes: true), gives: true))
      #expect(try await c.claim(1).holder == "a")
      #expect(try await a.renew().requests.map(\.asker) == [c.id])
      for store in [a, b, c] { store.close() }
    }
  }

  @Test func `is not asked for any more when another key opens it`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1, takes: true).holder == "a")
      try await a.write(SessionWrite(StoredSessionID(2), formerID: StoredSessionID(1), parts: []))
      #expect(try await a.renew().requests == [])
      let request = SessionRequest(id: StoredSessionID(2), asker: b.id, number: 1, takes: true)
      #expect(try await !a.answer(request, gives: true))
      #expect(try await b.claim(1, takes: true, isAsked: true).isNothing)
      #expect(try await b.claim(2, asking: 2).holder == "a")
      #expect(try await a.renew().requests.map(\.id) == [StoredSessionID(2)])
      a.close()
      b.close()
    }
  }

  @Test func `is refused, and then asked for by the next daemon, which was notified`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (answered, waiting) = (Notices(), Notices())
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b", onNotification: { answered.note($0) })
      let c = try await harness.daemon("c", onNotification: { waiting.note($0) })
      #expect(await answered.next() == nil)
      #expect(await waiting.next() == nil)
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1).holder == "a")
      #expect(try await c.claim(1).holder == "another one asks a")
      #expect(try await c.claim(1, isLast: true).holder == "no, says a")
      #expect(try await a.renew().requests == [request(1, by: b, takes: false)])
      #expect(try await !a.answer(request(1, by: b, takes: false), gives: false))
      #expect(await answered.next() == StoredSessionID(1))
      #expect(await waiting.next() == StoredSessionID(1))
      #expect(try await a.renew().requests == [])
      #expect(try await c.claim(1, asking: 2).holder == "a")
      for _ in 0..<2 { #expect(try await b.claim(1, isAsked: true).holder == "no, says a") }
      // A refusal of another request does not count.
      #expect(try await !a.answer(request(1, by: c, takes: false), gives: false))
      #expect(try await a.renew().requests == [request(2, by: c, takes: false)])
      // The next owner has to answer, too.
      try await a.release(1)
      #expect(try await b.claim(1, asking: 2, takes: true).texts == [0: "a"])
      #expect(try await b.renew().requests == [request(2, by: c, takes: false)])
      #expect(try await c.claim(1, asking: 3, takes: true).holder == "b", "it replaces its own request")
      #expect(try await b.renew().requests == [request(3, by: c, takes: true)])
      for store in [a, b, c] { store.close() }
    }
  }

  @Test func `that is removed is told to the daemon that has asked for it`() async throws {
    try await PostgresStoreHarness.with { harness in
      let answered = Notices()
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b", onNotification: { answered.note($0) })
      #expect(await answered.next() == nil)
      try await a.write(.first(1, [0: "a"]))
      #expect(try await b.claim(1).holder == "a")
      #expect(try await a.remove(1))
      #expect(await answered.next() == StoredSessionID(1))
      #expect(try await b.claim(1, isAsked: true).isNothing)
      a.close()
      b.close()
    }
  }

  @Test func `a request and a release do not pass each other`() async throws {
    try await PostgresStoreHarness.with { harness in
      let answered = Notices()
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b", onNotification: { answered.note($0) })
      #expect(await answered.next() == nil)
      for number in 0..<100 {
        try await a.write(.first(number, [0: "a"]))
        async let release: Void = a.release(number)
        let claim = try await b.claim(number)
        try await release
        // The claim has taken it, or the release has seen the request.
        if claim.texts == nil {
          #expect(await answered.next() == StoredSessionID(number))
          #expect(try await b.texts(number) == [0: "a"])
        }
      }
      a.close()
      b.close()
    }
  }

  @Test func `a daemon that ends and one that claims do not wait for each other`() async throws {
    try await PostgresStoreHarness.with { harness in
      let a = try await harness.daemon("a")
      let b = try await harness.daemon("b")
      try await a.write(.first(1, [0: "a"]))
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session FOR UPDATE")
      // The claim holds the owner's row, and waits for the session's.
      async let claim = b.claim(1)
      try await harness.psql.waitForWaiting(1)
      async let end = Task.detached { a.close() }.value
      try await harness.psql.waitForWaiting(2)
      try harness.psql.run("COMMIT")
      #expect(try await claim.holder == "a")
      #expect(await end)
      #expect(try await b.texts(1) == [0: "a"])
      b.close()
    }
  }

  @Test func `a session that its owner gives while it is being claimed is got by this claim`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      try await a.write(.first(1, [0: "a"]))
      try harness.psql.run("BEGIN")
      try harness.psql.run("UPDATE formd_session SET owner = '\(b.id)', version = version + 1, wanted_by = NULL")
      // The claim has not found a free session, and waits to ask the owner.
      async let texts = b.texts(1)
      try await harness.psql.waitForWaiting(1)
      try harness.psql.run("COMMIT")
      #expect(try await texts == [0: "a"])
      a.close()
      b.close()
    }
  }

  // MARK: Leases

  @Test func `a daemon that renews too late learns what is still its own`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      for number in 1...4 { try await a.write(.first(number, [0: "a"])) }
      #expect(try await a.renew(for: .milliseconds(1)).owned == nil)
      try await harness.psql.wait(until: "until <= clock_timestamp() FROM formd_instance WHERE id = '\(a.id)'")
      #expect(try await b.texts(2) == [0: "a"])
      #expect(try await b.texts(3) == [0: "a"])
      #expect(try await a.renew().owned == Set([1, 4].map { StoredSessionID($0) }))
      #expect(try await a.renew().owned == nil)
      #expect(try await b.claim(1).holder == "a")
      #expect(await a.failure(of: .next(1, [0: "b"])) == nil)
      #expect(await a.failure(of: .next(2, [0: "b"])) == .notOwned)
      a.close()
      b.close()
    }
  }

  @Test func `a renewal whose answer was lost says again what is still its own`() async throws {
    try await PostgresStoreHarness.with { harness in
      let isLost = Once()
      let b = try await harness.daemon("b")
      let a = try SessionDatabase(
        try harness.settings("a"),
        interruption: ConnectionInterruption { $0 == .behind(.renewal) && isLost.take() }
      )
      _ = try await a.renew()
      for number in 1...2 { try await a.write(.first(number, [0: "a"])) }
      try harness.endLease(of: a)
      #expect(try await b.texts(2) == [0: "a"])
      isLost.arm()
      // The first try has renewed it: at the second one it had not run out.
      #expect(try await a.renew().owned == [StoredSessionID(1)])
      #expect(try await a.renew().owned == nil)
      a.close()
      b.close()
    }
  }

  @Test func `is claimed together with others, and each is answered by itself`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      for number in 1...4 { try await a.write(.first(number, [0: "\(number)"])) }
      for number in [1, 2, 4] { try await a.release(number) }
      // The first claim waits for this lock, and the other claims are made meanwhile.
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session WHERE id = '\\x\(harness.hex(StoredSessionID(1)))' FOR UPDATE")
      async let first = b.texts(1)
      try await harness.psql.waitForWaiting(1)
      async let others = b.claimTogether([2, 3, 4, 5])
      try harness.psql.run("COMMIT")
      #expect(try await first == [0: "1"])
      let answers = await others
      #expect(try answers[2]?.get().texts == [0: "2"])
      #expect(try answers[3]?.get().holder == "a")
      #expect(try answers[4]?.get().texts == [0: "4"])
      #expect(try answers[5]?.get().isNothing == true)
      #expect(try harness.head(4)?.owner == b.id)
      for number in [1, 2, 4] { #expect(await b.failure(of: .next(number, [0: "b"])) == nil) }
      a.close()
      b.close()
    }
  }

  @Test func `a claim that must wait fails alone`() async throws {
    try await PostgresStoreHarness.with { harness in
      let a = try await harness.daemon("a")
      for number in 1...4 { try await a.write(.first(number, [0: "\(number)"])) }
      for number in 1...4 { try await a.release(number) }
      let b = try await harness.daemon("b", lockPatience: .milliseconds(200))
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_session WHERE id = '\\x\(harness.hex(StoredSessionID(3)))' FOR UPDATE")
      let answers = await b.claimTogether([1, 2, 3, 4])
      for number in [1, 2, 4] { #expect(try answers[number]?.get().texts == [0: "\(number)"]) }
      #expect(throws: StoreFailure.self) { try answers[3]?.get() }
      try harness.psql.run("COMMIT")
      #expect(try await b.texts(3) == [0: "3"])
      a.close()
      b.close()
    }
  }

  @Test func `a claim and a late renewal do not pass each other`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      var outcomes: Set<Bool> = []
      for number in 0..<200 {
        try await a.write(.first(number, [0: "a"]))
        try harness.endLease(of: a)
        async let renewal = a.renew()
        async let claim = b.claim(number)
        let (owned, isTaken) = (try await renewal.owned, try await claim.texts != nil)
        let learnt = try #require(owned)
        outcomes.insert(isTaken)
        // If the renewal came first, the claim finds the lease alive. If the claim came first, the renewal learns of
        // the loss.
        #expect(learnt.contains(StoredSessionID(number)) != isTaken, "\(number)")
        #expect(await a.failure(of: .next(number, [0: "b"])) == (isTaken ? .notOwned : nil))
        #expect(try await isTaken ? b.remove(number) : a.remove(number))
      }
      #expect(!outcomes.isEmpty)
      a.close()
      b.close()
    }
  }

  @Test func `a renewal waits for the claim that judges its lease, and judges it behind`() async throws {
    try await PostgresStoreHarness.with { harness in
      let (a, b) = (try await harness.daemon("a"), try await harness.daemon("b"))
      try await a.write(.first(1, [0: "a"]))
      // The lease runs out while the renewal waits.
      _ = try await a.renew(for: .milliseconds(300))
      try harness.psql.run("BEGIN")
      try harness.psql.run("SELECT FROM formd_instance WHERE id = '\(a.id)' FOR SHARE")
      async let renewal = a.renew()
      try await harness.psql.waitForWaiting(1)
      try await harness.psql.wait(until: "until <= clock_timestamp() FROM formd_instance WHERE id = '\(a.id)'")
      try harness.psql.run(
        "UPDATE formd_session SET owner = '\(b.id)', version = version + 1 WHERE owner = '\(a.id)'"
      )
      try harness.psql.run("COMMIT")
      #expect(try await renewal.owned == [])
      a.close()
      b.close()
    }
  }

  @Test func `rows of processes that have long been dead go, unless they own something`() async throws {
    try await PostgresStoreHarness.with { harness in
      var stores: [SessionDatabase] = []
      for name in ["a", "b", "c"] { stores.append(try await harness.daemon(name)) }
      try await stores[1].write(.first(1, [0: "a"]))
      try harness.psql.run("UPDATE formd_instance SET until = now() - interval '2 days' WHERE name IN ('a', 'b')")
      let d = try await harness.daemon("d")
      // The renewal removes old rows.
      _ = try await d.renew()
      #expect(try harness.psql.value("SELECT string_agg(name, ',' ORDER BY name) FROM formd_instance") == "b,c,d")
      // A daemon that was removed as dead starts again as a new one.
      try await stores[0].write(.first(2, [0: "a"]))
      #expect(try await stores[0].renew().owned == [StoredSessionID(2)])
      #expect(try await stores[0].renew().owned == nil)
      for store in stores + [d] { store.close() }
    }
  }
}
