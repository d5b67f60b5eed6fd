import Forms
import JSON
import NIOCore
import NIOPosix
import Server
import Sessions
import Testing

struct TranscriptTests {
  @Test
  func `there is a transcript of each example form but booking, which asks for the date`() {
    #expect(
      Transcript.all.map(\.name) == [
        "address.jsonl", "feedback.jsonl", "invoice.jsonl", "join.jsonl", "login.jsonl", "nickname.jsonl",
        "payment.jsonl", "search.jsonl", "settings.jsonl", "signup.jsonl",
      ]
    )
    #expect(Transcript.examples.forms.count >= 5)
  }

  @Test(arguments: Transcript.all, [false, true])
  func `a transcript is replayed to the millisecond in virtual time`(_ transcript: Transcript, _ headers: Bool) {
    let daemon = TestDaemon(catalog: Transcript.examples)
    let client = daemon.connect(headers: headers)
    var received: [(at: Int64, message: JSON)] = []
    var now: Int64 = 0
    func collect() {
      for message in client.messages() { received.append((now, message)) }
    }
    func advance(to time: Int64) {
      while now < time {
        daemon.advance(milliseconds: 1)
        now += 1
        collect()
      }
    }
    for (index, entry) in transcript.lines.enumerated() {
      advance(to: entry.at)
      switch entry.line {
      case .sent(let frame):
        client.send(frame.description)
        collect()
      case .effect(let response):
        guard !daemon.effects.isEmpty else {
          Issue.record("line \(index): nothing is under way")
          return
        }
        daemon.answerEffect(response)
        collect()
      case .received(let frame):
        guard !received.isEmpty else {
          Issue.record("line \(index): nothing came at \(entry.at) ms; expected \(frame)")
          return
        }
        let next = received.removeFirst()
        #expect(next.at == entry.at, "line \(index): \(next.message)")
        #expect(holds(next.message, frame), "line \(index): expected \(frame), got \(next.message)")
      }
    }
    #expect(received.isEmpty)
  }

  @Test(arguments: Transcript.all)
  func `a transcript is replayed over a socket with a virtual clock`(_ transcript: Transcript) throws {
    let server = try SocketServer(catalog: Transcript.examples)
    defer { server.stop() }
    let client = try server.connect()
    for (index, entry) in transcript.lines.enumerated() {
      try server.advance(to: entry.at)
      switch entry.line {
      case .sent(let frame): try client.send(frame.description)
      case .effect(let response): try server.answerEffect(response)
      case .received(let frame):
        let message = try client.nextMessage()
        #expect(holds(message, frame), "line \(index): expected \(frame), got \(message)")
      }
    }
  }
}
