import CEL
internal import Configuration
import JSON
import Server
import Testing
internal import Times

/// The effects of a session's zone and the daemon's clock on messages.
@Suite struct SessionTimeTests {
  private static let catalog = FormCatalog([
    TestForms.form(
      """
      { "form": "dates", "clock": "10s",
        "schema": { "type": "object", "properties": { "until": { "type": "string", "maxLength": 10 } } },
        "rules": [ { "id": "past", "field": "until", "check": "days(today, self) >= 0", "message": "over" } ],
        "checks": [ { "id": "c", "field": "until", "run": { "provider": { "name": "p", "arguments": { "d": "self" } } },
          "outcomes": [ { "when": "response.body == true", "valid": true }, { "code": "no" } ] } ],
        "outputs": { "today": "today", "zone": "form.zone", "second": "now.getSeconds()" } }
      """
    )
  ])

  private func daemon(at time: String, zone: String? = nil) throws -> TestDaemon {
    let daemon = TestDaemon(catalog: Self.catalog) { $0.zone = zone.flatMap { Zone(named: $0) } }
    daemon.wallStart = try #require(Timestamp(rfc3339: time))
    return daemon
  }

  private func outputs(_ client: TestClient, _ params: JSON) -> JSON? {
    client.result("session/open", params).at("document", "outputs")
  }

  @Test func `a session is in the zone that its client names, else in the configuration's, else in the system's`()
    throws
  {
    let client = try daemon(at: "2026-11-22T20:00:00Z", zone: "Asia/Seoul").connect()
    #expect(outputs(client, ["form": "dates", "zone": "UTC"]) == ["today": "2026-11-22", "zone": "UTC", "second": 0])
    #expect(outputs(client, ["form": "dates", "zone": "+09:30"])?["today"] == "2026-11-23")
    #expect(outputs(client, ["form": "dates"]) == ["today": "2026-11-23", "zone": "Asia/Seoul", "second": 0])
    let other = try daemon(at: "2026-11-22T20:00:00Z").connect()
    #expect(outputs(other, ["form": "dates"])?["zone"] == "UTC")
  }

  @Test(arguments: ["session/open", "form/validate"], ["Europe/Zurch", "", "../../etc/passwd", "utc"])
  func `a zone that is not known is refused`(method: String, zone: String) throws {
    let client = try daemon(at: "2026-11-22T20:00:00Z").connect()
    let error = client.error(method, ["form": "dates", "zone": .string(zone)])
    #expect(error["code"] == -32602)
    let problem = error.at("data", "errors")?.arrayValue?.first
    #expect(problem?["path"] == "/zone" && problem?["expected"]?.stringValue?.contains("Europe/Zurich") ?? false)
    #expect(client.result("session/list") == ["sessions": []])
  }

  @Test func `midnight and ticks are pushed to a client that does nothing`() throws {
    let daemon = try daemon(at: "2026-11-22T22:59:55Z")
    let client = daemon.connect()
    client.result("session/open", ["form": "dates", "zone": "Europe/Zurich", "values": ["until": "2026-11-22"]])
    daemon.advance(milliseconds: 5_000)
    let midnight = client.messages()
    #expect(midnight.count == 1)
    #expect(midnight[0].at("params", "cause") == "timer")
    #expect(midnight[0].at("params", "patch", "outputs") == ["today": "2026-11-23"])
    #expect(midnight[0].at("params", "patch", "isValid") == false)
    daemon.advance(milliseconds: 5_000)
    #expect(client.messages().map { $0.at("params", "patch") } == [["outputs": ["second": 5]]])
    client.result("session/close")
    daemon.advance(milliseconds: 60_000)
    #expect(client.messages().isEmpty)
  }

  @Test func `values are judged by the date in the zone that is asked for, and no clock keeps the answer waiting`()
    throws
  {
    let client = try daemon(at: "2026-11-22T23:30:00Z").connect()
    let values: JSON = ["until": "2026-11-22"]
    #expect(client.result("form/validate", ["form": "dates", "values": values, "zone": "UTC"])["isValid"] == true)
    let seoul = client.result("form/validate", ["form": "dates", "values": values, "zone": "Asia/Seoul"])
    #expect(seoul["isValid"] == false && seoul.at("document", "messages", "until") == "over")
    let checked = client.result("form/validate", ["form": "dates", "values": values, "zone": "UTC", "checks": true])
    #expect(checked["isValid"] == false, "no provider: the check's service failed")
  }
}
