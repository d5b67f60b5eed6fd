/// A type of a server: the conversion of its values to JSON, and of JSON to its values.
struct PostgresType: Sendable {
  /// How values of a type are read and written. All of them travel as texts.
  indirect enum Form: Sendable {
    /// `t` and `f`: a Boolean.
    case boolean
    /// An integer of at most 64 bits.
    case integer
    /// A number with a binary fraction, including NaN and the infinities.
    case real
    /// A number with a decimal fraction, of any length.
    case decimal
    /// `json` and `jsonb`: the value itself.
    case json
    /// Bytes: base64.
    case bytes
    /// A date and a time without a zone.
    case localTime
    /// An instant: RFC 3339, in UTC.
    case instant
    /// A time of day with an offset.
    case offsetTime
    /// A list, with the delimiter of its elements.
    case array(of: PostgresType, delimiter: UInt8)
    /// Anything else, as the server's text: texts, dates, intervals (ISO 8601), uuids, enumerations, addresses, ranges.
    case text
  }

  /// The type's name, for people.
  let name: String
  /// How its values are read and written.
  let form: Form

  /// The types that every server has, by their numbers (pg_type.dat).
  private static let scalars: [(oid: UInt32, array: UInt32, type: PostgresType)] = [
    (16, 1000, PostgresType(name: "boolean", form: .boolean)),
    (17, 1001, PostgresType(name: "bytea", form: .bytes)),
    (18, 1002, PostgresType(name: "\"char\"", form: .text)),
    (19, 1003, PostgresType(name: "name", form: .text)),
    (20, 1016, PostgresType(name: "bigint", form: .integer)),
    (21, 1005, PostgresType(name: "smallint", form: .integer)),
    (23, 1007, PostgresType(name: "integer", form: .integer)),
    (25, 1009, PostgresType(name: "text", form: .text)),
    (26, 1028, PostgresType(name: "oid", form: .integer)),
    (114, 199, PostgresType(name: "json", form: .json)),
    (700, 1021, PostgresType(name: "real", form: .real)),
    (701, 1022, PostgresType(name: "double precision", form: .real)),
    (1042, 1014, PostgresType(name: "character", form: .text)),
    (1043, 1015, PostgresType(name: "character varying", form: .text)),
    (1082, 1182, PostgresType(name: "date", form: .text)),
    (1083, 1183, PostgresType(name: "time", form: .text)),
    (1114, 1115, PostgresType(name: "timestamp", form: .localTime)),
    (1184, 1185, PostgresType(name: "timestamp with time zone", form: .instant)),
    (1186, 1187, PostgresType(name: "interval", form: .text)),
    (1266, 1270, PostgresType(name: "time with time zone", form: .offsetTime)),
    (1700, 1231, PostgresType(name: "numeric", form: .decimal)),
    (2950, 2951, PostgresType(name: "uuid", form: .text)),
    (3802, 3807, PostgresType(name: "jsonb", form: .json)),
  ]

  /// The types that every server has, by number.
  static let builtIn: [UInt32: PostgresType] = {
    var types: [UInt32: PostgresType] = [:]
    for (oid, array, type) in scalars {
      types[oid] = type
      types[array] = .array(of: type)
    }
    // Other usual types of a statement's columns and parameters: void, unknown, and lists that are not arrays.
    for (oid, name) in [(2278, "void"), (705, "unknown"), (22, "int2vector"), (30, "oidvector")] as [(UInt32, String)] {
      types[oid] = PostgresType(name: name, form: .text)
    }
    return types
  }()

  /// A type that cannot be looked up.
  static let unknown = PostgresType(name: "unknown", form: .text)

  /// Lists of a type.
  static func array(of type: PostgresType, delimiter: UInt8 = UInt8(ascii: ",")) -> PostgresType {
    PostgresType(name: "\(type.name)[]", form: .array(of: type, delimiter: delimiter))
  }
}
