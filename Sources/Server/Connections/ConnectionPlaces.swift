/// Who is connected. Beyond the places of ordinary clients there are a few for operators, who always get in: only `server/*` is served there,
/// and when all are taken, whoever was silent for longest makes room.
struct ConnectionPlaces {
  /// What a place is good for.
  enum Kind {
    /// All methods are served.
    case ordinary
    /// Only the methods of ``Method/isForOperators``. Then `ordinary`, when there is room and the client asks for more.
    case operators
  }

  /// Places for operators.
  static let operatorsMax = 8

  private let ordinaryMax: Int
  /// By number.
  private var connections: [Int64: ClientConnection] = [:]
  /// Those in places for operators; who was silent for longest first. At most ``operatorsMax``.
  private var operators: [ClientConnection] = []
  private var lastNumber: Int64 = 0

  /// So many places for ordinary clients, all free.
  init(ordinaryMax: Int) {
    self.ordinaryMax = ordinaryMax
  }

  /// Everybody who is connected, in no order.
  var all: Dictionary<Int64, ClientConnection>.Values { connections.values }

  var isEmpty: Bool { connections.isEmpty }

  var count: Int { connections.count }

  private var hasOrdinaryRoom: Bool { connections.count - operators.count < ordinaryMax }

  /// The connection of that number.
  subscript(_ number: Int64) -> ClientConnection? { connections[number] }

  /// A connection was accepted: gives it a place, and a number that none had before.
  ///
  /// - Returns: who has to make room for it, if somebody has to; that one has no place any more.
  mutating func add(_ connection: ClientConnection) -> ClientConnection? {
    lastNumber += 1
    connection.number = lastNumber
    connection.place = hasOrdinaryRoom ? .ordinary : .operators
    connections[lastNumber] = connection
    guard connection.place == .operators else { return nil }
    operators.append(connection)
    return operators.count > Self.operatorsMax ? operators.removeFirst() : nil
  }

  /// A client in a place for operators has called something that is served there.
  mutating func spoke(_ connection: ClientConnection) {
    guard let position = operators.firstIndex(where: { $0 === connection }) else { return }
    operators.append(operators.remove(at: position))
  }

  /// A client in a place for operators wants to be an ordinary one.
  ///
  /// - Returns: whether there is room for that.
  mutating func promote(_ connection: ClientConnection) -> Bool {
    guard hasOrdinaryRoom, let position = operators.firstIndex(where: { $0 === connection }) else { return false }
    operators.remove(at: position)
    connection.place = .ordinary
    return true
  }

  /// A connection is gone.
  mutating func remove(_ connection: ClientConnection) {
    connections[connection.number] = nil
    operators.removeAll { $0 === connection }
  }
}
