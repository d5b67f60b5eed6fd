/// The connected clients. Beyond the seats of ordinary clients there are a few for operators, who always get in: only
/// the methods for operators are served there.
///
/// A client beyond the ordinary seats is a newcomer until its calls show what it wants. Newcomers make room for
/// newcomers, the oldest first. An operator makes room only for another operator. So ordinary clients, however many try
/// again and again, push no operator out.
package struct ConnectionSeats {
  /// Which methods a seat is for.
  enum Kind {
    /// All methods are served.
    case ordinary
    /// The client has called only the methods that every client calls first. Only the methods of
    /// ``Method/isForOperators`` are served. Then `operators`, or `ordinary`, when there is room and the client asks
    /// for more.
    case newcomers
    /// Only the methods of ``Method/isForOperators`` are served. Then `ordinary`, when there is room and the client
    /// asks for more.
    case operators
  }

  /// Seats for operators.
  static let operatorsMax = 8
  /// Seats for newcomers: twice as many as are accepted before the loop looks for input, so that each can send its
  /// first call.
  static let newcomersMax = 2 * acceptedAtOnce
  /// How many are accepted before other connections have their slices.
  package static let acceptedAtOnce = 8
  /// Seats beyond the ordinary ones.
  package static let reserve = operatorsMax + newcomersMax

  /// The seats for ordinary clients. If a reload takes seats away, connected clients keep theirs.
  var ordinaryMax: Int
  /// The connected clients by their numbers.
  private var connections: [Int64: ClientConnection] = [:]
  /// The connections in seats for newcomers, the oldest first. At most ``newcomersMax``.
  private var newcomers: [ClientConnection] = []
  /// The connections in seats for operators, the longest silent first. At most ``operatorsMax``.
  private var operators: [ClientConnection] = []
  private var lastNumber: Int64 = 0

  /// So many seats for ordinary clients, all free.
  init(ordinaryMax: Int) {
    self.ordinaryMax = ordinaryMax
  }

  /// All connections, in no order.
  var all: Dictionary<Int64, ClientConnection>.Values { connections.values }

  var isEmpty: Bool { connections.isEmpty }

  var count: Int { connections.count }

  private var hasOrdinaryRoom: Bool { connections.count - newcomers.count - operators.count < ordinaryMax }

  /// The connection of that number; nil if it is gone.
  subscript(_ number: Int64) -> ClientConnection? { connections[number] }

  /// A connection was accepted: gives it a seat, and a number that no connection had before.
  ///
  /// - Returns: the connection that must make room for it, if one must; that connection no longer has a seat.
  mutating func add(_ connection: ClientConnection) -> ClientConnection? {
    lastNumber += 1
    connection.number = lastNumber
    connection.seat = hasOrdinaryRoom ? .ordinary : .newcomers
    connections[lastNumber] = connection
    guard connection.seat == .newcomers else { return nil }
    newcomers.append(connection)
    return newcomers.count > Self.newcomersMax ? newcomers.removeFirst() : nil
  }

  /// A client beyond the ordinary seats has called a method for operators.
  ///
  /// - Returns: as ``add(_:)``.
  mutating func calledOperatorMethod(_ connection: ClientConnection) -> ClientConnection? {
    operators.removeAll { $0 === connection }
    newcomers.removeAll { $0 === connection }
    connection.seat = .operators
    operators.append(connection)
    return operators.count > Self.operatorsMax ? operators.removeFirst() : nil
  }

  /// A client beyond the ordinary seats wants to be an ordinary one.
  ///
  /// - Returns: whether there is room for that.
  mutating func promote(_ connection: ClientConnection) -> Bool {
    guard hasOrdinaryRoom else { return false }
    operators.removeAll { $0 === connection }
    newcomers.removeAll { $0 === connection }
    connection.seat = .ordinary
    return true
  }

  mutating func remove(_ connection: ClientConnection) {
    connections[connection.number] = nil
    operators.removeAll { $0 === connection }
    newcomers.removeAll { $0 === connection }
  }
}
