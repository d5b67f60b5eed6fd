/// The work of clients on one service or database, which does so much at once. It decides which work begins, which
/// waits, and which client is next when some work ends. A value.
///
/// Invariant: waiting work could not begin. Either ``runningMax`` pieces are under way, or its client has its
/// ``runningPerClientMax``.
struct FairQueue<Work: Sendable>: Sendable {
  /// Names one piece of waiting work.
  struct Ticket: Hashable {
    fileprivate let client: Int
    fileprivate let number: UInt64
  }

  /// The treatment of new work.
  enum Admission {
    /// It begins now.
    case begin
    /// It waits. The ticket withdraws it.
    case wait(Ticket)
    /// Too much work of its client waits already.
    case refuse
  }

  private struct Client {
    /// At most ``runningPerClientMax``.
    var running = 0
    /// In the order in which it came; at most ``waitingPerClientMax``.
    var waiting: [(number: UInt64, work: Work)] = []
  }

  /// The largest number of pieces under way at once.
  let runningMax: Int
  /// The largest number of pieces under way at once for one client: half, so that one client alone never takes all.
  var runningPerClientMax: Int { max(1, runningMax / 2) }
  /// The largest number of waiting pieces of one client.
  let waitingPerClientMax: Int

  /// The number of pieces under way now.
  private(set) var runningCount = 0
  /// The clients that have work under way or waiting.
  private var clients: [Int: Client] = [:]
  /// Clients with waiting work, each once: a client whose work has begun goes behind the other clients.
  private var order: [Int] = []
  private var lastNumber: UInt64 = 0

  /// A queue for a service or database that does `runningMax` pieces at once.
  init(runningMax: Int, waitingPerClientMax: Int) {
    self.runningMax = runningMax
    self.waitingPerClientMax = waitingPerClientMax
  }

  /// The number of waiting pieces. For tests.
  var waitingCount: Int { order.reduce(0) { $0 + (clients[$1]?.waiting.count ?? 0) } }

  /// A client brings work.
  mutating func add(_ work: Work, of number: Int) -> Admission {
    var client = clients[number] ?? Client()
    defer { clients[number] = client }
    if runningCount < runningMax, client.running < runningPerClientMax {
      runningCount += 1
      client.running += 1
      return .begin
    }
    guard client.waiting.count < waitingPerClientMax else { return .refuse }
    if client.waiting.isEmpty { order.append(number) }
    lastNumber += 1
    client.waiting.append((lastNumber, work))
    return .wait(Ticket(client: number, number: lastNumber))
  }

  /// A piece of that client's work has ended.
  ///
  /// - Returns: the work that begins in its place; nil when none can.
  mutating func ended(of number: Int) -> Work? {
    guard var client = clients[number], client.running > 0 else {
      preconditionFailure("nothing of client \(number) is under way")
    }
    runningCount -= 1
    client.running -= 1
    clients[number] = client.running == 0 && client.waiting.isEmpty ? nil : client
    return takeNext()
  }

  /// That work is not wanted any more. If it has begun already, nothing happens.
  mutating func withdraw(_ ticket: Ticket) {
    guard var client = clients[ticket.client],
      let position = client.waiting.firstIndex(where: { $0.number == ticket.number })
    else { return }
    client.waiting.remove(at: position)
    if client.waiting.isEmpty { order.removeAll { $0 == ticket.client } }
    clients[ticket.client] = client.running == 0 && client.waiting.isEmpty ? nil : client
  }

  private mutating func takeNext() -> Work? {
    let next = order.firstIndex { clients[$0].map { $0.running < runningPerClientMax } ?? false }
    guard runningCount < runningMax, let next else { return nil }
    let number = order.remove(at: next)
    guard var client = clients[number] else { return nil }
    let work = client.waiting.removeFirst().work
    if !client.waiting.isEmpty { order.append(number) }
    runningCount += 1
    client.running += 1
    clients[number] = client
    return work
  }
}
