internal import Configuration
internal import FormProtocol
internal import JSON
internal import JSONRPC
import Testing
internal import Times

@testable import WebDoor

/// A conversation with one browser, at a virtual time.
final class Talk {
  private var conversation: BrowserConversation
  private(set) var now = Instant(nanoseconds: 0)

  init(_ configure: (inout WebConfiguration) -> Void = { _ in }) {
    var configuration = WebConfiguration()
    configuration.forms = [
      "login": .init(isOpen: true), "feedback": .init(isOpen: true, keep: .seconds(1_800)),
      "signup": .init(isOpen: false),
    ]
    configure(&configuration)
    conversation = BrowserConversation(configuration, at: now)
  }

  func wait(_ time: Duration) -> CloseReason? {
    now = now + time
    return conversation.timePassed(now)
  }

  /// The browser sends a text: what becomes of it, in a word and the text.
  func browser(_ text: String) -> String {
    let decision = Array(text.utf8).withUnsafeBufferPointer { conversation.received($0, at: now) }
    return switch decision {
    case .nothing: "nothing"
    case .pass: "pass"
    case .begin(let bytes, let keep):
      "begin \(keep.map { "\($0) " } ?? "")" + String(decoding: bytes, as: UTF8.self)
    case .answer(let bytes): "answer " + String(decoding: bytes, as: UTF8.self)
    case .close(let reason): "close \(reason.code) \(reason.text)"
    }
  }

  func daemon(_ text: String) -> CloseReason? {
    Array(text.utf8).withUnsafeBufferPointer { conversation.sent($0, at: now) }
  }

  func ping() -> CloseReason? { conversation.counted(at: now) }
  func daemonEnded() -> CloseReason? { conversation.daemonEnded() }
  var hasSession: Bool { conversation.hasSession }
  var hasEnded: Bool { conversation.hasEnded }
  var isListening: Bool { conversation.isListening }
  var wakeUp: Instant? { conversation.wakeUp }

  /// Gives the browser session 7 of the form `login`.
  func open() {
    _ = browser(call("session/open", #"{"form":"login"}"#))
    _ = daemon(#"{"jsonrpc":"2.0","id":1,"result":{"session":7,"revision":0,"document":{},"values":{}}}"#)
  }
}

private func call(_ method: String, _ params: String, id: Int? = 1) -> String {
  #"{"jsonrpc":"2.0",\#(id.map { "\"id\":\($0)," } ?? "")"method":"\#(method)","params":\#(params)}"#
}

struct BrowserConversationTests {
  @Test
  func `the first call opens a session of an open form, and the door adds how long it is kept, and that it is public`()
  {
    let talk = Talk()
    #expect(
      talk.browser(call("session/open", #"{"form":"feedback","locale":"en","zone":"UTC"}"#)) == "begin 1800.0 seconds "
        + call("session/open", #"{"form":"feedback","locale":"en","zone":"UTC","keep":"1800000ms","onlyPublic":true}"#)
    )
    #expect(talk.isListening && !talk.hasSession && talk.wakeUp == nil)
    #expect(talk.daemon(#"{"jsonrpc":"2.0","method":"server/draining","params":{"withinMs":1}}"#) == nil)
    #expect(talk.daemon(#"{"jsonrpc":"2.0","id":2,"result":{"session":9}}"#) == nil)
    #expect(talk.isListening)
    #expect(talk.daemon(#"{"jsonrpc":"2.0","id":1,"result":{"session":7,"revision":0}}"#) == nil)
    #expect(talk.hasSession && !talk.isListening)
  }

  @Test
  func `the first call attaches to a session`() {
    let talk = Talk()
    #expect(
      talk.browser(call("session/attach", #"{"key":"5f0c","seq":3,"onlyPublic":false}"#))
        == "begin " + call("session/attach", #"{"key":"5f0c","seq":3,"onlyPublic":true}"#)
    )
    _ = talk.daemon(#"{"jsonrpc":"2.0","id":1,"result":{"session":7,"form":"signup","revision":0}}"#)
    #expect(talk.hasSession)
    let describe = call("form/describe", #"{"form":"signup"}"#)
    #expect(talk.browser(describe) == "pass")
    #expect(talk.browser(call("form/describe", #"{"form":"login"}"#)).contains(#""path":"/form""#))
  }

  @Test
  func `a first call that the daemon refuses may be made again, but not after its time`() {
    let talk = Talk()
    let refusal = #"{"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"Unknown session"}}"#
    _ = talk.browser(call("session/attach", #"{"key":"a","seq":0}"#))
    #expect(talk.daemon(refusal) == nil)
    #expect(talk.wakeUp == Instant(nanoseconds: 0) + BrowserConversation.firstCallMax)
    _ = talk.browser(call("session/attach", #"{"key":"b","seq":0}"#))
    #expect(talk.wait(.seconds(6)) == nil)
    #expect(talk.daemon(refusal)?.code == 1008)
    #expect(talk.hasEnded)
    #expect(talk.browser(call("session/attach", #"{"key":"c","seq":0}"#)) == "nothing")
  }

  @Test
  func `a browser that says nothing is sent away in time`() {
    let talk = Talk()
    #expect(talk.wait(.milliseconds(4_999)) == nil)
    #expect(talk.wait(.milliseconds(1))?.code == 1008)
    #expect(talk.wait(.seconds(1)) == nil)
    #expect(talk.daemonEnded() == nil)
  }

  @Test
  func `a session has no deadline`() {
    let talk = Talk()
    talk.open()
    #expect(talk.wakeUp == nil && talk.wait(.seconds(3_600)) == nil)
  }

  @Test(
    arguments: Method.allCases.filter { !$0.isForBrowsers || $0 == .sessionAttach || $0 == .sessionOpen }
  )
  func `a method that is not for browsers is refused as one that does not exist`(_ method: Method) {
    let talk = Talk()
    talk.open()
    let name = method.wireName.description
    let answer = talk.browser(call(name, "{}"))
    #expect(answer.hasPrefix(#"answer {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"#))
    #expect(answer.contains(#""method":"\#(name)""#))
    #expect(talk.browser(call(name, "{}", id: nil)) == "nothing")
  }

  @Test(arguments: Method.allCases.filter(\.isForBrowsers))
  func `a method for browsers is passed on for the browser's session and no other`(_ method: Method) {
    let talk = Talk()
    talk.open()
    let name = method.wireName.description
    for params in ["{}", #"{"session":7}"#, "null", "[]", "[1]"] {
      #expect(talk.browser(call(name, params)) == "pass")
      #expect(talk.browser(call(name, params, id: nil)) == "pass")
    }
    for member in [
      #""session":8"#, #""session":"7""#, #""session":null"#, #""session":7.0"#, #""context":{}"#, #""definition":1"#,
      #""form":"signup""#, #""explain":true"#, #""\u0063ontext":null"#, #""origin":"program""#,
      #""origin":"restore""#, #""origin":null"#,
    ] {
      #expect(talk.browser(call(name, "{\(member)}")).contains(#""code":-32602"#), "\(member)")
      let told = talk.browser(call(name, "{\(member)}", id: nil))
      #expect(method.feedsSession ? told.hasPrefix("answer ") && told.contains(name) : told == "nothing")
    }
    // Values have names of their own.
    #expect(talk.browser(call(name, #"{"value":{"context":1,"session":8}}"#)) == "pass")
  }

  @Test
  func `while the daemon has not answered, no session is named`() {
    let talk = Talk()
    _ = talk.browser(call("session/open", #"{"form":"login"}"#))
    #expect(talk.browser(call("session/get", "{}", id: 2)) == "pass")
    #expect(talk.browser(call("session/get", #"{"session":7}"#, id: 2)).contains(#""path":"/session""#))
    #expect(talk.browser(call("form/describe", #"{"form":"login"}"#, id: 2)) == "pass")
    #expect(talk.browser(call("form/describe", #"{"form":"feedback"}"#, id: 2)).contains(#""path":"/form""#))
    #expect(talk.browser(call("session/open", #"{"form":"login"}"#, id: 2)).contains("-32601"))
  }

  @Test
  func `a second request with the id of the first call ends the conversation`() {
    let talk = Talk()
    _ = talk.browser(call("session/open", #"{"form":"login"}"#))
    #expect(talk.browser(call("form/describe", "{}")).contains("1008"))
    #expect(talk.browser(call("session/get", "{}", id: 2)) == "nothing")
  }

  @Test
  func `a line break within a string is an error`() {
    let talk = Talk()
    talk.open()
    #expect(talk.browser("{\"jsonrpc\":\"2.0\",\"id\":\"a\nb\",\"method\":\"session/get\"}").contains("-32700"))
  }

  @Test
  func `a browser that sends faster than it may is sent away`() {
    let talk = Talk { $0.limits[.messagesPerSecond] = 10 }
    talk.open()
    for _ in 1..<100 { #expect(talk.browser(call("session/get", "{}")) == "pass") }
    #expect(talk.wait(.milliseconds(200)) == nil)
    #expect(talk.ping() == nil && talk.ping() == nil)
    #expect(talk.ping()?.code == 1013)
    #expect(talk.browser(call("session/get", "{}")) == "nothing")
  }

  @Test
  func `the end of the daemon's connection sends the browser away, to come later if there was no room`() {
    let talk = Talk()
    _ = talk.browser(call("session/open", #"{"form":"login"}"#))
    let noSeat = #""error":{"code":1011,"message":"Overloaded","data":{"limit":"connectionsMax","value":1}}"#
    #expect(talk.daemon(#"{"jsonrpc":"2.0","id":1,\#(noSeat)}"#) == nil)
    #expect(talk.daemonEnded()?.code == 1013)
    let other = Talk()
    other.open()
    #expect(other.daemonEnded()?.code == 1012)
    #expect(other.daemonEnded() == nil)
  }

  @Test
  func `every reason fits into a close frame`() {
    for reason in [
      CloseReason.binary, .notUTF8, .tooLarge(.max),
      .policy("the first message must be session/attach or session/open"),
    ] {
      #expect(reason.text.utf8.count <= CloseReason.textBytesMax)
    }
  }
}
