internal import HTTP
internal import NIOConcurrencyHelpers
import Testing

/// The bytes of a server are data: each request ends with an answer or a failure, and the next request works.
struct HostileServerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var script: ScriptedServer.Script
    var status: Int?
    var failure: HTTPFailure.Kind?

    init(_ name: String, _ text: String, status: Int? = nil, failure: HTTPFailure.Kind? = nil) {
      self.init(name, .text(text), status: status, failure: failure)
    }

    init(_ name: String, _ script: ScriptedServer.Script, status: Int? = nil, failure: HTTPFailure.Kind? = nil) {
      testDescription = name
      self.script = script
      self.status = status
      self.failure = failure
    }
  }

  @Test(arguments: [
    Case("status 000", "HTTP/1.1 000 \r\ncontent-length: 0\r\n\r\n", failure: .other),
    Case("status 001", "HTTP/1.1 001 \r\ncontent-length: 0\r\n\r\n", failure: .other),
    Case("status 099", "HTTP/1.1 099 \r\ncontent-length: 0\r\n\r\n", failure: .other),
    Case("status 999", "HTTP/1.1 999 \r\ncontent-length: 0\r\n\r\n", status: 999),
    Case("status 1000", "HTTP/1.1 1000 \r\ncontent-length: 0\r\n\r\n", failure: .other),
    Case("status with a sign", "HTTP/1.1 -20 \r\ncontent-length: 0\r\n\r\n", failure: .other),
    Case("no status", "HTTP/1.1\r\n\r\n", failure: .other),
    Case("not HTTP", "hello\r\n", failure: .other),
    Case("nothing", "", failure: .other),
    Case(
      "an upgrade",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nbytes",
      failure: .other
    ),
    Case("a continue alone", "HTTP/1.1 100 Continue\r\n\r\n", failure: .other),
    Case(
      "early hints",
      "HTTP/1.1 103 Early\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
      status: 200
    ),
    Case(
      "informational answers without end",
      .init(answers: ["HTTP/1.1 103 Early\r\nx: y\r\n\r\n"], endless: "HTTP/1.1 103 Early\r\nx: y\r\n\r\n"),
      failure: .tooLarge
    ),
    Case("a header without end", .init(answers: ["HTTP/1.1 200 OK\r\n"], endless: "x: y\r\n"), failure: .tooLarge),
    Case(
      "trailers without end",
      .init(answers: ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n"], endless: "x: y\r\n"),
      failure: .tooLarge
    ),
    Case(
      "a body without end",
      .init(answers: ["HTTP/1.1 200 OK\r\n\r\n"], endless: "xxxxxxxxxxxxxxxxxxx"),
      failure: .tooLarge
    ),
    Case("a body that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", failure: .other),
    Case("a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nabc", failure: .other),
    Case(
      "a huge chunk",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
      failure: .other
    ),
    Case("a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\nabc", failure: .other),
    Case(
      "a broken encoding",
      "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc",
      failure: .badBody
    ),
    Case(
      "an answer before the request",
      .init(answers: ["HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"], answersAtOnce: true),
      status: 200
    ),
    Case("a field without a colon", "HTTP/1.1 200 OK\r\nnonsense\r\ncontent-length: 0\r\n\r\n", failure: .other),
    Case("a field without a name", "HTTP/1.1 200 OK\r\n: x\r\ncontent-length: 0\r\n\r\n", status: 200),
  ])
  func `whatever a server sends, the request ends`(_ example: Case) async throws {
    try await withServer(example.script) { server, client in
      for _ in 0..<2 {
        let outcome = await client.outcome(.to(server.url))
        #expect(outcome.status == example.status, "\(outcome)")
        #expect(outcome.failure == example.failure, "\(outcome)")
      }
    }
  }

  @Test func `a field or a trailer that looks like a status line begins no header`() async throws {
    let text =
      "HTTP/1.1 200 OK\r\na: b\r\nHTTP/x: y\r\ntransfer-encoding: chunked\r\n\r\n0\r\nHTTP/z: 1\r\nlate: c\r\n\r\n"
    try await withServer(.text(text)) { server, client in
      let response = try await client.outcome(.to(server.url)).get()
      #expect(response.headers.map(\.name) == ["a", "HTTP/x", "transfer-encoding"])
    }
  }

  @Test func `fields have their values, and trailers are not fields`() async throws {
    let text =
      "HTTP/1.1 200 OK\r\nX-One:  a b \t\r\nx-two: c\r\n d\r\nempty:\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nx-late: e\r\n\r\n"
    try await withServer(.text(text)) { server, client in
      let response = try await client.outcome(.to(server.url)).get()
      let fields = response.headers.filter { $0.name != "transfer-encoding" }
      #expect(fields == [HTTPHeader("X-One", "a b"), HTTPHeader("x-two", "c d"), HTTPHeader("empty", "")])
      #expect(response.body == Array("abc".utf8))
    }
  }

  @Test(arguments: [
    ("POST", "{}"), ("POST", nil), ("PATCH", "{}"), ("LOGIN", nil), ("DELETE", nil), ("PUT", nil), ("PUT", "{}"),
  ])
  func `a request that may have been executed is not sent again`(method: String, body: String?) async throws {
    let ok = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"
    // The connection answers once, and breaks when the next request has arrived.
    try await withServer(.init(answers: [ok, ""])) { server, client in
      #expect(await client.outcome(.to(server.url)).status == 200)
      let second = await client.outcome(.to(server.url, method, body: body))
      let sent = server.requests.withLockedValue { $0.filter { $0.hasPrefix(method) }.count }
      #expect(sent == 1)
      // Without a body the request had a connection of its own, whose first request is answered.
      if body == nil { #expect(second.status == 200) } else { #expect(second.failure == .other) }
    }
  }
}
