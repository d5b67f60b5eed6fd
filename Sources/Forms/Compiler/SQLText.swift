/// A statement of SQL, as far as forms and databases have to know one: its parameters, `:email`, and its words.
///
/// Text literals, quoted names and comments contain neither. SQLite: <https://www.sqlite.org/lang_expr.html#varparam>,
/// <https://www.sqlite.org/lang_comment.html>; PostgreSQL:
/// <https://www.postgresql.org/docs/current/sql-syntax-lexical.html>.
package struct SQLText: Sendable {
  /// The dialect of a statement.
  package enum Dialect: CaseIterable, Sendable {
    /// SQLite's. Parameters are `:name`, `@name` and `$name`.
    case sqlite
    /// PostgreSQL's. Parameters are `:name`, our own syntax: the server itself knows numbers only.
    case postgreSQL
  }

  /// The parameters' names, each once, in the order of their first use.
  package private(set) var names: [String] = []
  /// Whether there is a parameter without a name: `?` of SQLite, `$1` of PostgreSQL.
  package private(set) var hasNameless = false
  /// Words and names that are not quoted, with ASCII letters in upper case.
  package private(set) var words: [String] = []
  /// The first word of the statement; nil if it does not begin with a word.
  package private(set) var leadingWord: String?

  private let dialect: Dialect
  private let bytes: [UInt8]
  private var position = 0
  /// The positions of parameters, and the name of each in ``names``.
  private var parameters: [(range: Range<Int>, name: Int)] = []

  /// Reads a statement; only its database knows whether it is valid.
  package init(_ statement: String, in dialect: Dialect) {
    self.dialect = dialect
    bytes = Array(statement.utf8)
    var hasBegun = false
    while position < bytes.count {
      let start = position
      position += 1
      let isSomething = readToken(from: start)
      if isSomething, !hasBegun {
        hasBegun = true
        leadingWord = words.first
      }
    }
  }

  /// The statement with `$1` in place of each parameter of the first of ``names``, `$2` in place of each of the second,
  /// and so on.
  package var numbered: String {
    var text: [UInt8] = []
    var begin = 0
    for parameter in parameters {
      text += bytes[begin..<parameter.range.lowerBound]
      text += Array("$\(parameter.name + 1)".utf8)
      begin = parameter.range.upperBound
    }
    text += bytes[begin...]
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Tokens

  /// Reads up to the end of the token that begins there. Its first byte has been passed.
  ///
  /// - Returns: whether the token is more than white space or a comment.
  private mutating func readToken(from start: Int) -> Bool {
    switch bytes[start] {
    case UInt8(ascii: " "), 9...13: return false
    case UInt8(ascii: "-") where isNext("-"):
      skip(behind: "\n")
      return false
    case UInt8(ascii: "/") where isNext("*"):
      position += 1
      skipComment()
      return false
    case UInt8(ascii: "'"): skip(behind: "'")
    case UInt8(ascii: "\""): skip(behind: "\"")
    case UInt8(ascii: "`") where dialect == .sqlite: skip(behind: "`")
    case UInt8(ascii: "[") where dialect == .sqlite: skip(behind: "]")
    case UInt8(ascii: "?") where dialect == .sqlite: if !isOperatorOfOthers { hasNameless = true }
    // A cast of PostgreSQL, `::integer`, or the name of an argument, `:=`.
    case UInt8(ascii: ":") where isNext(":") || isNext("="): position += 1
    case UInt8(ascii: ":"): readParameter(from: start)
    case UInt8(ascii: "@") where dialect == .sqlite: readParameter(from: start)
    case UInt8(ascii: "$"): readDollar(from: start)
    case let byte where Self.mayStandInName(byte): readWord(from: start)
    default: break
    }
    return true
  }

  private mutating func readWord(from start: Int) {
    position = nameEnd(from: position)
    if Self.isDigit(bytes[start]) { return }
    let word = String(decoding: bytes[start..<position], as: UTF8.self).uppercased()
    // A text with backslashes: E'it\'s'.
    if dialect == .postgreSQL, word == "E", isNext("'") {
      position += 1
      return skipEscapedText()
    }
    words.append(word)
  }

  private mutating func readParameter(from start: Int) {
    let end = nameEnd(from: position)
    // A slice of an array: a[1:2].
    guard end > position, dialect == .sqlite || !Self.isDigit(bytes[position]) else { return }
    let name = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end
    let index = names.firstIndex { $0.utf8.elementsEqual(name.utf8) } ?? names.count
    if index == names.count { names.append(name) }
    parameters.append((start..<end, index))
  }

  /// `$name` of SQLite; `$1`, `$$text$$` and `$tag$text$tag$` of PostgreSQL.
  private mutating func readDollar(from start: Int) {
    guard dialect == .postgreSQL else { return readParameter(from: start) }
    if position < bytes.count, Self.isDigit(bytes[position]) {
      hasNameless = true
      position = nameEnd(from: position)
      return
    }
    var end = position
    while end < bytes.count, Self.mayStandInName(bytes[end]), bytes[end] != UInt8(ascii: "$") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: "$") else { return }
    position = end + 1
    skip(behind: bytes[start...end])
  }

  /// Continues after the next occurrence of those bytes. A doubled quote ends one text and begins the next.
  private mutating func skip(behind end: String) {
    skip(behind: end.utf8)
  }

  private mutating func skip(behind end: some Collection<UInt8>) {
    while position < bytes.count, !bytes[position...].starts(with: end) { position += 1 }
    position = min(position + end.count, bytes.count)
  }

  private mutating func skipEscapedText() {
    while position < bytes.count, bytes[position] != UInt8(ascii: "'") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }

  /// PostgreSQL has comments in comments, SQLite has not.
  private mutating func skipComment() {
    var depth = 1
    while depth > 0, position < bytes.count {
      if bytes[position...].starts(with: "*/".utf8) {
        depth -= 1
        position += 2
      } else if dialect == .postgreSQL, bytes[position...].starts(with: "/*".utf8) {
        depth += 1
        position += 2
      } else {
        position += 1
      }
    }
  }

  private func isNext(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  /// Whether the question mark that was passed is an operator of PostgreSQL: `document ? 'name'`, `document ?| :names`.
  /// The loader of a form reads its statements by both dialects.
  private var isOperatorOfOthers: Bool {
    guard let next = bytes[position...].first(where: { $0 != UInt8(ascii: " ") }) else { return false }
    return "':|&".utf8.contains(next)
  }

  private func nameEnd(from start: Int) -> Int {
    bytes[start...].firstIndex { !Self.mayStandInName($0) } ?? bytes.count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func mayStandInName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
