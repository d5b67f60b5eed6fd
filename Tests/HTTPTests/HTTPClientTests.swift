internal import HTTP
internal import NIOConcurrencyHelpers
import Testing

#if canImport(Glibc)
  import Glibc
#endif

struct HTTPClientTests {
  private static let ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"

  @Test func `one connection serves requests one after another`() async throws {
    try await withServer(.init(answers: [Self.ok], closes: false)) { server, client in
      for _ in 0..<20 { #expect(await client.outcome(.to(server.url)).status == 200) }
      #expect(server.connections.withLockedValue { $0 } == 1)
    }
  }

  @Test func `a connection without a request is closed when its time is over`() async throws {
    try await withServer(.init(answers: [Self.ok], closes: false), idleTimeout: .milliseconds(1)) { server, client in
      #expect(await client.outcome(.to(server.url)).status == 200)
      for await _ in server.closings { break }
      #expect(await client.outcome(.to(server.url)).status == 200)
      #expect(server.connections.withLockedValue { $0 } == 2)
    }
  }

  @Test func `a server is reached by its Unix socket`() async throws {
    let path = "/tmp/formd-http-\(getpid()).sock"
    defer { unlink(path) }
    try await withServer(.text(Self.ok), socket: path) { server, client in
      var request = HTTPRequest.to("http://accounts.example/api")
      request.route.socket = path
      #expect(await client.outcome(request).status == 200)
      let header = server.requests.withLockedValue { $0.first ?? "" }
      #expect(header.hasPrefix("GET /api HTTP/1.1\r\nHost: accounts.example\r\n"))
    }
  }

  @Test func `a proxy gets the request for another server`() async throws {
    try await withServer(.text(Self.ok)) { server, client in
      var request = HTTPRequest.to("http://accounts.example/api")
      request.route.proxy = .url(server.url)
      #expect(await client.outcome(request).status == 200)
      #expect(
        server.requests.withLockedValue { $0.first?.hasPrefix("GET http://accounts.example/api HTTP/1.1\r\n") } == true
      )
    }
  }

  @Test func `a connection that is cut while TLS is set up is refused, and the server did not disagree on TLS`()
    async throws
  {
    try await withServer(.init(answers: [""], answersAtOnce: true)) { server, client in
      let url = server.url.replacing("http:", with: "https:")
      #expect(await client.outcome(.to(url)).failure == .refused)
    }
  }

  @Test func `a request that only connects sends nothing`() async throws {
    try await withServer(.text(Self.ok)) { server, client in
      var request = HTTPRequest.to(server.url)
      request.connectsOnly = true
      #expect(await client.outcome(request).status == 0)
      #expect(await client.outcome(.to(server.url)).status == 200)
      #expect(server.requests.withLockedValue { $0.count } == 1)
    }
  }

  @Test(arguments: [
    HTTPHeader("x", "a\r\ny: b"), HTTPHeader("x", "a\nb"), HTTPHeader("x", "a\u{0}b"), HTTPHeader("x\r\ny", "a"),
    HTTPHeader("", "a"), HTTPHeader("x y", "a"), HTTPHeader("x:", "a"),
  ])
  func `a header field that would add another is refused`(field: HTTPHeader) async throws {
    try await withServer(.text(Self.ok)) { server, client in
      var request = HTTPRequest.to(server.url)
      request.headers = [field]
      #expect(await client.outcome(request).failure == .other)
      #expect(server.connections.withLockedValue { $0 } == 0)
    }
  }

  @Test func `a method that would add a header is refused`() async throws {
    try await withServer(.text(Self.ok)) { server, client in
      #expect(await client.outcome(.to(server.url, "GET / HTTP/1.1\r\nx: y\r\n\r\nGET")).failure == .other)
      #expect(server.connections.withLockedValue { $0 } == 0)
    }
  }

  @Test func `fields that frame the body are the client's alone`() async throws {
    try await withServer(.text(Self.ok)) { server, client in
      var request = HTTPRequest.to(server.url, "POST", body: "{}")
      request.headers = [
        HTTPHeader("Content-Length", "7"), HTTPHeader("transfer-encoding", "chunked"),
        HTTPHeader("expect", "100-continue"),
        HTTPHeader("x-empty", ""), HTTPHeader("x-blank", " \t"),
      ]
      #expect(await client.outcome(request).status == 200)
      let lines = server.requests.withLockedValue { ($0.first ?? "").lowercased().split(separator: "\r\n") }
      #expect(lines.contains("content-length: 2"))
      #expect(lines.contains("x-empty:") && lines.contains("x-blank:"))
      #expect(
        !lines.contains { $0.hasPrefix("transfer-encoding") || $0.hasPrefix("expect") || $0.hasPrefix("content-type") }
      )
    }
  }

  @Test func `a method without a body says how long its body is where that is customary`() async throws {
    try await withServer(.init(answers: [Self.ok], closes: false)) { server, client in
      for method in ["GET", "DELETE", "POST", "PUT", "PATCH"] { _ = await client.outcome(.to(server.url, method)) }
      let sent = server.requests.withLockedValue { $0.map { $0.lowercased() } }
      #expect(sent.map { $0.contains("content-length: 0") } == [false, false, true, true, true])
    }
  }

  @Test func `each request has one outcome, also when it is cancelled twice or after its end`() async throws {
    let outcomes = NIOLockedValueBox<[HTTPFailure.Kind?]>([])
    try await withServer(.init(answers: [""], closes: false)) { server, client in
      let id = await withCheckedContinuation { continuation in
        let cell = NIOLockedValueBox<HTTPClient.RequestID?>(nil)
        let id = client.send(.to(server.url)) { outcome in
          outcomes.withLockedValue { $0.append(outcome.failure) }
          continuation.resume(returning: cell.withLockedValue { $0 })
        }
        cell.withLockedValue { $0 = id }
        client.cancel(id)
        client.cancel(id)
      }
      client.cancel(try #require(id))
      // The client does one thing after another: when it is closed, it has seen all of these.
      await client.close()
      #expect(outcomes.withLockedValue { $0 } == [.cancelled])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `closing ends what is under way, and what comes later`() async throws {
    let server = try await ScriptedServer(.init(answers: [""], closes: false))
    let client = HTTPClient(connectionsMax: 8, idleTimeout: .seconds(60))
    async let first = client.outcome(.to(server.url))
    async let second = client.outcome(.to(server.url))
    while server.connections.withLockedValue({ $0 }) < 2 {
      try Task.checkCancellation()
      await Task.yield()
    }
    await client.close()
    #expect(await first.failure == .cancelled)
    #expect(await second.failure == .cancelled)
    #expect(await client.outcome(.to(server.url)).failure == .cancelled)
    try await server.stop()
  }

  @Test func `a client without requests has no thread to end`() async {
    await HTTPClient(connectionsMax: 1, idleTimeout: .seconds(1)).close()
  }

  @Test func `names that do not resolve and files that are missing have their own kinds`() async {
    let client = HTTPClient(connectionsMax: 1, idleTimeout: .seconds(1))
    #expect(await client.outcome(.to("http://does-not-exist.invalid/")).failure == .refused)
    var request = HTTPRequest.to("http://accounts.example/")
    request.route.socket = "/nowhere/x.sock"
    #expect(await client.outcome(request).failure == .refused)
    await client.close()
  }
}
