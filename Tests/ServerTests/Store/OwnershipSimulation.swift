import FormProtocol
import Forms
import JSON
import Randomness
import SessionStore
import Sessions

@testable import Server

/// A life of one kept session that several daemons share, each with a client that may have it. Daemons are stopped and go on, are cut off
/// from the database, die and start again; what the database has done is told late or never, and what a dead daemon has asked it for may be
/// done long after.
///
/// It must hold at any time that what was acknowledged is not lost, that nobody is shown values of before what was acknowledged when he asked,
/// that an event's number stands for one event, that no request is sent twice, that a session that nobody uses is given to whoever asks for
/// it, that one in use moves only when it is taken, and that a lease ends for its daemon before it ends in the database.
struct OwnershipSimulation {
  private static let form = TestForms.form(
    #"""
    { "form": "shared", "schema": { "type": "object", "properties": {
        "name": { "type": "string" }, "email": { "type": "string" } } },
      "actions": { "go": { "enabled": "true", "scope": "none", "outcomes": [ { "success": "values.name" } ] },
        "send": { "enabled": "true", "scope": "none", "timeout": "20s", "flight": "queue", "idempotency": true,
          "run": { "http": { "service": "names", "method": "POST", "path": "/", "json": "values.name" } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } } }
    """#
  )
  private static let lease = Duration.seconds(3)
  private static let away = StoreFailure(.other, "the database is away")

  /// Something that is wrong on purpose.
  enum Fault {
    case daemon(OwnershipFault)
    case database(TestSharedDatabase.Fault)

    static let all =
      OwnershipFault.allCases.map { Fault.daemon($0) }
      + TestSharedDatabase.Fault.allCases.map { Fault.database($0) }
  }

  /// What a client waits for.
  private struct Request {
    enum Kind {
      case attach(takes: Bool)
      case get
      case change(field: String)
      case other
    }

    let kind: Kind
    /// By field, the earliest change whose value may still be there.
    let floor: [String: Int64]
    let time: Instant
    /// Whether there was a reason at some time for not giving the session.
    var isExcused = false
  }

  /// A daemon, and its client.
  private final class Machine {
    var daemon: TestDaemon
    var connection: TestSharedConnection
    var client: TestClient
    var isStopped = false
    /// Whether its machine sleeps while it is stopped.
    var sleeps = false
    /// What the client sends to a daemon that is stopped.
    var inbox: [String] = []
    /// What the database has done, and the daemon has not heard of.
    var untold: [() -> Void] = []
    var requests: [Int64: Request] = [:]
    var session: JSON?
    var document: JSON = .null
    var revision: Int64 = 0
    var lastEvent: Int64 = 0
    /// Whether somebody may have taken the session since this client has asked for it.
    var wasTaken = false

    init(_ daemon: TestDaemon, _ connection: TestSharedConnection) {
      self.daemon = daemon
      self.connection = connection
      client = daemon.connect()
    }

    var isAttaching: Bool { requests.values.contains { if case .attach = $0.kind { true } else { false } } }

    var isTaking: Bool { requests.values.contains { if case .attach(true) = $0.kind { true } else { false } } }

    /// Whether another daemon has to wait for this one, or is refused.
    var isInTheWay: Bool {
      isStopped || connection.failure != nil || session != nil || isAttaching || !daemon.effects.isEmpty
        || daemon.server.keptSessions.all.contains { $0.connection != nil || $0.session.isActing }
    }
  }

  private var random: SeededGenerator
  private let fault: Fault?
  private let database = TestSharedDatabase()
  private var machines: [Machine] = []
  /// What dead daemons have asked for, and the database has not done.
  private var leftOver: [TestSharedConnection] = []
  /// Until then a session may still be given to who wanted to take it, and does not any more.
  private var forgottenTakesEnd = Instant(nanoseconds: 0)
  private var instances = 0
  private var key: JSON = .null
  private var lastID: Int64 = 0
  /// By field, the last change that is known to count.
  private var floor: [String: Int64] = ["name": 0, "email": 0]
  private var eventsByNumber: [Int64: String] = [:]
  private var sentKeys: Set<String> = []
  private var seenEffects: Set<String> = []
  /// What was said last to who attaches in vain.
  private var lastError: JSON = .null
  private var problem: String?

  init(seed: UInt64, machines count: Int = 2, fault: Fault? = nil) {
    random = SeededGenerator(seed: seed)
    self.fault = fault
    if case .database(let fault) = fault { database.fault = fault }
    for _ in 0..<count { machines.append(makeMachine()) }
    settle()
    let first = machines[0]
    send("session/open", ["form": "shared", "keep": "1h"], .attach(takes: false), at: first)
    settle()
  }

  private mutating func makeMachine() -> Machine {
    instances += 1
    let connection = TestSharedConnection("instance \(instances)", database)
    let daemon = TestDaemon(
      catalog: FormCatalog([Self.form]),
      instanceID: connection.instance,
      sharing: SharedStore(connection, lease: Self.lease)
    ) { $0.limits[.eventsKeptMax] = 1_000 }
    // Clocks need not agree.
    daemon.sleep(milliseconds: Int64(random.below(100_000)))
    if case .daemon(let fault) = fault { daemon.server.ownershipFaults.planted = fault }
    return Machine(daemon, connection)
  }

  /// Lives, and looks after each step.
  ///
  /// - Returns: the first thing that is wrong, and when; nil when nothing is.
  mutating func live(steps: Int) -> String? {
    for step in 0..<steps {
      takeStep()
      look()
      if let problem { return "step \(step): \(problem)" }
    }
    end()
    return problem.map { "at the end: \($0)" }
  }

  private mutating func takeStep() {
    let machine = machines[random.below(machines.count)]
    switch random.below(100) {
    case ..<16: change(at: machine)
    case ..<23: if machine.session != nil { send("session/get", [:], .get, at: machine) }
    case ..<26: tap(at: machine)
    case ..<36: attach(at: machine, takes: random.chance(40))
    case ..<42: detach(at: machine)
    case ..<45: answer(at: machine)
    case ..<60: work(machine)
    case ..<66: pass(milliseconds: Int64(random.pick([1, 100, 1_000, 4_000])))
    case ..<75: commit(at: machine)
    case ..<79: renew(at: machine)
    case ..<81: renewSlowly(at: machine)
    case ..<85: if !machine.isStopped { machine.connection.hear() }
    case ..<87: database.unheard.remove(machine.connection.instance)
    case ..<91: tell(machine)
    case ..<94: machine.isStopped ? goOn(machine) : stop(machine)
    case ..<96: machine.connection.failure = machine.connection.failure == nil ? Self.away : nil
    case ..<98: die(machine)
    default: finishLeftOver()
    }
  }

  // MARK: Clients

  private mutating func send(_ method: String, _ params: JSONObject, _ kind: Request.Kind, at machine: Machine) {
    lastID += 1
    machine.requests[lastID] = Request(kind: kind, floor: floor, time: database.now)
    let text = JSON.object([
      "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": .object(params),
    ]).description
    if machine.isStopped { machine.inbox.append(text) } else { machine.client.send(text) }
  }

  private mutating func change(at machine: Machine) {
    guard machine.session != nil else { return }
    let field = random.pick(["name", "email"])
    send(
      "field/change",
      ["field": .string(field), "value": .string("\(lastID + 1)")],
      .change(field: field),
      at: machine
    )
  }

  private mutating func tap(at machine: Machine) {
    guard machine.session != nil else { return }
    send("action/tap", ["action": random.chance(50) ? "go" : "send"], .other, at: machine)
  }

  private mutating func attach(at machine: Machine, takes: Bool) {
    guard machine.session == nil, !machine.isAttaching else { return }
    machine.wasTaken = database.now < forgottenTakesEnd || machines.contains(where: \.isTaking)
    if takes { for machine in machines { machine.wasTaken = true } }
    send(
      "session/attach",
      ["key": key, "seq": .integer(machine.lastEvent), "take": .bool(takes)],
      .attach(takes: takes),
      at: machine
    )
  }

  private mutating func detach(at machine: Machine) {
    guard machine.session != nil, !machine.isStopped else { return }
    send("session/detach", [:], .other, at: machine)
    machine.session = nil
  }

  private func answer(at machine: Machine) {
    guard !machine.isStopped, !machine.daemon.effects.isEmpty else { return }
    machine.daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: "done"))
  }

  // MARK: Daemons and the database

  private func pass(milliseconds: Int64) {
    database.now = database.now + .milliseconds(milliseconds)
    for machine in machines {
      if machine.isStopped {
        machine.daemon.sleep(milliseconds: milliseconds, isMachine: machine.sleeps)
      } else {
        machine.daemon.advance(milliseconds: milliseconds)
      }
    }
  }

  private mutating func commit(at machine: Machine) {
    guard machine.connection.jobCount > 0 else { return }
    machine.untold.append(machine.connection.commit(1 + random.below(machine.connection.jobCount)))
    if random.chance(80) { tell(machine) }
  }

  private mutating func renew(at machine: Machine) {
    guard machine.connection.renewalCount > 0 else { return }
    machine.untold.append(machine.connection.renewOnce())
    if random.chance(60) { tell(machine) }
  }

  /// The database's answer to a renewal is on its way for longer than the lease that it gives.
  private func renewSlowly(at machine: Machine) {
    guard machine.connection.renewalCount > 0 else { return }
    let tell = machine.connection.renewOnce()
    pass(milliseconds: 4_000)
    if machine.isStopped { machine.untold.append(tell) } else { tell() }
  }

  /// The database does all that a daemon has asked it for, and the daemon hears of it.
  private func work(_ machine: Machine) {
    guard !machine.isStopped else { return }
    machine.untold += [machine.connection.renewOnce(), machine.connection.commit(machine.connection.jobCount)]
    tell(machine)
    machine.connection.hear()
  }

  private func tell(_ machine: Machine) {
    guard !machine.isStopped else { return }
    let untold = machine.untold
    machine.untold = []
    for tell in untold { tell() }
  }

  private mutating func stop(_ machine: Machine) {
    machine.isStopped = true
    machine.sleeps = random.chance(30)
  }

  private func goOn(_ machine: Machine) {
    machine.isStopped = false
    for text in machine.inbox { machine.client.send(text) }
    machine.inbox = []
  }

  /// A daemon is killed, and another one starts on its machine or elsewhere.
  private mutating func die(_ machine: Machine) {
    guard let index = machines.firstIndex(where: { $0 === machine }) else { return }
    if random.chance(70) { leftOver.append(machine.connection) }
    if machine.isTaking { forgottenTakesEnd = database.now + Self.lease }
    let isSameMachine = random.chance(50)
    if isSameMachine { database.endLease(machine.connection.instance) }
    machines[index] = makeMachine()
    machines[index].lastEvent = machine.lastEvent
  }

  /// The database does what a dead daemon has asked it for.
  private mutating func finishLeftOver() {
    guard !leftOver.isEmpty else { return }
    let connection = leftOver.remove(at: random.below(leftOver.count))
    _ = connection.commit(connection.jobCount)
  }

  /// Nothing is in anybody's way, and all that waits is done.
  private mutating func settle() {
    excuse()
    for machine in machines {
      machine.connection.failure = nil
      if machine.isStopped { goOn(machine) }
    }
    for _ in 0..<60 {
      for machine in machines { work(machine) }
      pass(milliseconds: 100)
      read()
    }
  }

  /// All is committed and told; the session is free, and comes to whoever wants it, as its last owner has left it.
  private mutating func end() {
    settle()
    while machines.contains(where: { !$0.daemon.effects.isEmpty }) {
      for machine in machines { answer(at: machine) }
      settle()
    }
    for machine in machines { detach(at: machine) }
    settle()
    guard problem == nil else { return }
    for machine in machines {
      attach(at: machine, takes: false)
      settle()
      guard let session = machine.session else {
        return find("\(machine.connection.instance) does not get the session: \(lastError)")
      }
      guard let live = machine.daemon.server.keptSessions.all.first(where: { .integer($0.id) == session }) else {
        return find("the session is gone")
      }
      let buffer = OutputBuffer()
      machine.daemon.server.engine.writeDocument(of: live.session, into: buffer)
      if machine.document != (try? JSON(parsing: buffer.bytes)) { return find("the client has another document") }
      detach(at: machine)
      settle()
    }
  }

  // MARK: What is heard

  private mutating func look() {
    read()
    excuse()
    for machine in machines {
      if !machine.daemon.server.isLeaseOver, !database.leaseRuns(machine.connection.instance) {
        find("\(machine.connection.instance) speaks past its lease")
      }
      for effect in machine.daemon.effects.map(\.effect) {
        guard seenEffects.insert("\(machine.connection.instance) \(effect.id)").inserted,
          case .http(let request) = effect.request
        else { continue }
        let key = request.headers.first { $0.name == "Idempotency-Key" }?.value ?? ""
        if !sentKeys.insert(key).inserted { find("the request \(key) was sent twice") }
      }
    }
  }

  /// Notes for what is waited for whether there is a reason to wait.
  private func excuse() {
    for machine in machines {
      for id in machine.requests.keys where machines.contains(where: { $0 !== machine && $0.isInTheWay }) {
        machine.requests[id]?.isExcused = true
      }
      for (id, request) in machine.requests
      where machine.isStopped || machine.connection.failure != nil || request.time + Self.lease <= database.now {
        machine.requests[id]?.isExcused = true
      }
    }
  }

  private mutating func read() {
    for machine in machines {
      for message in machine.client.messages() {
        if let id = message["id"]?.integerValue, let request = machine.requests.removeValue(forKey: id) {
          take(message, request, id, at: machine)
        } else if message["method"] == "session/update" {
          take(update: message["params"] ?? .null, at: machine)
        } else if message["method"] == "session/closed", message.at("params", "session") == machine.session {
          machine.session = nil
          if message.at("params", "reason") == "moved", !machine.wasTaken {
            find("the session moves, and nobody has taken it")
          }
        }
      }
    }
  }

  private mutating func take(_ message: JSON, _ request: Request, _ id: Int64, at machine: Machine) {
    guard let result = message["result"] else {
      guard case .attach(let takes) = request.kind, let code = message.at("error", "code") else { return }
      lastError = message
      if takes { forgottenTakesEnd = database.now + Self.lease }
      if code == 1001 { find("the key opens nothing: \(message)") }
      if code == 1014, !request.isExcused { find("a session that nobody uses is refused") }
      return
    }
    switch request.kind {
    case .attach:
      machine.session = result["session"]
      machine.document = result["document"] ?? .null
      machine.revision = result["revision"]?.integerValue ?? -1
      if let fresh = result["key"] { key = fresh }
      if result["eventsLost"] ?? 0 != 0 { find("events are lost: \(result)") }
      take(events: result["events"], at: machine)
      take(values: result["values"], request)
    case .get:
      machine.document = result["document"] ?? .null
      machine.revision = result["revision"]?.integerValue ?? -1
      take(values: result["values"], request)
    case .change(let field): floor[field] = max(floor[field] ?? 0, id)
    case .other: break
    }
  }

  private mutating func take(values: JSON?, _ request: Request) {
    for (field, least) in request.floor {
      let order = values?[field]?.stringValue.flatMap { Int64($0) } ?? 0
      if order < least { find("\(field) is \(order), and \(least) was acknowledged") }
      floor[field] = max(floor[field] ?? 0, order)
    }
  }

  private mutating func take(update: JSON, at machine: Machine) {
    guard let session = machine.session, update["session"] == session else { return }
    if update["from"]?.integerValue != machine.revision {
      find("an update from \(update["from"] ?? .null) after \(machine.revision)")
    }
    machine.revision = update["revision"]?.integerValue ?? -1
    machine.document.merge(update["patch"] ?? .null)
    take(events: update["events"], at: machine)
  }

  private mutating func take(events: JSON?, at machine: Machine) {
    for event in events?.arrayValue ?? [] {
      let number = event["seq"]?.integerValue ?? -1
      if number != machine.lastEvent + 1 { find("event \(number) after \(machine.lastEvent)") }
      machine.lastEvent = number
      if let known = eventsByNumber.updateValue(event.description, forKey: number), known != event.description {
        find("event \(number) is \(event), and was \(known)")
      }
    }
  }

  private mutating func find(_ what: String) { problem = problem ?? what }
}
