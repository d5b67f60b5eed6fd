internal import Budgets
internal import Formats
internal import JSON
internal import Texts

// `maxLength`, `minLength`, `pattern` (validation, section 6.3) and `format` (section 7).

extension SchemaCompiler {
  mutating func compileString(_ keyword: Keyword, _ value: JSON, _ work: inout SchemaInProgress) {
    switch keyword {
    case .pattern:
      guard let source = value.stringValue else {
        report(work, "pattern", "pattern must be a string")
        return
      }
      guard let pattern = addPattern(source, work, "pattern") else { return }
      work.emit(.pattern, .pattern, pattern)
    case .maxLength:
      guard let limit = count(keyword, value, work) else { return }
      work.emit(.maxLength, keyword, limit)
    default:
      guard let limit = count(keyword, value, work) else { return }
      work.emit(.minLength, keyword, limit)
    }
  }

  /// The value of a keyword that limits a count: a whole number, 0 or more. One that `Int32` does not hold becomes its
  /// largest.
  mutating func count(_ keyword: Keyword, _ value: JSON, _ work: SchemaInProgress) -> Int32? {
    if let number = value.integerValue, number >= 0 { return Int32(clamping: number) }
    if case .real(let number) = value, number > 0, number.rounded(.towardZero) == number { return Int32.max }
    if case .decimal(let number) = value, number.isWhole, number.doubleValue > 0 { return Int32.max }
    report(work, keyword.rawValue, "\(keyword.rawValue) must be a whole number, 0 or more")
    return nil
  }

  /// The units that compiling a regular expression takes, beside one for each byte.
  private static let patternWork = 50

  /// Compiles a regular expression; nil when the budget is spent, and after reporting why it cannot be used.
  mutating func addPattern(_ source: String, _ work: SchemaInProgress, _ keyword: String) -> Int32? {
    guard budget.spend(Self.patternWork + source.utf8.count) else { return nil }
    do throws(PatternError) {
      let pattern = try Pattern(
        source,
        dialect: .ecma262,
        lengthMax: Pattern.generatedLengthMax,
        leniency: options.patternLeniency
      )
      tables.patterns.append(pattern)
      return Int32(tables.patterns.count - 1)
    } catch {
      report(work, keyword, "the regular expression cannot be used: \(error)", kind: .badPattern)
      return nil
    }
  }

  mutating func compileFormat(_ value: JSON, _ work: inout SchemaInProgress) {
    guard let name = value.stringValue else {
      report(work, "format", "format must be a string")
      return
    }
    let asserts =
      work.has(.formatAssertion) || (options.assertsFormat && work.has(.formatAnnotation))
    guard asserts, let format = TextFormat(rawValue: name) else { return }
    tables.formats.append(FormatRule(name: name, format: format))
    work.emit(.format, .format, Int32(tables.formats.count - 1))
  }
}

extension String {
  /// Whether the text has at least so many code points; ASCII texts are not walked through.
  @inline(__always)
  func hasCodePoints(atLeast limit: Int) -> Bool {
    let bytes = utf8.count
    // A code point has 1 to 4 bytes.
    if bytes < limit { return false }
    if bytes >= limit &* 4 { return true }
    return codePointCount >= limit
  }

  /// Whether the text has at most so many code points.
  @inline(__always)
  func hasCodePoints(atMost limit: Int) -> Bool {
    let bytes = utf8.count
    if bytes <= limit { return true }
    if bytes > limit &* 4 { return false }
    return codePointCount <= limit
  }
}
