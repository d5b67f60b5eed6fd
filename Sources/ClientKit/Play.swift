internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// One scenario being played: the scripted daemon on one side of the client, its adapter on the other side.
///
/// A script tells the adapter what to do, waits for the client's requests, answers them, and compares the adapter's
/// report with the daemon's own document. All of it happens on one thread, in the order of the script.
final class Play {
  /// A request of the client.
  struct Request {
    let id: JSON
    let method: String
    let params: JSONObject
    let connection: DaemonConnection
  }

  /// The next thing that happens.
  private enum Arrival {
    case request(Request)
    case report(JSONObject)
  }

  static let key = "5f0c2f6b9d3e4a175f0c2f6b9d3e4a17"

  private let adapter: Adapter
  private let patience: Duration
  private let listener: ScriptedListener
  private var connections: [DaemonConnection] = []
  /// The connections that were refused. They are closed with this object.
  private var refused: [DaemonConnection] = []
  /// The connection that has the session.
  private var current: DaemonConnection?
  private var arrived: [Request] = []
  private var arrivedReport: JSONObject?

  /// The daemon's copy of the session.
  private(set) var session: Int64 = 1
  private(set) var revision: Int64 = 0
  private(set) var document: JSON = Play.firstDocument
  private(set) var values: JSON = [:]
  /// The numbers of the events that the client must have reported, in order.
  private(set) var events: [JSON] = []
  private var lastEvent: Int64 = 0
  /// The number of times that the client asked for the whole document.
  private(set) var readCount = 0
  private var instance = "5f0c2f6b9d3e4a17"

  init(adapter: Adapter, patience: Duration) throws(KitFailure) {
    self.adapter = adapter
    self.patience = patience
    listener = try ScriptedListener()
  }

  private var deadline: ContinuousClock.Instant { .now + patience }

  // MARK: Commands and reports

  /// Tells the adapter to open a session.
  func tellOpen(keeping: Bool = true) {
    var command: JSONObject = ["do": "open", "socket": .string(listener.path), "form": "kit"]
    if keeping { command["keep"] = "10m" }
    adapter.tell(.object(command))
  }

  /// Tells the adapter to change the field `email`.
  func tellSet(_ value: String) {
    adapter.tell(["do": "set", "field": "email", "value": .string(value)])
  }

  /// Tells the adapter to tap the action `send`.
  func tellTap() {
    adapter.tell(["do": "tap", "action": "send"])
  }

  /// Waits for the adapter's report. The client may send no request before it that the daemon does not answer by
  /// itself.
  func report() throws(KitFailure) -> JSONObject {
    switch try next("the adapter's report") {
    case .report(let report): return report
    case .request(let request):
      throw KitFailure("the client sent \(request.method) \(JSON.object(request.params).shortened), and must not")
    }
  }

  /// Waits for a report of success, with the daemon's document and events.
  func succeeds() throws(KitFailure) {
    try check(try report())
  }

  /// Waits for a report of an error.
  ///
  /// - Parameter expected: the errors that are right: codes of the daemon, `unknown` or `closed`.
  func fails(with expected: [JSON]) throws(KitFailure) {
    try check(try report(), error: expected)
  }

  /// Compares a report with an expected error.
  func check(_ report: JSONObject, error expected: [JSON]) throws(KitFailure) {
    let error = report["error"] ?? .null
    guard expected.contains(error) else {
      let names = expected.map(\.description).joined(separator: " or ")
      let reported = error.isNull ? "success" : error.shortened
      throw KitFailure("the client must report the error \(names); it reported \(reported)")
    }
  }

  /// Compares a report of success with the daemon's document and events.
  func check(_ report: JSONObject) throws(KitFailure) {
    try checkSuccess(report)
    let found = report["document"] ?? .null
    if let difference = document.mergePatch(to: found) {
      throw KitFailure("the client's document differs from the daemon's by the merge patch \(difference.shortened)")
    }
    guard report["events"] == .array(events) else {
      throw KitFailure(
        "the client reported the events \((report["events"] ?? .null).shortened), and must report \(JSON.array(events))"
      )
    }
  }

  /// Compares a report with success only.
  func checkSuccess(_ report: JSONObject) throws(KitFailure) {
    if let error = report["error"], !error.isNull {
      throw KitFailure("the client reported the error \(error.shortened), and must succeed")
    }
  }

  // MARK: Requests

  /// Waits for a request of one of these methods, before the adapter's report.
  func request(_ methods: String...) throws(KitFailure) -> Request {
    guard let request = try requestOrReport(methods).request else {
      throw KitFailure("the adapter reported before the client sent \(methods.joined(separator: " or "))")
    }
    return request
  }

  /// Waits for a request of one of these methods, or for the adapter's report.
  func requestOrReport(_ methods: [String]) throws(KitFailure) -> (request: Request?, report: JSONObject?) {
    switch try next(methods.joined(separator: " or ")) {
    case .report(let report): return (nil, report)
    case .request(let request):
      guard methods.contains(request.method) else {
        throw KitFailure("the client sent \(request.method), and must send \(methods.joined(separator: " or "))")
      }
      if let number = request.params["session"], number != .integer(session) {
        throw KitFailure("\(request.method) names the session \(number); the session's number is \(session)")
      }
      return (request, nil)
    }
  }

  /// Waits for the change of `email` to that value.
  func change(to value: String) throws(KitFailure) -> Request {
    let request = try request("field/change")
    try checkChange(request, to: value)
    return request
  }

  func checkChange(_ request: Request, to value: String) throws(KitFailure) {
    let sent = request.params["value"] ?? request.params["values"]?["email"] ?? request.params["values"]?["/email"]
    let field = request.params["field"]
    guard sent == .string(value), field == nil || field == "email" || field == "/email" else {
      throw KitFailure("the client must change email to \"\(value)\"; it sent \(JSON.object(request.params).shortened)")
    }
  }

  /// Waits for the adapter's report. The client may attach its session before.
  func reportOrAttach() throws(KitFailure) -> JSONObject {
    while true {
      let (attach, report) = try requestOrReport(["session/attach"])
      if let report { return report }
      if let attach { answerAttach(attach) }
    }
  }

  /// Waits for the change of `email` to that value. The client may attach its session before.
  func changeOrAttach(to value: String) throws(KitFailure) -> Request {
    while true {
      let request = try request("field/change", "session/attach")
      if request.method == "session/attach" {
        answerAttach(request)
      } else {
        try checkChange(request, to: value)
        return request
      }
    }
  }

  /// Waits until the client has asked for the whole document, with `session/get` or by attaching its session.
  func waitUntilRead() throws(KitFailure) {
    let deadline = deadline
    while readCount == 0 {
      while !arrived.isEmpty {
        let request = arrived.removeFirst()
        if request.method == "session/attach" {
          answerAttach(request)
        } else if !answerByItself(request) {
          throw KitFailure("the client sent \(request.method) before it asked for the document")
        }
      }
      if readCount > 0 { return }
      guard try receive(until: deadline) else {
        throw KitFailure("the client did not ask for the document for \(patience)")
      }
    }
  }

  /// Waits until the client attaches its session, and answers.
  ///
  /// - Parameters:
  ///   - events: the missed events that the answer has.
  ///   - eventsLost: the number of missed events that the daemon does not have any more.
  func attach(events: [JSON] = [], eventsLost: Int64 = 0) throws(KitFailure) {
    let request = try attachRequest()
    answerAttach(request, events: events, eventsLost: eventsLost)
  }

  /// Waits for the request that attaches the session.
  @discardableResult
  func attachRequest() throws(KitFailure) -> Request {
    let request = try request("session/attach")
    guard request.params["key"] == .string(Self.key) else {
      throw KitFailure("the client must attach with its key; it sent \(JSON.object(request.params).shortened)")
    }
    if request.params["take"] == true { throw KitFailure("the client took the session without being told to") }
    return request
  }

  /// Answers a request that attaches the session.
  func answerAttach(_ request: Request, events: [JSON] = [], eventsLost: Int64 = 0) {
    current = request.connection
    readCount += 1
    for event in events { note(event) }
    answer(
      request,
      [
        "session": .integer(session), "form": "kit", "revision": .integer(revision), "document": document,
        "values": values, "events": .array(events), "eventsLost": .integer(eventsLost),
      ]
    )
  }

  /// The missed events are these: the client must report those that it has not reported before.
  private func note(_ event: JSON) {
    guard let number = event["seq"]?.integerValue, number > lastEvent else { return }
    lastEvent = number
    events.append(.integer(number))
  }

  /// Closes the session in the place of the answer to a change, with a reason for which the client attaches again.
  ///
  /// - Returns: the request that attaches the session.
  func closeAndReturn(_ reason: String, _ change: Request) throws(KitFailure) -> Request {
    send(refusal(change, -32800, ["reason": "sessionClosed"]), closed(reason))
    let (attach, report) = try requestOrReport(["session/attach"])
    if let attach { return attach }
    // The client attaches in the background, or with its next call.
    if let report { try check(report, error: Self.unrepeated) }
    tellSet("kim")
    return try attachRequest()
  }

  /// Waits for the change of `email` behind ``closeAndReturn(_:_:)``. The client has sent it again, or reports that it
  /// does not and is told again.
  func changeAgain(to value: String) throws(KitFailure) -> Request {
    let (again, report) = try requestOrReport(["field/change"])
    if let again {
      try checkChange(again, to: value)
      return again
    }
    if let report { try check(report, error: Self.unrepeated) }
    tellSet(value)
    return try change(to: value)
  }

  /// The errors of an input that the client does not send again.
  private static let unrepeated: [JSON] = ["unknown", -32800]

  /// Lets the client try five times, and fails if there are no pauses between the tries. Clients whose first pauses
  /// are 50, 100 and 200 ms long pass, also if each pause varies by half.
  func checkPauses(_ attempt: () throws(KitFailure) -> Void) throws(KitFailure) {
    try attempt()
    let start = ContinuousClock.now
    for _ in 0..<4 { try attempt() }
    let elapsed = ContinuousClock.now - start
    if elapsed < .milliseconds(150) {
      throw KitFailure("the client has tried four times in \(elapsed), and must wait longer each time")
    }
  }

  // MARK: What the daemon sends

  /// Opens a session: command, request, answer, report.
  func open(keeping: Bool = true) throws(KitFailure) {
    tellOpen(keeping: keeping)
    let request = try openRequest(keeping: keeping)
    answer(request, opened(keeping: keeping))
    try succeeds()
  }

  /// Waits for the request that opens the session.
  func openRequest(keeping: Bool = true) throws(KitFailure) -> Request {
    let request = try request("session/open")
    // A client may write the duration in another way.
    guard request.params["form"] == "kit", (request.params["keep"]?.stringValue != nil) == keeping else {
      let sent = JSON.object(request.params).shortened
      throw KitFailure("the client must open the form kit as it is told; it sent \(sent)")
    }
    current = request.connection
    return request
  }

  /// The answer to the request that opens the session.
  func opened(keeping: Bool = true) -> JSON {
    var answer: JSONObject = [
      "session": .integer(session), "revision": .integer(revision), "document": document, "values": values,
    ]
    if keeping { answer["key"] = .string(Self.key) }
    return .object(answer)
  }

  /// A change of one value that the client must be able to send: command, request, update, answer, report.
  func exchange(_ value: String, _ patch: JSON, event: JSON? = nil) throws(KitFailure) {
    tellSet(value)
    try exchangeRest(value, patch, event: event)
  }

  /// The rest of ``exchange(_:_:event:)``, behind the command.
  func exchangeRest(_ value: String, _ patch: JSON, event: JSON? = nil) throws(KitFailure) {
    let request = try change(to: value)
    send(update(patch, event: event), result(request, ["revision": .integer(revision)]))
    try succeeds()
  }

  /// The next update; merges its patch into the daemon's document.
  ///
  /// - Parameters:
  ///   - cause: the cause of the turn.
  ///   - event: an event of the turn.
  ///   - extras: members that no page names.
  func update(_ patch: JSON, cause: String = "field/change", event: JSON? = nil, extras: JSONObject = [:]) -> JSON {
    document.merge(patch)
    revision += 1
    var params: JSONObject = [
      "session": .integer(session), "revision": .integer(revision), "from": .integer(revision - 1),
      "cause": .string(cause), "patch": patch,
    ]
    if let event {
      params["events"] = [event]
      note(event)
    }
    for member in extras { params[member.name] = member.value }
    return push("session/update", .object(params))
  }

  /// A turn that the client does not hear of.
  func changeUnheard(_ patch: JSON) {
    document.merge(patch)
    revision += 1
  }

  /// The daemon gives the session another number.
  func renumber() { session += 6 }

  func push(_ method: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }

  /// The message that the session has ended, and why.
  func closed(_ reason: String) -> JSON {
    push("session/closed", ["session": .integer(session), "reason": .string(reason)])
  }

  func result(_ request: Request, _ result: JSON) -> JSON {
    ["jsonrpc": "2.0", "id": request.id, "result": result]
  }

  func answer(_ request: Request, _ result: JSON) {
    send(self.result(request, result), over: request.connection)
  }

  /// The message that refuses a request.
  func refusal(_ request: Request, _ code: Int64, _ data: JSON? = nil) -> JSON {
    var error: JSONObject = ["code": .integer(code), "message": "No"]
    if let data { error["data"] = data }
    return ["jsonrpc": "2.0", "id": request.id, "error": .object(error)]
  }

  /// Sends messages over the session's connection, in one piece. A client that does not read fails at its next step.
  func send(_ messages: JSON...) {
    if let current { try? current.write(messages, until: deadline) }
  }

  /// The same over another connection.
  func send(_ message: JSON, over connection: DaemonConnection) {
    try? connection.write([message], until: deadline)
  }

  /// Sends messages so that the client reads one byte at a time.
  func sendBytewise(_ messages: JSON...) throws(KitFailure) {
    try current?.write(messages, bytesAtATime: 1, until: deadline)
  }

  /// Refuses a request with 1011 for 300 ms.
  ///
  /// - Returns: the end of that time.
  func refuseForAWhile(_ request: Request) -> ContinuousClock.Instant {
    let end = ContinuousClock.now + Self.shortTime
    send(refusal(request, 1011, Self.overloaded("keptSessionsMax")), over: request.connection)
    return end
  }

  private static func overloaded(_ limit: String) -> JSON {
    ["limit": .string(limit), "value": 10000, "retryAfterMs": 300]
  }

  /// The time of `retryAfterMs`. Timers of some languages end up to a millisecond early.
  private static let shortTime = Duration.milliseconds(298)

  /// Fails if the client has sent that request before that time.
  func checkHasWaited(until end: ContinuousClock.Instant, _ method: String) throws(KitFailure) {
    if ContinuousClock.now < end { throw KitFailure("the client sent \(method) again before retryAfterMs had passed") }
  }

  /// Refuses the next connection with 1011 for 300 ms, and ends it.
  ///
  /// - Returns: the end of that time.
  func refuseConnection() throws(KitFailure) -> ContinuousClock.Instant {
    let deadline = deadline
    while connections.isEmpty {
      guard try receive(until: deadline) else { throw KitFailure("the client did not connect for \(patience)") }
    }
    let end = ContinuousClock.now + Self.shortTime
    let error: JSON = ["code": 1011, "message": "No room", "data": Self.overloaded("connectionsMax")]
    let connection = connections.removeFirst()
    try connection.write([["jsonrpc": "2.0", "id": .null, "error": error]], until: deadline)
    // A client that writes to a closed connection may not be able to read the refusal any more.
    connection.endOutput()
    refused.append(connection)
    drop()
    return end
  }

  /// Ends all connections.
  func drop() {
    for connection in connections { connection.drop() }
    connections = []
    arrived = []
    current = nil
  }

  /// Kills the daemon: its connections end and its socket is gone.
  func kill() {
    listener.stop()
    drop()
  }

  /// Waits while no daemon listens. The adapter must not report in that time.
  func stayAway(for duration: Duration) throws(KitFailure) {
    let end = ContinuousClock.now + duration
    while Readiness.wait(for: [(adapter.output, POLLIN)], until: end)[0] {
      adapter.receive()
      if let report = try adapter.nextReport() {
        throw KitFailure("the client gave up while no daemon listened: \(JSON.object(report).shortened)")
      }
      if adapter.hasEnded { throw Self.adapterEnded }
    }
  }

  /// Starts another daemon at the same socket.
  func restart() throws(KitFailure) {
    instance = "9d3e4a175f0c2f6b"
    try listener.listen()
  }

  // MARK: Arrivals

  private static let adapterEnded = KitFailure("the adapter has ended")

  /// Waits for the next request that the daemon does not answer by itself, or for the adapter's report. Requests come
  /// first, because a report may depend on them.
  private func next(_ expected: String) throws(KitFailure) -> Arrival {
    let deadline = deadline
    while true {
      while !arrived.isEmpty {
        let request = arrived.removeFirst()
        if !answerByItself(request) { return .request(request) }
      }
      if let report = try adapter.nextReport() {
        // A request that the client sent before the report may not have been read yet.
        try receive(until: .now)
        arrivedReport = report
      }
      if arrived.isEmpty, let report = arrivedReport {
        arrivedReport = nil
        return .report(report)
      }
      if !arrived.isEmpty { continue }
      if adapter.hasEnded { throw Self.adapterEnded }
      guard try receive(until: deadline) else {
        throw KitFailure("nothing came for \(patience); expected: \(expected)")
      }
    }
  }

  /// Reads what has arrived from the client and the adapter, and accepts connections.
  ///
  /// - Returns: false at the deadline.
  @discardableResult
  private func receive(until deadline: ContinuousClock.Instant) throws(KitFailure) -> Bool {
    let wanted = [adapter.hasEnded ? -1 : adapter.output, listener.descriptor] + connections.map(\.descriptor)
    let ready = Readiness.wait(for: wanted.map { ($0, POLLIN) }, until: deadline)
    if ready[0] { adapter.receive() }
    for (connection, isReady) in zip(connections, ready.dropFirst(2)) where isReady {
      for message in try connection.receive() {
        guard let method = message["method"]?.stringValue else {
          throw KitFailure("the client sent a message that is not a request: \(message.shortened)")
        }
        let params = message["params"]?.objectValue ?? [:]
        if let id = message["id"] {
          arrived.append(Request(id: id, method: method, params: params, connection: connection))
        } else if !["$/cancelRequest", "initialized", "exit"].contains(method) {
          throw KitFailure("the client sent \(method) without an id, and then cannot know whether it was accepted")
        }
      }
    }
    connections.removeAll { !$0.isOpen }
    if ready[1], let connection = listener.accept() { connections.append(connection) }
    return ready.contains(true)
  }

  /// Answers the requests that a client may send at any time.
  private func answerByItself(_ request: Request) -> Bool {
    switch request.method {
    case "session/get":
      readCount += 1
      answer(
        request,
        [
          "session": .integer(session), "form": "kit", "revision": .integer(revision), "document": document,
          "values": values,
        ]
      )
    case "field/focus", "field/blur": answer(request, ["revision": .integer(revision)])
    case "session/detach", "session/close": answer(request, ["session": .integer(session)])
    case "form/describe": answer(request, Self.description)
    case "server/ping": answer(request, ["instanceId": .string(instance)])
    case "server/info":
      answer(
        request,
        [
          "name": "formd", "version": "0.1.0", "protocolVersion": "2.0.0", "instanceId": .string(instance), "pid": 1,
          "forms": 1, "limits": [:],
        ]
      )
    case "initialize": answer(request, ["capabilities": [:], "serverInfo": ["name": "formd", "version": "0.1.0"]])
    case "shutdown": answer(request, .null)
    default: return false
    }
    return true
  }
}
