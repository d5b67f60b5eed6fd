internal import Configuration
import FormProtocol
import Forms
import JSON
import Randomness
import SessionStore
import Sessions
internal import Times

@testable import Server

/// A random life of one kept session that several daemons share, each with clients that may have it.
///
/// - Daemons are stopped and go on, are cut off from the database, die and start again.
/// - The results of the database reach a daemon late or never. A dead daemon's requests may be executed long
///   afterwards.
/// - Keys are rotated, the form may be a definition from a client, and sessions expire after a long time without a
///   write.
///
/// These statements must hold at any time:
/// - An acknowledged change is not lost.
/// - An answer shows no values that are older than the changes acknowledged at the time of its request.
/// - Each event number means one event.
/// - No request to a service is sent twice.
/// - An unused session is given to any client that asks for it.
/// - A session in use moves only to a client that still takes it.
/// - A former key opens nothing.
/// - A session does not end for a client that has it while its daemon lives.
/// - Clients know whether they have the session.
/// - A lease ends for its daemon before it ends in the database.
struct OwnershipSimulation {
  private static let definition: JSONObject = [
    "form": "shared",
    "schema": ["type": "object", "properties": ["name": ["type": "string"], "email": ["type": "string"]]],
    "actions": [
      "go": ["enabled": "true", "scope": "none", "outcomes": [["success": "values.name"]]],
      "send": [
        "enabled": "true", "scope": "none", "timeout": "20s", "flight": "queue", "idempotency": true,
        // No two requests are equal, so that no run has the key of an interrupted one.
        "run": ["http": ["service": "names", "method": "POST", "path": "/", "json": "actions.send.attempts"]],
        "outcomes": [["when": "response.kind == 'ok'", "success": "response.body"], ["failure": "response.kind"]],
      ],
    ],
  ]
  private static let form = TestForms.form(JSON.object(definition).description)
  private static let lease = Duration.seconds(3)
  private static let away = StoreFailure(.other, "the database is away")

  /// A request that a client waits for.
  private struct Request {
    enum Kind {
      /// With a key that opens the session now or did so before.
      case attach(key: JSON, takes: Bool, rotates: Bool)
      case get
      case change(field: String)
      case other
    }

    let kind: Kind
    /// By field, the earliest change whose value may still be in the session.
    let floor: [String: Int64]
    let time: Instant
    /// How often the key had been rotated when the request was sent, and how many keys opened nothing then.
    let rotations: Int
    let deadKeys: Int
    /// How often the session had been taken when the request was sent.
    let takings: Int
    /// Whether there was a reason at some time for not giving the session.
    var isExcused = false

    var isAttach: Bool { if case .attach = kind { true } else { false } }

    var takes: Bool { if case .attach(_, true, _) = kind { true } else { false } }

    var rotates: Bool { if case .attach(_, _, true) = kind { true } else { false } }
  }

  /// A client of a daemon.
  private final class Seat {
    let client: TestClient
    var requests: [Int64: Request] = [:]
    var session: JSON?
    var document: JSON = .null
    var revision: Int64 = 0
    var lastEvent: Int64 = 0
    /// How often the session had been taken when the client asked for it, and the time of that request.
    var takings = 0
    var asked = Instant(nanoseconds: 0)
    /// Whether it got 1011 for a request that takes the session, which may still be on its way to the database.
    var hasForgottenTake = false

    init(_ client: TestClient) { self.client = client }

    var isAttaching: Bool { requests.values.contains(where: \.isAttach) }
  }

  /// A daemon, and its clients.
  private final class Machine {
    let daemon: TestDaemon
    let connection: TestSharedConnection
    let seats: [Seat]
    var isStopped = false
    /// Whether the machine sleeps while its daemon is stopped.
    var sleeps = false
    /// Messages from clients to a daemon that is stopped.
    var inbox: [(seat: Seat, text: String)] = []
    /// Results of the database that the daemon has not received.
    var untold: [() -> Void] = []

    init(_ daemon: TestDaemon, _ connection: TestSharedConnection, clients count: Int) {
      self.daemon = daemon
      self.connection = connection
      seats = (0..<count).map { _ in Seat(daemon.connect()) }
      daemon.holdsOffloadedWork = true
    }

    var requests: [Request] { seats.flatMap(\.requests.values) }

    /// Whether another daemon has to wait for this one, or is refused.
    var isInTheWay: Bool {
      isStopped || connection.failure != nil || !daemon.effects.isEmpty
        || seats.contains { $0.session != nil || $0.isAttaching }
        || daemon.server.keptSessions.all.contains { $0.connection != nil || $0.engineSession.isActing }
    }
  }

  private var random: SeededGenerator
  private let clientsPerMachine: Int
  private let database = TestSharedDatabase()
  private var machines: [Machine] = []
  /// Requests of dead daemons that the database has not executed.
  private var leftOver: [TestSharedConnection] = []
  /// A client that has the session since before this time may still lose it to a client that took it and left.
  private var forgottenTakesEnd = Instant(nanoseconds: 0)
  private var instances = 0
  private var key: JSON = .null
  /// The request whose answer contained the key.
  private var keyRequest: Int64 = 0
  /// Keys that open nothing any more.
  private var deadKeys: [JSON] = []
  /// How often the key was rotated.
  private var rotations = 0
  /// How often the session was taken.
  private var takings = 0
  /// Whether the key may be unknown to all clients, because a daemon died before it could send it.
  private var mayHaveLostKey = false
  private var lastID: Int64 = 0
  /// By field, the last change that is known to count.
  private var floor: [String: Int64] = ["name": 0, "email": 0]
  private var eventsByNumber: [Int64: String] = [:]
  private var sentKeys: Set<String> = []
  private var seenEffects: Set<String> = []
  /// The last error of an attach.
  private var lastError: JSON = .null
  private var problem: String?

  init(seed: UInt64, machines count: Int = 2) {
    random = SeededGenerator(seed: seed)
    clientsPerMachine = 1 + random.below(2)
    for _ in 0..<count { machines.append(makeMachine()) }
    settle()
    var opening: JSONObject = random.chance(30) ? ["definition": .object(Self.definition)] : ["form": "shared"]
    // A session that is kept briefly ends before the simulation does.
    database.keep = random.chance(20) ? .seconds(40) : .seconds(3_600)
    opening["keep"] = .string("\(database.keep.components.seconds)s")
    send(
      "session/open",
      opening,
      .attach(key: .null, takes: false, rotates: false),
      by: machines[0].seats[0],
      at: machines[0]
    )
    settle()
  }

  private mutating func makeMachine() -> Machine {
    instances += 1
    let connection = TestSharedConnection("instance \(instances)", database, lease: Self.lease)
    let daemon = TestDaemon(
      catalog: FormCatalog([Self.form]),
      instanceID: connection.instance,
      sharing: connection
    ) {
      $0.limits[.eventsKeptMax] = 1_000
      $0.definitions.services = ["names"]
    }
    // Clocks need not agree.
    daemon.sleep(milliseconds: Int64(random.below(100_000)))
    return Machine(daemon, connection, clients: clientsPerMachine)
  }

  /// Runs the simulation, with a check after each step.
  ///
  /// - Returns: the first violation with its time, or nil.
  mutating func live(steps: Int) -> String? {
    for step in 0..<steps {
      takeStep()
      look()
      if let problem { return "step \(step): \(problem)" }
      if database.isOver { break }
    }
    end()
    return problem.map { "at the end: \($0)" }
  }

  private mutating func takeStep() {
    let machine = machines[random.below(machines.count)]
    let seat = machine.seats[random.below(machine.seats.count)]
    switch random.below(109) {
    case ..<16: change(by: seat, at: machine)
    case ..<23: if seat.session != nil { send("session/get", [:], .get, by: seat, at: machine) }
    case ..<26: tap(by: seat, at: machine)
    case ..<36: attach(by: seat, at: machine, takes: random.chance(50), rotates: random.chance(30))
    case ..<42: detach(seat, at: machine)
    case ..<45: answer(at: machine)
    case ..<60: work(machine)
    case ..<66: pass(milliseconds: Int64(random.pick([1, 100, 1_000, 4_000])))
    case ..<75: commit(at: machine)
    case ..<79: renew(at: machine)
    case ..<81: renewSlowly(at: machine)
    case ..<85: if !machine.isStopped { machine.connection.hear() }
    case ..<87: database.unheard[machine.connection.instance] = nil
    case ..<91: tell(machine)
    case ..<94: machine.isStopped ? goOn(machine) : stop(machine)
    case ..<96: breakOrMend(machine.connection)
    case ..<98: die(machine)
    case ..<100: finishLeftOver()
    case ..<102: if !machine.isStopped { machine.daemon.doOffloadedWork() }
    case ..<103: attachWithDeadKey(by: seat, at: machine)
    case ..<105: takeInVain(by: seat, at: machine)
    case ..<106: takeWithFormerKey(by: seat, at: machine)
    case ..<108: takeUnheard(by: seat, at: machine)
    default: if random.chance(10) { pass(milliseconds: 61_000) }
    }
  }

  // MARK: Clients

  private mutating func send(
    _ method: String,
    _ params: JSONObject,
    _ kind: Request.Kind,
    by seat: Seat,
    at machine: Machine
  ) {
    lastID += 1
    seat.requests[lastID] = Request(
      kind: kind,
      floor: floor,
      time: database.now,
      rotations: rotations,
      deadKeys: deadKeys.count,
      takings: takings
    )
    let text = JSON.object([
      "jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": .object(params),
    ]).description
    if machine.isStopped { machine.inbox.append((seat, text)) } else { seat.client.send(text) }
  }

  private mutating func change(by seat: Seat, at machine: Machine) {
    guard seat.session != nil else { return }
    let field = random.pick(["name", "email"])
    send(
      "field/change",
      ["field": .string(field), "value": .string("\(lastID + 1)")],
      .change(field: field),
      by: seat,
      at: machine
    )
  }

  private mutating func tap(by seat: Seat, at machine: Machine) {
    guard seat.session != nil else { return }
    send("action/tap", ["action": random.chance(50) ? "go" : "send"], .other, by: seat, at: machine)
  }

  private mutating func attach(by seat: Seat, at machine: Machine, takes: Bool, rotates: Bool = false) {
    guard seat.session == nil, !seat.isAttaching else { return }
    attach(by: seat, at: machine, key, takes: takes, rotates: rotates)
  }

  private mutating func attachWithDeadKey(by seat: Seat, at machine: Machine) {
    guard seat.session == nil, !seat.isAttaching, !deadKeys.isEmpty else { return }
    attach(by: seat, at: machine, random.pick(deadKeys), takes: random.chance(50), rotates: false)
  }

  private mutating func attach(by seat: Seat, at machine: Machine, _ key: JSON, takes: Bool, rotates: Bool) {
    send(
      "session/attach",
      [
        "key": key, "seq": .integer(seat.lastEvent), "take": .bool(takes), "rotate": .bool(rotates),
      ],
      .attach(key: key, takes: takes, rotates: rotates),
      by: seat,
      at: machine
    )
  }

  private mutating func detach(_ seat: Seat, at machine: Machine) {
    guard seat.session != nil, !machine.isStopped else { return }
    send("session/detach", [:], .other, by: seat, at: machine)
    seat.session = nil
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

  /// The database's answer to a renewal takes longer than the lease that it grants.
  private func renewSlowly(at machine: Machine) {
    guard machine.connection.renewalCount > 0 else { return }
    let tell = machine.connection.renewOnce()
    pass(milliseconds: 4_000)
    if machine.isStopped { machine.untold.append(tell) } else { tell() }
  }

  /// The database executes all requests of a daemon, and the daemon receives the results.
  private func work(_ machine: Machine) {
    guard !machine.isStopped else { return }
    machine.daemon.doOffloadedWork()
    machine.untold += [machine.connection.renewOnce(), machine.connection.commit(machine.connection.jobCount)]
    tell(machine)
    machine.connection.hear()
  }

  /// A client takes the session, and waits for as long as a lease. The database's answers to the other daemons are
  /// late. They may arrive after the client has given up, or after the session was given to it.
  private mutating func takeInVain(by seat: Seat, at machine: Machine) {
    guard !machine.isStopped else { return }
    attach(by: seat, at: machine, takes: true)
    work(machine)
    let others = machines.filter { $0 !== machine && !$0.isStopped }
    if random.chance(50) {
      for other in others {
        tell(other)
        other.connection.renewOnce()()
        other.untold.append(other.connection.commit(other.connection.jobCount))
      }
    }
    pass(milliseconds: 1_500)
    // Without a lease the daemon would give the wait up before its time.
    machine.untold.append(machine.connection.renewOnce())
    tell(machine)
    for other in others { other.untold.append(other.connection.renewOnce()) }
    pass(milliseconds: 1_600)
    excuse()
    work(machine)
    guard random.chance(50) else { return }
    // The daemon withdraws the request when it asks next.
    pass(milliseconds: 300)
    excuse()
    work(machine)
    for other in others { tell(other) }
    // The next request does not take the session, and the owner's answer to the former one is under way.
    guard random.chance(50) else { return }
    read()
    attach(by: seat, at: machine, takes: false)
    work(machine)
  }

  /// A client takes the session, and before its owner hears of it, a client of the owner rotates the key. The owner
  /// hears of it when the first client has learned that its key opens nothing any more.
  private mutating func takeWithFormerKey(by seat: Seat, at machine: Machine) {
    guard !machine.isStopped else { return }
    attach(by: seat, at: machine, takes: true)
    work(machine)
    for other in machines where other !== machine && !other.isStopped {
      for seat in other.seats { attach(by: seat, at: other, takes: false, rotates: true) }
      other.untold.append(other.connection.commit(other.connection.jobCount))
      tell(other)
    }
    excuse()
    for _ in 0..<2 {
      work(machine)
      pass(milliseconds: 300)
    }
    excuse()
    work(machine)
    for other in machines where other !== machine { for _ in 0..<2 { work(other) } }
  }

  /// A client takes the session, and uses it before the former owner learns that it is given away, or that the
  /// database cannot be reached. The clients there ask for its state.
  private mutating func takeUnheard(by seat: Seat, at machine: Machine) {
    guard !machine.isStopped else { return }
    attach(by: seat, at: machine, takes: true)
    work(machine)
    let isCutOff = random.chance(30)
    let others = machines.filter { $0 !== machine && !$0.isStopped }
    for other in others {
      other.connection.hear()
      other.connection.renewOnce()()
      // The answer comes last, behind the write of all changes.
      other.untold.append(other.connection.commit(max(0, other.connection.jobCount - 1)))
      if isCutOff { (other.connection.failure, other.connection.losesAnswers) = (Self.away, true) }
      other.untold.append(other.connection.commit(other.connection.jobCount))
      if isCutOff { tell(other) }
    }
    excuse()
    for _ in 0..<2 { work(machine) }
    read()
    change(by: seat, at: machine)
    work(machine)
    read()
    for other in others {
      for seat in other.seats where seat.session != nil { send("session/get", [:], .get, by: seat, at: other) }
    }
  }

  private func tell(_ machine: Machine) {
    guard !machine.isStopped else { return }
    let untold = machine.untold
    machine.untold = []
    for tell in untold { tell() }
  }

  private mutating func breakOrMend(_ connection: TestSharedConnection) {
    connection.failure = connection.failure == nil ? Self.away : nil
    connection.losesAnswers = random.chance(50)
  }

  private mutating func stop(_ machine: Machine) {
    machine.isStopped = true
    // The clock of a machine that sleeps falls behind. So a machine sleeps only if sessions are kept for long.
    machine.sleeps = random.chance(30) && database.keep > .seconds(3_000)
  }

  private func goOn(_ machine: Machine) {
    machine.isStopped = false
    for (seat, text) in machine.inbox { seat.client.send(text) }
    machine.inbox = []
  }

  /// A daemon is killed, and another one starts on its machine or elsewhere.
  private mutating func die(_ machine: Machine) {
    guard let index = machines.firstIndex(where: { $0 === machine }) else { return }
    if random.chance(70) { leftOver.append(machine.connection) }
    if machine.requests.contains(where: \.takes) { forgottenTakesEnd = database.now + Self.lease }
    if machine.requests.contains(where: \.rotates) { mayHaveLostKey = true }
    let isSameMachine = random.chance(50)
    if isSameMachine { database.endLease(machine.connection.instance) }
    machines[index] = makeMachine()
    for (seat, former) in zip(machines[index].seats, machine.seats) { seat.lastEvent = former.lastEvent }
  }

  /// The database executes the requests of a dead daemon.
  private mutating func finishLeftOver() {
    guard !leftOver.isEmpty else { return }
    let connection = leftOver.remove(at: random.below(leftOver.count))
    _ = connection.commit(connection.jobCount)
  }

  /// Removes all obstacles, and executes all waiting work.
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

  /// Commits everything and delivers the results. The session is then free, and any client can attach to it. It is in
  /// the state in which its last owner left it.
  private mutating func end() {
    settle()
    while machines.contains(where: { !$0.daemon.effects.isEmpty }) {
      for machine in machines { answer(at: machine) }
      settle()
    }
    for machine in machines { for seat in machine.seats { detach(seat, at: machine) } }
    settle()
    guard problem == nil, !database.isOver else { return }
    for machine in machines {
      for seat in machine.seats {
        attach(by: seat, at: machine, takes: false)
        settle()
        if database.isOver { return }
        guard let session = seat.session else {
          if mayHaveLostKey, lastError.at("error", "code") == 1001 { return }
          return find("\(machine.connection.instance) does not give the session: \(lastError)")
        }
        guard let live = machine.daemon.server.keptSessions.all.first(where: { .integer($0.number) == session }) else {
          return find("the session is gone")
        }
        let buffer = OutputBuffer()
        machine.daemon.server.engine.writeDocument(of: live.engineSession, into: buffer)
        if seat.document != (try? JSON(parsing: buffer.bytes)) { return find("the client has another document") }
      }
      for seat in machine.seats { detach(seat, at: machine) }
      settle()
    }
  }

  // MARK: What is heard

  private mutating func look() {
    read()
    excuse()
    if let found = database.problem { find(found) }
    for machine in machines {
      for seat in machine.seats where seat.hasForgottenTake {
        forgottenTakesEnd = database.now + Self.lease
        seat.hasForgottenTake = machine.connection.claimCount > 0
      }
      if machine.daemon.server.storedSessions?.isLeaseOver == false, !database.leaseRuns(machine.connection.instance) {
        find("\(machine.connection.instance) speaks past its lease")
      }
      // Messages to clients wait for uncommitted changes.
      if machine.connection.jobCount == 0, machine.untold.isEmpty {
        for seat in machine.seats where seat.session != nil { look(at: seat, machine) }
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

  /// A client that has the session must know so.
  private mutating func look(at seat: Seat, _ machine: Machine) {
    let live = machine.daemon.server.keptSessions.all.filter { .integer($0.number) == seat.session }
    if !live.contains(where: { $0.connections.contains { $0 === seat.client.connection } }) {
      find("a client of \(machine.connection.instance) has the session no more, and does not know it")
    }
    if machine.daemon.server.keptSessions.count > 1 { find("\(machine.connection.instance) has the session twice") }
  }

  /// Notes for each awaited request whether there is a reason to wait.
  private func excuse() {
    for machine in machines {
      let othersAre = machines.contains { $0 !== machine && $0.isInTheWay }
      // A client that asks at the same daemon as a long-waiting client gets the answer to that client's request.
      let isLate = machine.requests.contains { $0.time + Self.lease <= database.now }
      for seat in machine.seats {
        for id in seat.requests.keys
        where othersAre || machine.isStopped || machine.connection.failure != nil
          || isLate
        {
          seat.requests[id]?.isExcused = true
        }
      }
    }
  }

  private mutating func read() {
    let requests = machines.flatMap(\.requests)
    let isTaken = requests.contains(where: \.takes)
    let isRotated = requests.contains(where: \.rotates)
    for machine in machines {
      for seat in machine.seats {
        for message in seat.client.messages() {
          if let id = message["id"]?.integerValue, let request = seat.requests.removeValue(forKey: id) {
            take(message, request, id, by: seat, isRotated: isRotated)
          } else if message["method"] == "session/update" {
            take(update: message["params"] ?? .null, by: seat)
          } else if message["method"] == "session/closed", message.at("params", "session") == seat.session {
            seat.session = nil
            if message.at("params", "reason") == "moved", !isTaken, seat.takings == takings,
              seat.asked >= forgottenTakesEnd
            {
              find("the session moves, and nobody takes it")
            }
          }
        }
      }
    }
  }

  /// - Parameter isRotated: whether the key may just have become another one.
  private mutating func take(_ message: JSON, _ request: Request, _ id: Int64, by seat: Seat, isRotated: Bool) {
    guard let result = message["result"] else {
      guard case .attach(let key, let takes, _) = request.kind, let code = message.at("error", "code") else { return }
      lastError = message
      // A client that could not ask the database could not withdraw its request either.
      if takes, code == 1011 { seat.hasForgottenTake = true }
      let isKnown = key == self.key && request.rotations == rotations && !isRotated && !mayHaveLostKey
      if code == 1001, isKnown, !database.isOver { find("the key opens nothing: \(message)") }
      if code == 1014, !request.isExcused { find("a session that nobody uses is refused") }
      return
    }
    switch request.kind {
    case .attach(let key, let takes, _):
      if deadKeys.prefix(request.deadKeys).contains(key) { find("a key of before opens the session") }
      if takes { takings += 1 }
      seat.session = result["session"]
      (seat.takings, seat.asked) = (request.takings, request.time)
      seat.document = result["document"] ?? .null
      seat.revision = result["revision"]?.integerValue ?? -1
      if let fresh = result["key"] {
        if key != .null { rotations += 1 }
        // If two clients rotate the key at once, the later request has the key that opens the session.
        deadKeys.append(id > keyRequest ? self.key : fresh)
        if id > keyRequest { (self.key, keyRequest) = (fresh, id) }
      }
      if result["eventsLost"] ?? 0 != 0 { find("events are lost: \(result)") }
      take(events: result["events"], by: seat)
      take(values: result["values"], request)
    case .get:
      seat.document = result["document"] ?? .null
      seat.revision = result["revision"]?.integerValue ?? -1
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

  private mutating func take(update: JSON, by seat: Seat) {
    guard let session = seat.session, update["session"] == session else { return }
    if update["from"]?.integerValue != seat.revision {
      find("an update from \(update["from"] ?? .null) after \(seat.revision)")
    }
    seat.revision = update["revision"]?.integerValue ?? -1
    seat.document.merge(update["patch"] ?? .null)
    take(events: update["events"], by: seat)
  }

  private mutating func take(events: JSON?, by seat: Seat) {
    for event in events?.arrayValue ?? [] {
      let number = event["seq"]?.integerValue ?? -1
      if number != seat.lastEvent + 1 { find("event \(number) after \(seat.lastEvent)") }
      seat.lastEvent = number
      if let known = eventsByNumber.updateValue(event.description, forKey: number), known != event.description {
        find("event \(number) is \(event), and was \(known)")
      }
    }
  }

  private mutating func find(_ what: String) { problem = problem ?? what }
}
