internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// The keys that open a kept session, and texts that do not.
struct SessionKeyTests {
  @Test
  func `whatever opens no session is answered with the same bytes`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (expired, _) = try client.openKept(["form": "login", "keep": "1s"])
    client.result("session/detach")
    daemon.advance(milliseconds: 1_000)
    let (rotated, _) = try client.openKept()
    client.result("session/attach", ["key": rotated, "rotate": true])
    let (closed, session) = try client.openKept()
    client.result("session/close", ["session": session])
    let upper = JSON.string(try client.openKept().key.stringValue?.uppercased() ?? "")
    let wrong: [JSON] = [
      expired, rotated, closed, upper, "", "x", "00000000000000000000000000000000",
      .string(String(repeating: "0", count: 100_000)), "닉네임", .string(session.description),
    ]
    for key in wrong {
      #expect(client.error("session/attach", ["key": key]) == ["code": 1001, "message": "Unknown session"])
    }
    #expect(client.error("session/attach")["code"] == -32602)
  }

  @Test
  func `a rotated key opens the session, the old one does not`() throws {
    let daemon = TestDaemon()
    let client = daemon.connect()
    let (key, session) = try client.openKept()
    let fresh = client.result("session/attach", ["key": key, "rotate": true])["key"] ?? .null
    #expect(fresh != key)
    client.connection.closed()
    let other = daemon.connect()
    #expect(other.error("session/attach", ["key": key])["code"] == 1001)
    #expect(other.result("session/attach", ["key": fresh])["session"] == session)
  }

  @Test
  func `an attach that is refused rotates nothing`() throws {
    let daemon = TestDaemon { $0.limits[.sessionsPerConnectionMax] = 1 }
    let owner = daemon.connect()
    let (key, session) = try owner.openKept()
    let other = daemon.connect()
    other.open("login")
    #expect(other.error("session/attach", ["key": key, "rotate": true])["code"] == 1012)
    #expect(owner.result("session/attach", ["key": key])["session"] == session)
  }
}
