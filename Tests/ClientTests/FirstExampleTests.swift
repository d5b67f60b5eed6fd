internal import Client
internal import Foundation
internal import Testing

struct FirstExampleTests {
  /// Answers as the login example does.
  private static let script: FakeDaemon.Script = { method, id, params in
    switch method {
    case "session/open":
      #expect(params == ["form": "login", "locale": "en"])
      return [FakeDaemon.result(id, ["session": 1, "revision": 0, "document": ["isValid": false], "values": [:]])]
    case "field/change":
      let isLast = params["field"] == "password"
      let update = FakeDaemon.update([
        "session": 1, "revision": isLast ? 2 : 1, "from": isLast ? 1 : 0, "cause": "field/change",
        "patch": ["isValid": .bool(isLast)],
      ])
      return [update, FakeDaemon.result(id, ["revision": isLast ? 2 : 1])]
    case "action/tap":
      #expect(params == ["session": 1, "action": "login", "await": true])
      let event: JSON = ["seq": 1, "action": "login", "run": 1, "kind": "succeeded", "result": ["name": "Kim"]]
      return [FakeDaemon.result(id, ["revision": 4, "event": event])]
    default: return [FakeDaemon.result(id, ["session": 1])]
    }
  }

  @Test func `the first example logs in`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let event = try logIn(email: "kim@example.com", password: "hunter2", socketPath: path)
      #expect(event?.kind == .succeeded && event?.action == "login" && event?.result == ["name": "Kim"])
    }
  }

  @Test func `the first example is the one of the documentation`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let example = try String(contentsOf: folder.appendingPathComponent("FirstExample.swift"), encoding: .utf8)
    let page = try String(
      contentsOf: folder.appendingPathComponent("../../Sources/Client/Client.docc/Client.md"),
      encoding: .utf8
    )
    #expect(page.contains("```swift\n\(example)```\n"))
  }
}
