/// A parameter of a statement of our own, sent in the server's binary form: bytes need no escapes, and an array is one
/// parameter.
package enum PostgresValue: Sendable {
  /// `bigint`.
  case integer(Int64)
  /// `double precision`.
  case number(Double)
  /// `boolean`.
  case flag(Bool)
  /// `text`; nil is NULL.
  case text(String?)
  /// `bytea`.
  case bytes([UInt8])
  /// `bigint[]`.
  case integers([Int64])
  /// `double precision[]`; nil is NULL.
  case numbers([Double?])
  /// `boolean[]`.
  case flags([Bool])
  /// `text[]`; nil is NULL.
  case texts([String?])
  /// `bytea[]`; nil is NULL.
  case byteLists([[UInt8]?])

  // Numbers of types, which never change:
  // https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat
  private static let (boolean, bytea, bigint, string, double) = (
    UInt32(16), UInt32(17), UInt32(20), UInt32(25), UInt32(701)
  )

  /// The number of its type.
  var type: UInt32 {
    switch self {
    case .integer: Self.bigint
    case .number: Self.double
    case .flag: Self.boolean
    case .text: Self.string
    case .bytes: Self.bytea
    case .integers: 1016
    case .numbers: 1022
    case .flags: 1000
    case .texts: 1009
    case .byteLists: 1001
    }
  }

  /// The bytes to send; nil is NULL.
  var bytes: [UInt8]? {
    switch self {
    case .integer(let integer): Self.bigEndian(integer)
    case .number(let number): Self.bigEndian(number.bitPattern)
    case .flag(let flag): [flag ? 1 : 0]
    case .text(let text): text.map { Array($0.utf8) }
    case .bytes(let bytes): bytes
    case .integers(let integers): Self.array(of: Self.bigint, integers) { Self.bigEndian($0) }
    case .numbers(let numbers): Self.array(of: Self.double, numbers) { $0.map { Self.bigEndian($0.bitPattern) } }
    case .flags(let flags): Self.array(of: Self.boolean, flags) { [$0 ? 1 : 0] }
    case .texts(let texts): Self.array(of: Self.string, texts) { $0.map { Array($0.utf8) } }
    case .byteLists(let lists): Self.array(of: Self.bytea, lists) { $0 }
    }
  }

  /// An array of one dimension, as `array_recv` reads it: dimensions, whether something may be NULL, the type, the
  /// length and the first index; then each element behind its length, which is -1 for NULL.
  private static func array<Element>(
    of type: UInt32,
    _ elements: [Element],
    _ bytes: (Element) -> [UInt8]?
  ) -> [UInt8] {
    var array: [UInt8] = []
    func append(_ number: Int32) { array += bigEndian(number) }
    append(elements.isEmpty ? 0 : 1)
    append(1)
    append(Int32(bitPattern: type))
    if elements.isEmpty { return array }
    append(Int32(elements.count))
    append(1)
    for element in elements {
      guard let bytes = bytes(element) else {
        append(-1)
        continue
      }
      append(Int32(bytes.count))
      array += bytes
    }
    return array
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
