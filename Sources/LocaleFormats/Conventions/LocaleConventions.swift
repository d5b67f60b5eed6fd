/// How a language and region writes numbers, amounts and dates.
package final class LocaleConventions: Sendable {
  /// The locale's name in CLDR, with hyphens.
  package let name: String
  /// The digit for zero. The other nine follow it in Unicode.
  let zero: Unicode.Scalar
  /// The written separators of numbers and of amounts.
  let decimal, group, amountDecimal, amountGroup: String
  /// The written signs.
  let minus, percentSign: String
  /// Groups are written only if the first group has as many digits.
  let groupingMin: Int
  /// The digits of the last group, and then of each group before it.
  let groupSizes: [Int]
  /// Patterns of LDML with `0` for the digits: `0 %`, `¤ 0`. A pattern for negative amounts may follow a semicolon.
  let percent, amount: String
  /// A date with numbers alone, with a whole year.
  let date: DatePattern
  /// The hour and the minute.
  let time: DatePattern
  /// The words for the halves of a day.
  let am, pm: String
  /// A date with a time.
  let dateTime: DatePattern
  /// The pattern that combines a date (`{1}`) and a time (`{0}`).
  private let combination: String
  /// The signs of currencies by their codes.
  let symbols: [String: String]

  /// Reads a line of the table.
  ///
  /// - Parameter base: has the columns that the line leaves empty; nil for `root`, which has all of them.
  fileprivate init(_ columns: [Substring], base: LocaleConventions?) {
    func text(_ index: Int, _ inherited: KeyPath<LocaleConventions, String>) -> String {
      if index < columns.count, !columns[index].isEmpty || base == nil { return String(columns[index]) }
      return base?[keyPath: inherited] ?? ""
    }
    func column(_ index: Int) -> Substring? {
      index < columns.count && !columns[index].isEmpty ? columns[index] : nil
    }
    name = String(columns[0])
    zero = column(1)?.unicodeScalars.first ?? base?.zero ?? "0"
    decimal = text(2, \.decimal)
    group = text(3, \.group)
    minus = text(4, \.minus)
    percentSign = text(5, \.percentSign)
    groupingMin = column(6).flatMap { Int($0) } ?? base?.groupingMin ?? 1
    groupSizes = column(7)?.split(separator: ",").compactMap { Int($0) } ?? base?.groupSizes ?? [3]
    percent = text(8, \.percent)
    amount = text(9, \.amount)
    amountDecimal = text(10, \.amountDecimal)
    amountGroup = text(11, \.amountGroup)
    date = column(12).flatMap { DatePattern(String($0)) } ?? base?.date ?? .iso
    time = column(13).flatMap { DatePattern(String($0)) } ?? base?.time ?? .isoTime
    am = text(14, \.am)
    pm = text(15, \.pm)
    combination = text(16, \.combination)
    dateTime =
      DatePattern(combination.replacing("{1}", with: date.text).replacing("{0}", with: time.text)) ?? .isoDateTime
    let own = Self.pairs(column(17).map(String.init) ?? "")
    symbols = own.isEmpty ? base?.symbols ?? [:] : (base?.symbols ?? [:]).merging(own) { $1 }
  }

  /// The same conventions with other separators.
  init(_ other: LocaleConventions, decimal: String, group: String) {
    (name, zero, minus, percentSign) = (other.name, other.zero, other.minus, other.percentSign)
    (groupingMin, groupSizes) = (other.groupingMin, [3])
    (self.decimal, amountDecimal) = (decimal, decimal)
    (self.group, amountGroup) = (group, group)
    (percent, amount, symbols) = (other.percent, other.amount, other.symbols)
    (date, time, dateTime, combination) = (other.date, other.time, other.dateTime, other.combination)
    (am, pm) = (other.am, other.pm)
  }

  /// `A=b C=d` as a dictionary. A sign may contain a space that does not break, but no other.
  fileprivate static func pairs(_ text: String) -> [String: String] {
    var pairs: [String: String] = [:]
    for pair in text.split(separator: " ") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { pairs[String(parts[0])] = String(parts[1]) }
    }
    return pairs
  }
}

extension LocaleConventions {
  /// By name in lower case. Read at the first use.
  private static let all: [String: LocaleConventions] = {
    var all: [String: LocaleConventions] = [:]
    for line in ConventionTable.lines.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      let key = columns[0].lowercased()
      // A line follows the lines that it inherits from.
      var base: LocaleConventions?
      var around = key[...]
      while base == nil, let end = around.lastIndex(of: "-") {
        around = around[..<end]
        base = all[String(around)]
      }
      all[key] = LocaleConventions(columns, base: base ?? all["root"])
    }
    return all
  }()

  /// The conventions of the first of these locales whose language is known; else the conventions of English.
  ///
  /// As RFC 4647, section 3.4, says, a locale loses subtags from its end until it is found, without regard to case.
  package static func first(of wanted: String?...) -> LocaleConventions {
    for case let locale? in wanted {
      if let found = of(locale) { return found }
    }
    guard let english = of("en") else { preconditionFailure("the table has no line for English") }
    return english
  }

  /// A longer name is not a locale.
  private static let nameBytesMax = 100

  /// The conventions of a locale, or nil if its language is not known.
  private static func of(_ locale: String) -> LocaleConventions? {
    guard locale.utf8.count <= nameBytesMax else { return nil }
    var name = locale.lowercased().replacing("_", with: "-")[...]
    while !name.isEmpty {
      if name != "root", let found = all[String(name)] { return found }
      name = name.lastIndex(of: "-").map { name[..<$0] } ?? ""
    }
    return nil
  }
}

/// The currencies of ISO 4217.
package enum Currency {
  private static let codes = Set(ConventionTable.currencies.split(separator: " ").map(String.init))
  private static let narrow = LocaleConventions.pairs(ConventionTable.narrowSymbols)
  private static let fractionDigits = LocaleConventions.pairs(ConventionTable.fractionDigits)

  /// Whether a text is the code of a currency in use: `EUR`.
  package static func isCode(_ text: String) -> Bool { codes.contains(text) }

  /// How many digits amounts have behind the decimal separator.
  static func fractionDigits(of code: String) -> Int { fractionDigits[code].flatMap { Int($0) } ?? 2 }

  /// The code and the signs of a currency. Nil: of all currencies.
  static func names(of code: String?, _ conventions: LocaleConventions) -> [String] {
    guard let code else { return codes.flatMap { names(of: $0, conventions) } }
    return [code, conventions.symbols[code], narrow[code]].compactMap { $0 }
  }
}
