/// Reads a regular expression by ECMA-262 (section 22.2.1, the grammar with UnicodeMode: the `u` flag), which JSON
/// Schema names for `pattern`, `patternProperties` and the format `regex` (draft 2020-12 core, section 6.4). Annex B,
/// the leniency of browsers, is not part of it.
struct ECMAPatternParser {
  private struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesAll = false
  }

  private var reader: PatternReader
  private var flags = Flags()
  /// References by number are checked when all groups are known: they may point forward.
  private var numberedReferences: [(number: Int, offset: Int)] = []

  private let leniency: Pattern.Leniency

  private init(_ source: String, _ leniency: Pattern.Leniency) {
    reader = PatternReader(source)
    self.leniency = leniency
  }

  /// Parses the whole of `source`.
  static func parse(_ source: String, _ leniency: Pattern.Leniency) throws(PatternError) -> ParsedPattern {
    // A reference by name may precede its group, so the names are needed first: a first pass collects them.
    var first = ECMAPatternParser(source, leniency)
    _ = try first.whole(names: nil)
    var second = ECMAPatternParser(source, leniency)
    return try second.whole(names: first.reader.groupNames)
  }

  private var knownNames: [String?]?

  private mutating func whole(names: [String?]?) throws(PatternError) -> ParsedPattern {
    knownNames = names
    let root = try disjunction()
    if reader.peek() == code(")") { throw .syntax("this closing parenthesis has no opening one", at: reader.position) }
    for reference in numberedReferences where reference.number > reader.groupNames.count {
      throw .syntax("there is no group \(reference.number)", at: reference.offset)
    }
    return ParsedPattern(
      root: root,
      groupNames: reader.groupNames,
      needsBacktracking: reader.needsBacktracking
    )
  }

  private mutating func disjunction() throws(PatternError) -> PatternNode {
    var alternatives = [try alternative()]
    while reader.eat("|") { alternatives.append(try alternative()) }
    return alternatives.count == 1 ? alternatives[0] : .alternation(alternatives)
  }

  private mutating func alternative() throws(PatternError) -> PatternNode {
    var terms: [PatternNode] = []
    while let scalar = reader.peek(), scalar != code("|"), scalar != code(")") { terms.append(try term()) }
    switch terms.count {
    case 0: return .empty
    case 1: return terms[0]
    default: return .sequence(terms)
    }
  }

  private mutating func term() throws(PatternError) -> PatternNode {
    let start = reader.position
    if let assertion = try assertion() {
      if let scalar = reader.peek(), "*+?{".unicodeScalars.contains(where: { $0.value == scalar }) {
        throw .syntax("an assertion cannot be repeated", at: reader.position)
      }
      return assertion
    }
    return try quantified(try atom(), from: start)
  }

  private mutating func assertion() throws(PatternError) -> PatternNode? {
    let start = reader.position
    if reader.eat("^") { return .anchor(flags.isMultiline ? .lineStart : .textStart) }
    if reader.eat("$") { return .anchor(flags.isMultiline ? .lineEnd : .textEnd) }
    if reader.eat("\\b") { return .anchor(.wordBoundary) }
    if reader.eat("\\B") { return .anchor(.noWordBoundary) }
    if reader.eat("(?=") { return try look(isBehind: false, isNegative: false, from: start) }
    if reader.eat("(?!") { return try look(isBehind: false, isNegative: true, from: start) }
    if reader.eat("(?<=") { return try look(isBehind: true, isNegative: false, from: start) }
    if reader.eat("(?<!") { return try look(isBehind: true, isNegative: true, from: start) }
    return nil
  }

  private mutating func look(isBehind: Bool, isNegative: Bool, from start: Int) throws(PatternError) -> PatternNode {
    reader.needsBacktracking = true
    let inner = try groupBody(from: start)
    return .look(inner, isBehind: isBehind, isNegative: isNegative, offset: start)
  }

  /// The rest of a group after its opening, with the closing parenthesis.
  private mutating func groupBody(from start: Int) throws(PatternError) -> PatternNode {
    try reader.enterGroup(at: start)
    let inner = try disjunction()
    guard reader.eat(")") else { throw .syntax("this group is not closed", at: start) }
    reader.leaveGroup()
    return inner
  }

  private mutating func quantified(_ atom: PatternNode, from start: Int) throws(PatternError) -> PatternNode {
    let start = reader.position
    let minimum: Int
    let maximum: Int?
    if reader.eat("*") {
      (minimum, maximum) = (0, nil)
    } else if reader.eat("+") {
      (minimum, maximum) = (1, nil)
    } else if reader.eat("?") {
      (minimum, maximum) = (0, 1)
    } else if reader.eat("{") {
      guard let low = reader.decimal() else { throw .syntax("a number must follow '{'", at: start) }
      if reader.eat(",") {
        (minimum, maximum) = (low, reader.decimal())
      } else {
        (minimum, maximum) = (low, low)
      }
      guard reader.eat("}") else { throw .syntax("this '{' is not closed", at: start) }
      if let maximum, maximum < minimum { throw .syntax("the bounds are out of order", at: start) }
    } else {
      return atom
    }
    let isLazy = reader.eat("?")
    return .repetition(atom, minimum: minimum, maximum: maximum, isLazy: isLazy, offset: start)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    let start = reader.position
    guard let scalar = reader.next() else { throw .syntax("the pattern ends too early", at: start) }
    switch scalar {
    case code("."):
      return .set(
        flags.dotMatchesAll
          ? PatternSet(PatternSet.everything) : PatternSet(PatternSet.ecmaLineTerminators, isNegated: true)
      )
    case code("\\"):
      return try atomEscape(from: start)
    case code("["):
      return .set(try characterClass(from: start))
    case code("("):
      return try group(from: start)
    case code("*"), code("+"), code("?"):
      throw .syntax("there is nothing to repeat", at: start)
    case code("{"), code("}"), code("]"):
      throw .syntax("'\(Character(Unicode.Scalar(UInt8(scalar))))' must be escaped", at: start)
    default:
      return .scalar(scalar, foldsCase: flags.ignoresCase)
    }
  }

  private mutating func group(from start: Int) throws(PatternError) -> PatternNode {
    guard reader.eat("?") else { return try capture(name: nil, from: start) }
    if reader.eat(":") { return try groupBody(from: start) }
    if reader.eat("<") {
      let name = try groupName(from: start)
      if reader.groupNames.contains(name) { throw .syntax("the group name '\(name)' is used twice", at: start) }
      return try capture(name: name, from: start)
    }
    // Modifiers, since the 16th edition: (?ims-ims:...).
    let saved = flags
    var seen: Set<UInt32> = []
    var value = true
    while let scalar = reader.peek(), scalar != code(":") {
      reader.position += 1
      if scalar == code("-"), value {
        value = false
        continue
      }
      guard seen.insert(scalar).inserted else { throw .syntax("unknown kind of group", at: start) }
      switch scalar {
      case code("i"): flags.ignoresCase = value
      case code("m"): flags.isMultiline = value
      case code("s"): flags.dotMatchesAll = value
      default: throw .syntax("unknown kind of group", at: start)
      }
    }
    guard reader.eat(":"), !seen.isEmpty else { throw .syntax("unknown kind of group", at: start) }
    let inner = try groupBody(from: start)
    flags = saved
    return inner
  }

  private mutating func capture(name: String?, from start: Int) throws(PatternError) -> PatternNode {
    reader.groupNames.append(name)
    let index = reader.groupNames.count
    return .capture(try groupBody(from: start), index: index)
  }

  /// RegExpIdentifierName up to and with `>`.
  private mutating func groupName(from start: Int) throws(PatternError) -> String {
    var name = String.UnicodeScalarView()
    while true {
      guard var value = reader.next() else { throw .syntax("this group name is not closed", at: start) }
      if value == code(">") { break }
      if value == code("\\") {
        guard reader.eat("u"), let escaped = unicodeEscape() else { throw .syntax("invalid group name", at: start) }
        value = escaped
      }
      guard let scalar = Unicode.Scalar(value) else { throw .syntax("invalid group name", at: start) }
      let isDollarOrLine = scalar == "$" || scalar == "_"
      let isFine =
        name.isEmpty
        ? isDollarOrLine || scalar.properties.isIDStart
        : isDollarOrLine || scalar.properties.isIDContinue || value == 0x200C || value == 0x200D
      guard isFine else { throw .syntax("invalid group name", at: start) }
      name.append(scalar)
    }
    guard !name.isEmpty else { throw .syntax("a group name is empty", at: start) }
    return String(name)
  }

  private mutating func atomEscape(from start: Int) throws(PatternError) -> PatternNode {
    guard let scalar = reader.peek() else { throw .syntax("a backslash ends the pattern", at: start) }
    if scalar >= code("1"), scalar <= code("9"), let number = reader.decimal() {
      numberedReferences.append((number, start))
      reader.needsBacktracking = true
      return .backreference(number)
    }
    if scalar == code("k") {
      reader.position += 1
      guard reader.eat("<") else { throw .syntax("'\\k' must be followed by a group name", at: start) }
      let name = try groupName(from: start)
      reader.needsBacktracking = true
      guard let knownNames else { return .empty }
      guard let index = knownNames.firstIndex(of: name) else { throw .syntax("there is no group '\(name)'", at: start) }
      return .backreference(index + 1)
    }
    if let set = try classEscape(from: start) { return .set(set) }
    return .scalar(try characterEscape(from: start, inClass: false), foldsCase: flags.ignoresCase)
  }

  /// `\d \D \s \S \w \W \p{..} \P{..}` after the backslash; nil when something else follows.
  private mutating func classEscape(from start: Int) throws(PatternError) -> PatternSet? {
    guard let scalar = reader.peek() else { return nil }
    var set: PatternSet
    switch scalar {
    case code("d"): set = PatternSet(PatternSet.digits)
    case code("D"): set = PatternSet(PatternSet.complement(PatternSet.digits))
    case code("s"): set = PatternSet(PatternSet.ecmaSpaces)
    case code("S"): set = PatternSet(PatternSet.complement(PatternSet.ecmaSpaces))
    case code("w"): set = PatternSet(PatternSet.wordCharacters)
    case code("W"): set = PatternSet(PatternSet.complement(PatternSet.wordCharacters))
    case code("p"), code("P"):
      reader.position += 1
      guard reader.eat("{") else { throw .syntax("a property name in braces must follow", at: start) }
      let nameStart = reader.position
      while let next = reader.peek(), next != code("}") { reader.position += 1 }
      let name = reader.text(from: nameStart, to: reader.position)
      guard reader.eat("}") else { throw .syntax("this property name is not closed", at: start) }
      guard let property = UnicodeProperty.ecma(name, isNegated: scalar == code("P"), offset: start) else {
        throw .syntax("there is no Unicode property '\(name)'", at: start)
      }
      set = PatternSet()
      set.properties = [property]
      set.foldsCase = flags.ignoresCase
      return set
    default:
      return nil
    }
    reader.position += 1
    set.foldsCase = flags.ignoresCase
    return set
  }

  private mutating func characterEscape(from start: Int, inClass: Bool) throws(PatternError) -> UInt32 {
    guard let scalar = reader.next() else { throw .syntax("a backslash ends the pattern", at: start) }
    switch scalar {
    case code("f"): return 0x0C
    case code("n"): return 0x0A
    case code("r"): return 0x0D
    case code("t"): return 0x09
    case code("v"): return 0x0B
    case code("b") where inClass: return 0x08
    case code("-") where inClass: return scalar
    case code("0"):
      if PatternReader.isDigit(reader.peek()) { throw .syntax("octal escapes are not allowed", at: start) }
      return 0
    case code("c"):
      guard let letter = reader.next(), PatternReader.isLetter(letter) else {
        throw .syntax("a letter must follow '\\c'", at: start)
      }
      return letter & 0x1F
    case code("x"):
      guard let value = reader.hexadecimal(count: 2) else {
        throw .syntax("two hexadecimal digits must follow '\\x'", at: start)
      }
      return value
    case code("u"):
      guard let value = unicodeEscape() else { throw .syntax("invalid Unicode escape", at: start) }
      return value
    case code("^"), code("$"), code("\\"), code("."), code("*"), code("+"), code("?"), code("("), code(")"), code("["),
      code("]"), code("{"), code("}"), code("|"), code("/"):
      return scalar
    default:
      let character = reader.text(from: start + 1, to: start + 2)
      let isLetterOrDigit = PatternReader.isLetter(scalar) || PatternReader.isDigit(scalar)
      if isLetterOrDigit { throw .syntax("unknown escape '\\\(character)'", at: start) }
      if leniency == .needlessEscapes { return scalar }
      throw .syntax("'\(character)' needs no backslash; write it without", at: start)
    }
  }

  /// Reads the digits behind `\u`: four digits, a surrogate pair in two escapes, or a code point in braces.
  private mutating func unicodeEscape() -> UInt32? {
    if reader.eat("{") { return reader.bracedHexadecimal() }
    guard let first = reader.hexadecimal(count: 4) else { return nil }
    guard first >= 0xD800, first <= 0xDBFF, reader.sees("\\u") else { return first }
    let saved = reader.position
    reader.position += 2
    if let second = reader.hexadecimal(count: 4), second >= 0xDC00, second <= 0xDFFF {
      return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }
    reader.position = saved
    return first
  }

  private mutating func characterClass(from start: Int) throws(PatternError) -> PatternSet {
    var set = PatternSet()
    set.isNegated = reader.eat("^")
    set.foldsCase = flags.ignoresCase
    while true {
      guard !reader.isAtEnd else { throw .syntax("this character class is not closed", at: start) }
      if reader.eat("]") { return set }
      let itemStart = reader.position
      let low = try classAtom(into: &set)
      guard reader.peek() == code("-"), let after = reader.peek(1), after != code("]") else {
        if let low { set.insert(low) }
        continue
      }
      reader.position += 1
      let high = try classAtom(into: &set)
      guard let low, let high else { throw .syntax("a range needs a character on both sides", at: itemStart) }
      guard low <= high else { throw .syntax("this range is out of order", at: itemStart) }
      set.ranges.append(low...high)
    }
  }

  /// One member of a class: its code point, or nil when it was a shorthand, which is then in `set`.
  private mutating func classAtom(into set: inout PatternSet) throws(PatternError) -> UInt32? {
    let start = reader.position
    guard let scalar = reader.next() else { throw .syntax("this character class is not closed", at: start) }
    guard scalar == code("\\") else { return scalar }
    if let escape = try classEscape(from: start) {
      set.insert(escape.ranges)
      set.properties += escape.properties
      return nil
    }
    return try characterEscape(from: start, inClass: true)
  }
}
