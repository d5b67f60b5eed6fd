internal import Actions
internal import JSON
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import Sessions
internal import Synchronization
import Testing
internal import Times

#if canImport(Glibc)
  import Glibc
#endif

struct HTTPServiceTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    var path: String
    var kind: EffectResponse.Kind
    var status: Int
    var body: JSON?
    var testDescription: String { path }
  }

  @Test(arguments: [
    Answer(path: "/ok", kind: .ok, status: 200, body: ["name": "Kim"]),
    Answer(path: "/bad-request", kind: .ok, status: 400, body: ["error": "no"]),
    Answer(path: "/server-error", kind: .ok, status: 500, body: "oops"),
    Answer(path: "/problem", kind: .ok, status: 422, body: ["title": "no"]),
    Answer(path: "/garbage", kind: .badBody, status: 200),
    // JSON, but more than a form takes.
    Answer(path: "/deep", kind: .tooLarge, status: 200),
    Answer(path: "/empty-json", kind: .badBody, status: 200),
    Answer(path: "/no-content", kind: .ok, status: 204),
    Answer(path: "/big", kind: .tooLarge, status: 0),
    Answer(path: "/hang-up", kind: .error, status: 0),
  ])
  func `every answer of a server is a value of its own kind`(expected: Answer) async throws {
    try await EffectHarness.withServer { harness, _ in
      let response = await harness.answer(.accounts(expected.path))
      #expect(response.kind == expected.kind)
      #expect(response.status == expected.status)
      #expect(response.body == expected.body)
      // After each of these failures the same service answers again.
      let next = await harness.answer(.accounts("/ok"))
      #expect(next.kind == .ok && next.status == 200)
    }
  }

  @Test(arguments: ["/silence", "/slow-body"])
  func `an answer that does not come, or does not end, is a timeout`(path: String) async throws {
    try await EffectHarness.withServer { harness, _ in
      let response = await harness.answer(.accounts(path), timeout: .milliseconds(50))
      #expect(response.kind == .timeout)
      #expect(response.status == 0)
    }
  }

  @Test func `a redirect is an answer and is not followed`() async throws {
    try await EffectHarness.withServer { harness, server in
      let response = await harness.answer(.accounts("/redirect"))
      #expect(response.status == 302)
      #expect(response.headers["location"] == "/ok")
      // Names are in lower case, and fields of one name are one list.
      #expect(response.headers["x-twice"] == "a, b")
    }
  }

  @Test func `a port where nobody listens is refused at once`() async throws {
    // The socket is bound, so that no other process gets the port.
    let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    try #require(isBound)
    let port = UInt16(bigEndian: address.sin_port)
    for url in ["http://127.0.0.1:\(port)", "http://localhost:\(port)"] {
      let service = ServiceConfiguration.http(HTTPServiceConfiguration(baseURL: try BaseURL(url)))
      try await EffectHarness.with(ActionsConfiguration(services: ["accounts": service])) { harness in
        let response = await harness.answer(.accounts("/ok"))
        #expect(response.kind == .refused)
      }
    }
  }

  @Test func `a server that does not speak TLS gives kind tls`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await TestHTTPServer(group: group)
    let service = ServiceConfiguration.http(
      HTTPServiceConfiguration(baseURL: try BaseURL("https://127.0.0.1:\(server.port)"))
    )
    try await EffectHarness.with(ActionsConfiguration(services: ["accounts": service])) { harness in
      let response = await harness.answer(.accounts("/ok"))
      #expect(response.kind == .tls, "\(response.reason ?? "")")
    }
    try await server.stop()
    try await group.shutdownGracefully()
  }

  @Test func `method, query, headers and body arrive as they were asked for`() async throws {
    try await EffectHarness.withServer { harness, _ in
      let response = await harness.answer(
        .accounts(
          "/echo?term=%EC%95%B1",
          method: "POST",
          headers: [("x-both", "request"), ("x-own", "1")],
          json: ["email": "kim@example.com", "tries": 2]
        )
      )
      let lines = try #require(response.body?.stringValue).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first == "POST /echo?term=%EC%95%B1")
      #expect(lines.last == #"{"email":"kim@example.com","tries":2}"#)
      for line in [
        "x-service: accounts", "x-both: request", "x-own: 1", "content-type: application/json",
        "accept: application/json",
      ] {
        #expect(lines.contains { $0 == line }, "\(line)")
      }
      #expect(!lines.contains("x-both: service"))
    }
  }

  @Test(arguments: ["http://evil.example/", "no-slash", "/with space", "/line\nfeed", "/f#ragment", ""])
  func `a target that is no path of the service is an error`(target: String) async throws {
    try await EffectHarness.withServer { harness, server in
      let response = await harness.answer(.accounts(target))
      #expect(response.kind == .error)
      #expect(server.log.connections == 0)
    }
  }

  @Test func `a header that would smuggle another is an error`() async throws {
    try await EffectHarness.withServer { harness, _ in
      let response = await harness.answer(.accounts("/ok", headers: [("x-own", "1\r\nx-smuggled: 1")]))
      #expect(response.kind == .error)
    }
  }

  @Test func `connections are kept and used again`() async throws {
    try await EffectHarness.withServer { harness, server in
      for _ in 0..<20 { #expect(await harness.answer(.accounts("/ok")).status == 200) }
      #expect(server.log.connections == 1)
    }
  }

  @Test func `a cancelled run closes its connection and says nothing`() async throws {
    try await EffectHarness.withServer { harness, server in
      let answers = NIOLockedValueBox(0)
      let loop = harness.loop
      let run = try await loop.submit {
        let run = harness.performer.perform(
          Effect(id: EffectID(rawValue: 1), request: .accounts("/silence"), timeout: .seconds(600)),
          for: 1,
          on: loop
        ) { _ in answers.withLockedValue { $0 += 1 } }
        return NIOLoopBound(run, eventLoop: loop)
      }.get()
      var requests = server.log.requests.makeAsyncIterator()
      #expect(await requests.next() == "/silence")
      loop.execute {
        run.value.cancel()
        #expect(!run.value.isUnderWay)
      }
      var closings = server.log.closings.makeAsyncIterator()
      #expect(await closings.next() != nil)
      #expect(await harness.answer(.accounts("/ok")).status == 200)
      #expect(answers.withLockedValue { $0 } == 0)
    }
  }

  @Test func `hanging requests of one client leave half of the connections to the others`() async throws {
    try await EffectHarness.withServer { harness, server in
      let connections = HTTPServiceConfiguration.connectionsDefault
      var hanging: [NIOLoopBound<StartedEffect>] = []
      for _ in 0..<(connections + 2) { hanging.append(try await harness.start(.accounts("/silence"), of: 1)) }
      #expect(await harness.answer(.accounts("/ok"), of: 2).status == 200)
      // Waiting requests have a timeout like running ones, and are not sent after it.
      let late = await harness.answer(.accounts("/silence?late"), of: 1, timeout: .milliseconds(1))
      #expect(late.kind == .timeout)

      try await harness.cancel(hanging)
      #expect(await harness.answer(.accounts("/ok?last"), of: 1).status == 200)
      var requests: [String] = []
      for await request in server.log.requests {
        requests.append(request)
        if request == "/ok?last" { break }
      }
      #expect(!requests.contains("/silence?late"))
      #expect(requests.prefix { $0 != "/ok" }.filter { $0 == "/silence" }.count == connections / 2)
    }
  }

  @Test func `a client for which too much waits is told so`() async throws {
    try await EffectHarness.withServer { harness, server in
      var hanging: [NIOLoopBound<StartedEffect>] = []
      let runningMax = HTTPServiceConfiguration.connectionsDefault / 2
      for _ in 0..<(runningMax + 256) { hanging.append(try await harness.start(.accounts("/silence"), of: 1)) }
      let refused = await harness.answer(.accounts("/ok"), of: 1)
      #expect(refused.kind == .error)
      #expect(refused.reason == "256 effects of this client wait for the service accounts already")
      #expect(await harness.answer(.accounts("/ok"), of: 2).status == 200)
      try await harness.cancel(hanging)
      #expect(await harness.answer(.accounts("/ok"), of: 1).status == 200)
    }
  }

  @Test func `a long answer is parsed elsewhere, a short one at once`() async throws {
    let works = Mutex<[@Sendable () -> Void]>([])
    let (isThere, there) = AsyncStream.makeStream(of: Void.self)
    let offload: OffloadWork = { work in
      works.withLock { $0.append(work) }
      there.yield()
    }
    try await EffectHarness.withServer(bodyBytesMax: 1 << 20, offload: offload) { harness, _ in
      #expect(await harness.answer(.accounts("/ok")).kind == .ok)
      #expect(works.withLock { $0.isEmpty })
      async let answer = harness.answer(.accounts("/long"))
      for await _ in isThere { break }
      works.withLock { $0.removeFirst() }()
      #expect(await answer.body?.stringValue?.utf8.count == 200_000)
    }
  }

  @Test func `each request has an ID of its own, and a trace that begins with it`() async throws {
    try await EffectHarness.withServer { harness, _ in
      var ids: Set<Substring> = []
      for _ in 0..<2 {
        let echo = await harness.answer(.accounts("/echo")).body?.stringValue ?? ""
        let match = try #require(
          echo.firstMatch(of: /\nx-request-id: ([0-9a-f]{32})\ntraceparent: 00-([0-9a-f]{32})-[0-9a-f]{16}-01\n/)
        )
        #expect(match.1 == match.2)
        ids.insert(match.1)
      }
      #expect(ids.count == 2)
      let own = await harness.answer(.accounts("/echo", headers: [("X-Request-Id", "mine")])).body?.stringValue ?? ""
      #expect(own.contains("\nx-request-id: mine\n"))
      let failed = await harness.answer(.accounts("/hang-up"))
      #expect(failed.reason?.firstMatch(of: /\(x-request-id: [0-9a-f]{32}\)$/) != nil)
    }
  }

  @Test func `a service that fails again and again is passed over until its pause is over`() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await TestHTTPServer(group: group)
    var service = HTTPServiceConfiguration(baseURL: try BaseURL(server.baseURL))
    var settings = CircuitBreaker.Settings()
    settings.failures = 2
    service.breaker = settings
    let now = NIOLockedValueBox(Instant.milliseconds(0))
    let performer = ActionPerformer(
      ActionsConfiguration(services: ["accounts": .http(service)]),
      now: { now.withLockedValue { $0 } },
      offload: { $0() }
    )
    let harness = EffectHarness(performer: performer, loop: group.next())
    for path in ["/hang-up", "/server-error", "/hang-up", "/hang-up"] {
      #expect(performer.openBreakers == 0)
      _ = await harness.answer(.accounts(path))
    }
    #expect(performer.openBreakers == 1)
    let passed = await harness.answer(.accounts("/ok"))
    #expect(passed.kind == .refused && passed.reason?.contains("asked again in 30 s") == true)
    now.withLockedValue { $0 = $0 + .seconds(30) }
    #expect(performer.openBreakers == 0)
    #expect(await harness.answer(.accounts("/hang-up")).kind == .error)
    #expect(await harness.answer(.accounts("/ok")).kind == .refused)
    now.withLockedValue { $0 = $0 + .seconds(30) }
    #expect(await harness.answer(.accounts("/ok")).kind == .ok)
    #expect(performer.openBreakers == 0)
    await performer.shutdown()
    try await server.stop()
    try await group.shutdownGracefully()
  }

  @Test(arguments: [true, false])
  func `a service that gives no answer in time has failed, and one that is not asked any more has not`(isLate: Bool)
    async throws
  {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await TestHTTPServer(group: group)
    var service = HTTPServiceConfiguration(baseURL: try BaseURL(server.baseURL))
    var settings = CircuitBreaker.Settings()
    settings.failures = 1
    service.breaker = settings
    let performer = ActionPerformer(
      ActionsConfiguration(services: ["accounts": .http(service)]),
      now: { .milliseconds(0) },
      offload: { $0() }
    )
    let harness = EffectHarness(performer: performer, loop: group.next())
    let run = try await harness.start(.accounts("/silence"), of: 1)
    for await _ in server.log.requests { break }
    try await harness.loop.submit { run.value.cancel(isLate: isLate) }.get()
    // All outcomes are known then.
    await performer.shutdown()
    try await harness.loop.submit {}.get()
    #expect(performer.openBreakers == (isLate ? 1 : 0))
    try await server.stop()
    try await group.shutdownGracefully()
  }

  @Test func `a service that nobody configured is an error that names it`() async throws {
    try await EffectHarness.with(ActionsConfiguration()) { harness in
      let response = await harness.answer(.accounts("/ok"))
      #expect(response.kind == .error)
      #expect(response.reason?.contains("accounts") == true)
      let provider = EffectRequest.ProviderRequest(name: "words", arguments: [:], readsSecrets: false)
      #expect(await harness.answer(.provider(provider)).kind == .noProvider)
    }
  }

  @Test(arguments: [
    "", "example.com", "ftp://example.com", "http://", "http://:80", "http://host:0", "http://host:70000",
    "http://a b/",
    "http://host/?q=1", "http://host/#f", "http://me:canary@host/", "http://host:port", "http://host:", "http://[::1",
    "http://[::1]x", "http://[::1]:0", "http://me:canary@", "http://ho\"st", "http://host/%zz", "http://host/a/../b",
    "http://host/..", "http://host/%2e%2E/a", "http://host?me:canary@x",
  ])
  func `a base URL that is none is refused, and is not quoted`(url: String) {
    let problem = #expect(throws: BaseURL.Problem.self) { try BaseURL(url) }
    #expect(problem?.description.contains("canary") == false)
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "https://example.com/api/", "http://[::1]:8080", "http://[::1]", "HTTP://Host",
  ])
  func `a base URL may have a port and a path`(url: String) {
    #expect(throws: Never.self) { try BaseURL(url) }
  }
}
