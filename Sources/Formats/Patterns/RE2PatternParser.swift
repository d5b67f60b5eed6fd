/// Reads a regular expression by RE2's syntax (github.com/google/re2, doc/syntax.txt), which CEL names for `matches`.
/// It refuses the syntax that RE2 refuses: back references, look-around, `\C`, repeat counts over 1000.
struct RE2PatternParser {
  private struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesAll = false
    var isUngreedy = false
  }

  /// RE2's own limit, for one count and for nested counts multiplied.
  static let repeatMax = 1000

  private var reader: PatternReader
  private var flags = Flags()

  private init(_ source: String) { reader = PatternReader(source) }

  /// Parses the whole of `source`.
  static func parse(_ source: String) throws(PatternError) -> ParsedPattern {
    var parser = RE2PatternParser(source)
    let root = try parser.alternation()
    if parser.reader.peek() == code(")") {
      throw .syntax("this closing parenthesis has no opening one", at: parser.reader.position)
    }
    try checkRepeats(root, factor: 1)
    return ParsedPattern(root: root, groupNames: parser.reader.groupNames, needsBacktracking: false)
  }

  private static func checkRepeats(_ node: PatternNode, factor: Int) throws(PatternError) {
    switch node {
    case .sequence(let nodes), .alternation(let nodes):
      for inner in nodes { try checkRepeats(inner, factor: factor) }
    case .capture(let inner, _), .look(let inner, _, _, _):
      try checkRepeats(inner, factor: factor)
    case .repetition(let inner, let minimum, let maximum, _, let offset):
      let product = factor * max(1, maximum ?? minimum)
      if product > repeatMax { throw .tooLarge("a repeat count is above \(repeatMax)", at: offset) }
      try checkRepeats(inner, factor: product)
    case .empty, .scalar, .set, .anchor, .backreference:
      return
    }
  }

  private mutating func alternation() throws(PatternError) -> PatternNode {
    var alternatives = [try concatenation()]
    while reader.eat("|") { alternatives.append(try concatenation()) }
    return alternatives.count == 1 ? alternatives[0] : .alternation(alternatives)
  }

  private mutating func concatenation() throws(PatternError) -> PatternNode {
    var items: [PatternNode] = []
    while let scalar = reader.peek(), scalar != code("|"), scalar != code(")") {
      let start = reader.position
      if reader.eat("\\Q") {
        try quotation(into: &items)
        continue
      }
      if reader.sees("(?"), try flagsOnly() { continue }
      let item = try atom()
      items.append(try repeated(item, from: start))
    }
    switch items.count {
    case 0: return .empty
    case 1: return items[0]
    default: return .sequence(items)
    }
  }

  /// `\Q...\E`: all literal; a count after it belongs to its last character.
  private mutating func quotation(into items: inout [PatternNode]) throws(PatternError) {
    var last: (node: PatternNode, offset: Int)?
    while !reader.eat("\\E") {
      let start = reader.position
      guard let scalar = reader.next() else { break }
      if let last { items.append(last.node) }
      last = (.scalar(scalar, foldsCase: flags.ignoresCase), start)
    }
    if let last { items.append(try repeated(last.node, from: last.offset)) }
  }

  /// `(?flags)`: true when it was there and is taken over.
  private mutating func flagsOnly() throws(PatternError) -> Bool {
    let saved = (reader.position, flags)
    let start = reader.position
    reader.position += 2
    if reader.peek() == code("P") || reader.peek() == code("<") || reader.peek() == code(":") {
      (reader.position, flags) = saved
      return false
    }
    try readFlags(from: start)
    if reader.eat(")") {
      if let scalar = reader.peek(), [code("*"), code("+"), code("?")].contains(scalar) {
        throw .syntax("there is nothing to repeat", at: reader.position)
      }
      return true
    }
    (reader.position, flags) = saved
    return false
  }

  /// The letters between `(?` and `)` or `:`; leaves the cursor on that one.
  private mutating func readFlags(from start: Int) throws(PatternError) {
    if reader.sees("=") || reader.sees("!") {
      throw .unsupported("lookahead is not part of RE2", at: start)
    }
    var value = true
    var seesLetter = false
    while let scalar = reader.peek(), scalar != code(")"), scalar != code(":") {
      reader.position += 1
      switch scalar {
      case code("i"): flags.ignoresCase = value
      case code("m"): flags.isMultiline = value
      case code("s"): flags.dotMatchesAll = value
      case code("U"): flags.isUngreedy = value
      case code("-") where value:
        value = false
        seesLetter = false
        continue
      default: throw .syntax("unknown kind of group", at: start)
      }
      seesLetter = true
    }
    guard !reader.isAtEnd else { throw .syntax("this group is not closed", at: start) }
    guard seesLetter else { throw .syntax("unknown kind of group", at: start) }
  }

  private mutating func repeated(_ atom: PatternNode, from start: Int) throws(PatternError) -> PatternNode {
    var node = atom
    var count = 0
    while true {
      let start = reader.position
      let minimum: Int
      let maximum: Int?
      if reader.eat("*") {
        (minimum, maximum) = (0, nil)
      } else if reader.eat("+") {
        (minimum, maximum) = (1, nil)
      } else if reader.eat("?") {
        (minimum, maximum) = (0, 1)
      } else if let counts = braces() {
        (minimum, maximum) = counts
        if minimum > Self.repeatMax || (maximum ?? 0) > Self.repeatMax {
          throw .tooLarge("a repeat count is above \(Self.repeatMax)", at: start)
        }
        if let maximum, maximum < minimum { throw .syntax("the bounds are out of order", at: start) }
      } else {
        return node
      }
      count += 1
      if count > 1 { throw .syntax("a repetition can only be repeated as a group", at: start) }
      let isLazy = reader.eat("?")
      node = .repetition(
        node,
        minimum: minimum,
        maximum: maximum,
        isLazy: isLazy != flags.isUngreedy,
        offset: start
      )
    }
  }

  /// `{n}`, `{n,}` or `{n,m}`; nil (and no step) when it is none: then the brace is an ordinary character.
  private mutating func braces() -> (Int, Int?)? {
    let saved = reader.position
    guard reader.eat("{"), let low = reader.decimal() else {
      reader.position = saved
      return nil
    }
    var high: Int? = low
    if reader.eat(",") { high = reader.decimal() }
    guard reader.eat("}") else {
      reader.position = saved
      return nil
    }
    return (low, high)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    let start = reader.position
    guard let scalar = reader.next() else { throw .syntax("the pattern ends too early", at: start) }
    switch scalar {
    case code("^"): return .anchor(flags.isMultiline ? .lineStart : .textStart)
    case code("$"): return .anchor(flags.isMultiline ? .lineEnd : .textEnd)
    case code("."):
      return .set(
        flags.dotMatchesAll ? PatternSet(PatternSet.everything) : PatternSet([0x0A...0x0A], isNegated: true)
      )
    case code("["): return .set(try characterClass(from: start))
    case code("("): return try group(from: start)
    case code("*"), code("+"), code("?"): throw .syntax("there is nothing to repeat", at: start)
    case code("\\"): return try escape(from: start)
    case code("{"):
      reader.position = start
      if braces() != nil { throw .syntax("there is nothing to repeat", at: start) }
      reader.position = start + 1
      return .scalar(scalar, foldsCase: false)
    default: return .scalar(scalar, foldsCase: flags.ignoresCase)
    }
  }

  private mutating func group(from start: Int) throws(PatternError) -> PatternNode {
    try reader.enterGroup(at: start)
    let saved = flags
    var index: Int?
    if reader.eat("?") {
      if reader.sees("<=") || reader.sees("<!") {
        throw .unsupported("lookbehind is not part of RE2", at: start)
      }
      if reader.eat("P<") || reader.eat("<") {
        let name = try groupName(from: start)
        if reader.groupNames.contains(name) { throw .syntax("the group name '\(name)' is used twice", at: start) }
        reader.groupNames.append(name)
        index = reader.groupNames.count
      } else if reader.sees("P=") || reader.sees("P>") {
        throw .unsupported("backreferences are not part of RE2", at: start)
      } else if !reader.eat(":") {
        try readFlags(from: start)
        guard reader.eat(":") else { throw .syntax("unknown kind of group", at: start) }
      }
    } else {
      reader.groupNames.append(nil)
      index = reader.groupNames.count
    }
    let inner = try alternation()
    guard reader.eat(")") else { throw .syntax("this group is not closed", at: start) }
    reader.leaveGroup()
    flags = saved
    return index.map { .capture(inner, index: $0) } ?? inner
  }

  private mutating func groupName(from start: Int) throws(PatternError) -> String {
    let nameStart = reader.position
    while let scalar = reader.next() {
      if scalar == code(">") {
        guard reader.position - 1 > nameStart else { throw .syntax("a group name is empty", at: start) }
        return reader.text(from: nameStart, to: reader.position - 1)
      }
      guard PatternReader.isLetter(scalar) || PatternReader.isDigit(scalar) || scalar == code("_") else { break }
    }
    throw .syntax("invalid group name", at: start)
  }

  private mutating func escape(from start: Int) throws(PatternError) -> PatternNode {
    if reader.eat("A") { return .anchor(.textStart) }
    if reader.eat("z") { return .anchor(.textEnd) }
    if reader.eat("b") { return .anchor(.wordBoundary) }
    if reader.eat("B") { return .anchor(.noWordBoundary) }
    if reader.eat("C") { throw .unsupported("single bytes ('\\C') are not supported", at: start) }
    if let set = try classEscape(from: start) { return .set(set) }
    return .scalar(try characterEscape(from: start), foldsCase: flags.ignoresCase)
  }

  private mutating func classEscape(from start: Int) throws(PatternError) -> PatternSet? {
    guard let scalar = reader.peek() else { return nil }
    var set = PatternSet()
    switch scalar {
    case code("d"): set.ranges = PatternSet.digits
    case code("D"): set.ranges = PatternSet.complement(PatternSet.digits)
    case code("s"): set.ranges = PatternSet.re2Spaces
    case code("S"): set.ranges = PatternSet.complement(PatternSet.re2Spaces)
    case code("w"): set.ranges = PatternSet.wordCharacters
    case code("W"): set.ranges = PatternSet.complement(PatternSet.wordCharacters)
    case code("p"), code("P"):
      reader.position += 1
      var isNegated = scalar == code("P")
      let name: String
      if reader.eat("{") {
        if reader.eat("^") { isNegated.toggle() }
        let nameStart = reader.position
        while let next = reader.peek(), next != code("}") { reader.position += 1 }
        name = reader.text(from: nameStart, to: reader.position)
        guard reader.eat("}") else { throw .syntax("this property name is not closed", at: start) }
      } else {
        guard reader.next() != nil else { throw .syntax("a property name must follow", at: start) }
        name = reader.text(from: reader.position - 1, to: reader.position)
      }
      guard let property = UnicodeProperty.re2(name, isNegated: isNegated, offset: start) else {
        throw .syntax("there is no Unicode class '\(name)'", at: start)
      }
      set.properties = [property]
      set.foldsCase = flags.ignoresCase
      return set
    default: return nil
    }
    reader.position += 1
    // Shorthands mean the same with and without (?i).
    return set
  }

  private mutating func characterEscape(from start: Int) throws(PatternError) -> UInt32 {
    guard let scalar = reader.next() else { throw .syntax("a backslash ends the pattern", at: start) }
    switch scalar {
    case code("a"): return 0x07
    case code("f"): return 0x0C
    case code("n"): return 0x0A
    case code("r"): return 0x0D
    case code("t"): return 0x09
    case code("v"): return 0x0B
    case code("x"):
      let value = reader.eat("{") ? reader.bracedHexadecimal() : reader.hexadecimal(count: 2)
      guard let value else { throw .syntax("invalid hexadecimal escape", at: start) }
      return value
    case code("0")...code("7"):
      let isZero = scalar == code("0")
      var value = scalar - code("0")
      var digits = 1
      while digits < 3, let next = reader.peek(), next >= code("0"), next <= code("7") {
        value = value * 8 + (next - code("0"))
        reader.position += 1
        digits += 1
      }
      if !isZero, digits == 1 { throw .unsupported("backreferences are not part of RE2", at: start) }
      return value
    default:
      guard scalar < 0x80, !PatternReader.isLetter(scalar), !PatternReader.isDigit(scalar) else {
        throw .syntax("unknown escape '\\\(reader.text(from: start + 1, to: start + 2))'", at: start)
      }
      return scalar
    }
  }

  private mutating func characterClass(from start: Int) throws(PatternError) -> PatternSet {
    var set = PatternSet()
    set.isNegated = reader.eat("^")
    set.foldsCase = flags.ignoresCase
    var isFirst = true
    while true {
      guard let scalar = reader.peek() else { throw .syntax("this character class is not closed", at: start) }
      if scalar == code("]"), !isFirst {
        reader.position += 1
        return set
      }
      isFirst = false
      let itemStart = reader.position
      if reader.sees("[:"), let name = posixName() {
        let isNegated = name.hasPrefix("^")
        guard let ranges = PatternSet.posix(isNegated ? String(name.dropFirst()) : name) else {
          throw .syntax("there is no class '[:\(name):]'", at: itemStart)
        }
        set.insert(isNegated ? PatternSet.complement(ranges) : ranges)
        continue
      }
      if scalar == code("\\") {
        reader.position += 1
        if let escape = try classEscape(from: itemStart) {
          set.insert(escape.ranges)
          set.properties += escape.properties
          continue
        }
        reader.position = itemStart
      }
      let low = try classCharacter()
      guard reader.peek() == code("-"), let after = reader.peek(1), after != code("]") else {
        set.insert(low)
        continue
      }
      reader.position += 1
      let high = try classCharacter()
      guard low <= high else { throw .syntax("this range is out of order", at: itemStart) }
      set.ranges.append(low...high)
    }
  }

  private mutating func classCharacter() throws(PatternError) -> UInt32 {
    let start = reader.position
    guard let scalar = reader.next() else { throw .syntax("this character class is not closed", at: start) }
    return scalar == code("\\") ? try characterEscape(from: start) : scalar
  }

  /// The name in `[:name:]`, stepped over; nil when the brackets are not of that kind.
  private mutating func posixName() -> String? {
    var index = 2
    while let scalar = reader.peek(index), scalar != code("]") {
      if scalar == code(":"), reader.peek(index + 1) == code("]") {
        let name = reader.text(from: reader.position + 2, to: reader.position + index)
        reader.position += index + 2
        return name
      }
      index += 1
    }
    return nil
  }
}
