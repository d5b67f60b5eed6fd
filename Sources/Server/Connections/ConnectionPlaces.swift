/// Who is connected. Beyond the places of ordinary clients there are a few for operators, who always get in: only what operators call is
/// served there.
///
/// Who comes then is a newcomer until it says what it wants. Newcomers make room for newcomers, the oldest first, and an operator makes room
/// for another operator only: so ordinary clients, however many try again and again, push no operator out.
struct ConnectionPlaces {
  /// What a place is good for.
  enum Kind {
    /// All methods are served.
    case ordinary
    /// Nothing was called yet but what every client calls first. Only the methods of ``Method/isForOperators`` are served. Then `operators`,
    /// or `ordinary`, when there is room and the client asks for more.
    case newcomers
    /// Only the methods of ``Method/isForOperators``. Then `ordinary`, likewise.
    case operators
  }

  /// Places for operators.
  static let operatorsMax = 8
  /// Places for newcomers: twice as many as are accepted before input is looked for, so that each has its say.
  static let newcomersMax = 2 * acceptedAtOnce
  /// So many are accepted before others have their turn.
  static let acceptedAtOnce = 8
  /// Places beyond the ordinary ones.
  static let reserve = operatorsMax + newcomersMax

  private let ordinaryMax: Int
  /// By number.
  private var connections: [Int64: ClientConnection] = [:]
  /// Those in places for newcomers, the oldest first. At most ``newcomersMax``.
  private var newcomers: [ClientConnection] = []
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

  private var hasOrdinaryRoom: Bool { connections.count - newcomers.count - operators.count < ordinaryMax }

  /// The connection of that number.
  subscript(_ number: Int64) -> ClientConnection? { connections[number] }

  /// A connection was accepted: gives it a place, and a number that none had before.
  ///
  /// - Returns: who has to make room for it, if somebody has to; that one has no place any more.
  mutating func add(_ connection: ClientConnection) -> ClientConnection? {
    lastNumber += 1
    connection.number = lastNumber
    connection.place = hasOrdinaryRoom ? .ordinary : .newcomers
    connections[lastNumber] = connection
    guard connection.place == .newcomers else { return nil }
    newcomers.append(connection)
    return newcomers.count > Self.newcomersMax ? newcomers.removeFirst() : nil
  }

  /// A client beyond the ordinary places has called something that an operator calls.
  ///
  /// - Returns: as ``add(_:)``.
  mutating func spoke(_ connection: ClientConnection) -> ClientConnection? {
    operators.removeAll { $0 === connection }
    newcomers.removeAll { $0 === connection }
    connection.place = .operators
    operators.append(connection)
    return operators.count > Self.operatorsMax ? operators.removeFirst() : nil
  }

  /// A client beyond the ordinary places wants to be an ordinary one.
  ///
  /// - Returns: whether there is room for that.
  mutating func promote(_ connection: ClientConnection) -> Bool {
    guard hasOrdinaryRoom else { return false }
    operators.removeAll { $0 === connection }
    newcomers.removeAll { $0 === connection }
    connection.place = .ordinary
    return true
  }

  /// A connection is gone.
  mutating func remove(_ connection: ClientConnection) {
    connections[connection.number] = nil
    operators.removeAll { $0 === connection }
    newcomers.removeAll { $0 === connection }
  }
}
