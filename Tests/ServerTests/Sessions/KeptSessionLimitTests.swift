internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// How many sessions are kept, and for how long.
struct KeptSessionLimitTests {
  @Test(arguments: ["", "x", "0s", "-1s", "10", "1d"])
  func `what is no duration is refused`(_ keep: String) {
    let client = TestDaemon().connect()
    let error = client.error("session/open", ["form": "login", "keep": .string(keep)])
    #expect(error["code"] == -32602)
    #expect(error.at("data", "errors")?.arrayValue?.first?["path"] == "/keep")
    #expect(client.result("server/stats")["sessions"] == 0)
  }

  @Test(arguments: ["25h", "86400001ms", "2000h"])
  func `a time that is too long for this daemon is a limit of it`(_ keep: String) {
    let error = TestDaemon().connect().error("session/open", ["form": "login", "keep": .string(keep)])
    #expect(error["code"] == 1012)
    #expect(error["data"] == ["limit": "keepMax", "value": 86_400_000])
  }

  @Test
  func `how long and how many sessions are kept is limited`() throws {
    let daemon = TestDaemon {
      $0.limits[.keptSessionsMax] = 2
      $0.limits[.keepMax] = 60_000
    }
    let client = daemon.connect()
    #expect(
      client.error("session/open", ["form": "login", "keep": "61s"]) == [
        "code": 1012, "message": "This connection has reached a limit",
        "data": ["limit": "keepMax", "value": 60_000],
      ]
    )
    let params: JSON = ["form": "login", "keep": "60s"]
    _ = try client.openKept(params)
    _ = try client.openKept(params)
    #expect(client.error("session/open", params).at("data", "limit") == "keptSessionsMax")
    #expect(client.error("session/open", params)["code"] == 1011)
    #expect(client.open("login") > 0)
    client.connection.closed()
    let other = daemon.connect()
    #expect(other.error("session/open", params)["code"] == 1011)
    daemon.advance(milliseconds: 60_000)
    _ = try other.openKept(params)
  }

  @Test
  func `who attaches has the limits of a connection`() throws {
    let daemon = TestDaemon {
      $0.limits[.sessionsPerConnectionMax] = 2
      $0.limits[.valueBytesPerConnectionMax] = 10_000
    }
    let owner = daemon.connect()
    let (key, _) = try owner.openKept()
    owner.request("field/change", ["field": "email", "value": .string(String(repeating: "x", count: 6_000))])
    let other = daemon.connect()
    other.open("login")
    other.open("login")
    #expect(other.error("session/attach", ["key": key]).at("data", "limit") == "sessionsPerConnectionMax")
    owner.connection.closed()
    let full = daemon.connect()
    full.open("login")
    full.request("field/change", ["field": "email", "value": .string(String(repeating: "x", count: 6_000))])
    #expect(full.error("session/attach", ["key": key]).at("data", "limit") == "valueBytesPerConnectionMax")
    full.result("session/close")
    #expect(full.result("session/attach", ["key": key])["session"] != nil)
    // From now on the session counts for this connection.
    let long = JSON.string(String(repeating: "x", count: 6_000))
    #expect(full.error("field/change", ["field": "password", "value": long])["code"] == 1012)
  }
}
