internal import Actions
internal import JSON
internal import NIOCore
internal import NIOEmbedded
internal import Sessions
internal import Testing
internal import Times

struct MockServiceTests {
  private static let configuration = ActionsConfiguration(services: [
    "accounts": .mock([
      MockAnswer(method: "POST", path: "/login", status: 200, json: ["name": "Kim"], delay: .milliseconds(300)),
      MockAnswer(path: "/any-method", status: 503),
      MockAnswer(method: "DELETE", status: 405, json: ["error": "no"]),
    ])
  ])

  @Test(
    arguments: [
      ("post", "/login", 200, ["name": "Kim"]), ("GET", "/any-method?page=2", 503, nil),
      ("DELETE", "/anything", 405, ["error": "no"]),
    ] as [(String, String, Int, JSON?)]
  )
  func `the first answer that fits method and path is given`(
    method: String,
    target: String,
    status: Int,
    body: JSON?
  ) throws {
    let loop = EmbeddedEventLoop()
    var answers: [EffectResponse] = []
    let performer = ActionPerformer(Self.configuration, now: { .milliseconds(0) }, offload: { $0() })
    _ = performer.perform(
      Effect(id: EffectID(rawValue: 1), request: .accounts(target, method: method), timeout: .seconds(10)),
      for: 1,
      on: loop
    ) { answers.append($0) }
    #expect(answers.isEmpty)
    loop.advanceTime(by: .milliseconds(300))
    #expect(answers.map(\.status) == [status])
    #expect(answers.first?.kind == .ok)
    #expect(answers.first?.body == body)
  }

  @Test(
    arguments: [
      ("/cities?country=KR&q=a%20b", nil, 1), ("/cities?q=a+b&country=KR", nil, 4), ("/cities?country=CH", nil, 2),
      ("/cities", nil, 4), ("/login", ["email": "kim@example.com", "box": ["a": 1, "b": 2]], 3),
      ("/login", ["email": "kim@example.com", "box": ["b": 2]], 4), ("/login", nil, 4), ("/login", ["a", 1], 5),
      ("/login", ["a", 1, 2], 4),
    ] as [(String, JSON?, Int64)]
  )
  func `an answer may ask for members of the query and of the body`(target: String, body: JSON?, answer: Int64) throws {
    let loop = EmbeddedEventLoop()
    let configuration = ActionsConfiguration(services: [
      "accounts": .mock([
        MockAnswer(query: ["country": "KR", "q": "a b"], json: 1), MockAnswer(query: ["country": "CH"], json: 2),
        MockAnswer(body: ["email": "kim@example.com", "box": ["a": 1]], json: 3), MockAnswer(body: ["a", 1], json: 5),
        MockAnswer(json: 4),
      ])
    ])
    var answers: [EffectResponse] = []
    let performer = ActionPerformer(configuration, now: { .milliseconds(0) }, offload: { $0() })
    let request = EffectRequest.HTTPRequest(service: "accounts", method: "POST", target: target, json: body)
    _ = performer.perform(
      Effect(id: EffectID(rawValue: 1), request: .http(request), timeout: .seconds(10)),
      for: 1,
      on: loop
    ) { answers.append($0) }
    loop.run()
    #expect(answers.map(\.body) == [.integer(answer)])
  }

  @Test func `an answer comes after its delay, not before`() throws {
    let loop = EmbeddedEventLoop()
    var answers: [EffectResponse] = []
    let performer = ActionPerformer(Self.configuration, now: { .milliseconds(0) }, offload: { $0() })
    let run = performer.perform(
      Effect(id: EffectID(rawValue: 1), request: .accounts("/login", method: "POST"), timeout: .seconds(10)),
      for: 1,
      on: loop
    ) { answers.append($0) }
    loop.advanceTime(by: .milliseconds(299))
    #expect(answers.isEmpty && run.isUnderWay)
    loop.advanceTime(by: .milliseconds(1))
    #expect(answers.count == 1 && !run.isUnderWay)
  }

  @Test func `a delay beyond the timeout is a timeout, and the late answer is not given`() throws {
    let loop = EmbeddedEventLoop()
    var answers: [EffectResponse] = []
    let performer = ActionPerformer(Self.configuration, now: { .milliseconds(0) }, offload: { $0() })
    _ = performer.perform(
      Effect(id: EffectID(rawValue: 1), request: .accounts("/login", method: "POST"), timeout: .milliseconds(100)),
      for: 1,
      on: loop
    ) { answers.append($0) }
    loop.advanceTime(by: .milliseconds(100))
    #expect(answers.map(\.kind) == [.timeout])
    loop.advanceTime(by: .seconds(1))
    #expect(answers.count == 1)
  }

  @Test func `a cancelled run gives no answer`() throws {
    let loop = EmbeddedEventLoop()
    var answers = 0
    let performer = ActionPerformer(Self.configuration, now: { .milliseconds(0) }, offload: { $0() })
    let run = performer.perform(
      Effect(id: EffectID(rawValue: 1), request: .accounts("/login", method: "POST"), timeout: .seconds(10)),
      for: 1,
      on: loop
    ) { _ in answers += 1 }
    run.cancel()
    loop.advanceTime(by: .seconds(20))
    #expect(answers == 0)
  }

  @Test func `a request without an answer of its own gets a 404 that says so`() throws {
    let loop = EmbeddedEventLoop()
    var answers: [EffectResponse] = []
    let performer = ActionPerformer(Self.configuration, now: { .milliseconds(0) }, offload: { $0() })
    _ = performer.perform(
      Effect(id: EffectID(rawValue: 1), request: .accounts("/nowhere", method: "GET"), timeout: .seconds(10)),
      for: 1,
      on: loop
    ) { answers.append($0) }
    loop.run()
    #expect(answers.first?.status == 404)
    #expect(answers.first?.body?["error"]?.stringValue?.contains("GET /nowhere") == true)
  }
}
