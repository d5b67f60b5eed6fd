/// The parameters that an SQL statement names: `:email`, or as SQLite also writes them, `@email` and `$email`.
///
/// Texts, quoted names and comments are passed over, as SQLite's tokenizer does (<https://www.sqlite.org/lang_expr.html#varparam>,
/// <https://www.sqlite.org/lang_comment.html>).
struct SQLParameters {
  /// The names, each once, in the order in which they first stand.
  private(set) var names: [String] = []
  /// Whether there is a parameter without a name: `?`.
  private(set) var hasNameless = false

  private var rest: ArraySlice<UInt8>

  /// Reads a statement.
  init(of statement: String) {
    rest = Array(statement.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skip(behind: [byte])
      case UInt8(ascii: "["): skip(behind: [UInt8(ascii: "]")])
      case UInt8(ascii: "-") where rest.first == UInt8(ascii: "-"): skip(behind: [UInt8(ascii: "\n")])
      case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
        rest.removeFirst()
        skip(behind: Array("*/".utf8))
      case UInt8(ascii: "?"): hasNameless = true
      // A cast of PostgreSQL: `::integer`.
      case UInt8(ascii: ":") where rest.first == UInt8(ascii: ":"): rest.removeFirst()
      case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"): readName()
      default: if Self.mayStandInName(byte) { rest = rest.drop(while: Self.mayStandInName) }
      }
    }
  }

  /// Goes on behind the next such bytes. A quote that is doubled ends one text and begins the next.
  private mutating func skip(behind end: [UInt8]) {
    while !rest.isEmpty, !rest.starts(with: end) { rest.removeFirst() }
    rest = rest.dropFirst(end.count)
  }

  private mutating func readName() {
    let name = String(decoding: rest.prefix(while: Self.mayStandInName), as: UTF8.self)
    rest = rest.dropFirst(name.utf8.count)
    if !name.isEmpty, !names.contains(name) { names.append(name) }
  }

  private static func mayStandInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
