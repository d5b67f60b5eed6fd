internal import Configuration
import JSON
import Server
import Sessions
import Testing

/// The log line of work that took long has names, and only the names that the work was about.
struct SlowWorkTests {
  /// A daemon all of whose work is slow.
  private let daemon = TestDaemon(
    catalog: FormCatalog([
      TestForms.login, TestForms.ask, TestForms.timed, TestForms.checked, TestForms.checkedRows,
    ])
  ) { $0.slowTurn = .zero }

  /// The lines that were logged about the work that a call began.
  private func told(_ body: () -> Void) -> [[String: String]] {
    let before = daemon.logged.count
    body()
    return daemon.logged.dropFirst(before).filter { $0.message == "a turn was slow" }.map { line in
      var told = line.metadata
      #expect(told.removeValue(forKey: "microseconds") != nil)
      return told
    }
  }

  @Test
  func `a call that is about no session names none`() {
    let client = daemon.connect()
    client.open("login")
    #expect(told { client.request("form/validate", ["form": "ask"]) } == [["cause": "form/validate", "form": "ask"]])
    #expect(told { client.request("provider/register", ["name": "p"]) } == [["cause": "provider/register"]])
    #expect(told { client.request("session/list") } == [["cause": "session/list"]])
    #expect(told { client.request("session/opn") } == [["cause": "session/opn"]])
    #expect(told { client.request("session/open", ["form": "ask"]) }.map { $0["form"] } == ["ask"])
  }

  @Test
  func `a plain input names its session, however its text comes`() {
    func expected(_ session: String) -> [[String: String]] {
      [["cause": "field/change", "form": "login", "part": "email", "session": session]]
    }
    let params: JSON = ["field": "email", "value": "kim"]
    let client = daemon.connect(headers: true)
    client.open("login")
    #expect(told { client.request("field/change", params) } == expected("1"))
    let other = daemon.connect()
    other.open("login")
    let text = #"{"jsonrpc":"2.0","id":5,"method":"field/change","params":{"field":"email","value":"kim"}}"#
    let line = TestClient.framed(text, headers: false)
    other.send(Array(line.prefix(40)))
    #expect(told { other.send(Array(line.dropFirst(40))) } == expected("2"))
  }

  @Test
  func `a call to a session names it`() {
    let client = daemon.connect()
    client.open("login")
    let change = told { client.request("field/change", ["field": "email", "value": "kim"]) }
    #expect(change == [["cause": "field/change", "form": "login", "part": "email", "session": "1"]])
    let validate = told { client.request("form/describe", ["session": 1]) }
    #expect(validate == [["cause": "form/describe", "form": "login", "session": "1"]])
    let second = client.open("ask")
    #expect(second == 2)
    #expect(told { client.request("session/get") } == [["cause": "session/get"]])
    let close = told { client.request("session/close", ["session": 1]) }
    #expect(close == [["cause": "session/close", "session": "1"]])
  }

  @Test
  func `an answer to an effect names the action or the check that asked`() {
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    let action = told { daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"])) }
    #expect(action == [["cause": "effect", "form": "login", "part": "login", "session": "1"]])
    client.open("checked")
    client.request("field/change", ["session": 2, "field": "code", "value": "a"])
    let check = told { daemon.answerEffect(EffectResponse(kind: .ok, status: 200)) }
    #expect(check == [["cause": "effect", "form": "checked", "part": "known", "session": "2"]])
    client.request("session/open", ["form": "checkedRows", "values": ["items": [["code": "a"]]]])
    client.request("field/change", ["session": 3, "field": "/items/0/code", "value": "b"])
    let row = told { daemon.answerEffect(EffectResponse(kind: .ok, status: 200)) }
    #expect(row == [["cause": "effect", "form": "checkedRows", "part": "known", "session": "3"]])
  }

  @Test
  func `a timer names what it is for`() {
    let client = daemon.connect()
    client.open("timed")
    client.request("field/change", ["field": "term", "value": "x"])
    let timer = told { daemon.advance(milliseconds: 300) }
    #expect(timer == [["cause": "timer", "form": "timed", "part": "term", "session": "1"]])
    client.result("session/close")
    client.open("login")
    client.request("field/change", ["values": ["email": "kim@example.com", "password": "p"]])
    client.request("action/tap", ["action": "login"])
    let timeout = told { daemon.advance(milliseconds: 10_000) }
    #expect(timeout == [["cause": "timer", "form": "login", "part": "login", "session": "2"]])
  }
}
