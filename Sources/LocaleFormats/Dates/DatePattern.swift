/// A pattern of LDML (part 4, "Date Field Symbol Table") for dates and times that are written with numbers.
package struct DatePattern: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    /// `y`, `yyyy`, or `yy` for its last two digits.
    case year(width: Int)
    case month(width: Int)
    case day(width: Int)
    /// `H`: from 0 to 23.
    case hour(width: Int)
    /// `h`: from 1 to 12, with a word for the half of the day.
    case hourOfHalf(width: Int)
    case minute(width: Int)
    case second(width: Int)
    /// `a`: the word for the half of the day.
    case half
    case literal(String)
  }

  /// The pattern as written.
  package let text: String
  let parts: [Part]

  static let iso = DatePattern(
    uncheckedText: "yyyy-MM-dd",
    [.year(width: 4), .literal("-"), .month(width: 2), .literal("-"), .day(width: 2)]
  )
  static let isoTime = DatePattern(uncheckedText: "HH:mm", [.hour(width: 2), .literal(":"), .minute(width: 2)])
  static let isoDateTime = DatePattern(
    uncheckedText: "\(iso.text) \(isoTime.text)",
    iso.parts + [.literal(" ")] + isoTime.parts
  )

  private init(uncheckedText text: String, _ parts: [Part]) {
    self.text = text
    self.parts = parts
  }

  /// Reads a pattern; nil if it has a letter without a meaning here. Letters between apostrophes are text.
  package init?(_ text: String) {
    var parts: [Part] = []
    var literal = ""
    func flush() {
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = ""
    }
    var rest = Array(text)[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      if first == "'" {
        guard let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
        literal += end == rest.startIndex + 1 ? "'" : String(rest[(rest.startIndex + 1)..<end])
        rest = rest[(end + 1)...]
      } else if first.isASCII, first.isLetter {
        flush()
        guard let part = Part(first, width: run.count) else { return nil }
        parts.append(part)
        rest = rest.dropFirst(run.count)
      } else {
        literal.append(first)
        rest = rest.dropFirst()
      }
    }
    flush()
    self.init(uncheckedText: text, parts)
  }

  /// Whether it has day, month and year once each.
  package var hasDate: Bool { parts.compactMap(\.dateUnit).sorted() == [.day, .month, .year] }

  /// Whether it has an hour and a minute. An hour of half a day needs the word for the half.
  package var hasTime: Bool {
    let hasHour = parts.contains { if case .hour = $0 { true } else { false } }
    let hasHourOfHalf = parts.contains { if case .hourOfHalf = $0 { true } else { false } }
    let hasMinute = parts.contains { if case .minute = $0 { true } else { false } }
    return hasMinute && hasHour != hasHourOfHalf && hasHourOfHalf == parts.contains(.half)
  }

  /// Whether values of a kind are written with it: a date alone, or a date with a time.
  package func fits(_ kind: TypedFormat.Kind) -> Bool {
    let timeCount = parts.count { part in
      switch part {
      case .hour, .hourOfHalf, .minute, .second, .half: true
      case .year, .month, .day, .literal: false
      }
    }
    return hasDate && (kind == .dateTime ? hasTime && timeCount <= 4 : kind == .date && timeCount == 0)
  }

  /// Whether its hours count half a day.
  var hasHalves: Bool { parts.contains(.half) }

  /// The units of a date in the order in which they are written.
  var dateUnits: [DateUnit] { parts.compactMap(\.dateUnit) }

  /// The date or time in this pattern.
  func write(_ date: LocalDateTime, _ conventions: LocaleConventions) -> String {
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      let padded = String(repeating: "0", count: max(0, width - text.utf8.count)) + text
      return String(
        String.UnicodeScalarView(
          padded.unicodeScalars.map { Unicode.Scalar(conventions.zero.value + $0.value - 0x30) ?? $0 }
        )
      )
    }
    let time = date.time ?? (0, 0, 0)
    return parts.map { part in
      switch part {
      case .year(2): digits(date.year % 100, 2)
      case .year(let width): digits(date.year, width)
      case .month(let width): digits(date.month, width)
      case .day(let width): digits(date.day, width)
      case .hour(let width): digits(time.hour, width)
      case .hourOfHalf(let width): digits((time.hour + 11) % 12 + 1, width)
      case .minute(let width): digits(time.minute, width)
      case .second(let width): digits(time.second, width)
      case .half: time.hour < 12 ? conventions.am : conventions.pm
      case .literal(let text): text
      }
    }
    .joined()
  }

  /// Reads a text in this pattern; nil if it is not in it. A number may be written without the zeros in front. Spaces
  /// may be left out or added around literal text.
  func read(_ text: FoldedText, _ conventions: LocaleConventions) -> LocalDateTime? {
    var rest = text.scalars[...]
    var (year, month, day, hour, minute, second) = (0, 0, 0, 0, 0, 0)
    var (isAfternoon, hasTime) = (false, false)
    for (index, part) in parts.enumerated() {
      rest = rest.drop { $0 == " " }
      func number(_ width: Int, max digitsMax: Int) -> Int? {
        // A number that directly follows has its own digits.
        let isFollowed = index + 1 < parts.count && parts[index + 1].isNumber
        let digits = rest.prefix { $0.isDigit }
        let taken = isFollowed ? digits.prefix(width) : digits
        guard !taken.isEmpty, taken.count <= digitsMax, !isFollowed || taken.count == width else { return nil }
        rest = rest.dropFirst(taken.count)
        return Int(String(String.UnicodeScalarView(taken)))
      }
      switch part {
      case .year(let width):
        let before = rest.count
        guard let number = number(max(width, 2), max: width == 2 ? 2 : 4) else { return nil }
        switch (before - rest.count, width) {
        case (4, _): year = number
        case (2, 1), (2, 2): year = LocalDateTime.year(ofTwoDigits: number)
        default: return nil
        }
      case .month(let width):
        guard let number = number(max(width, 1), max: 2) else { return nil }
        month = number
      case .day(let width):
        guard let number = number(max(width, 1), max: 2) else { return nil }
        day = number
      case .hour(let width), .hourOfHalf(let width):
        guard let number = number(max(width, 1), max: 2) else { return nil }
        (hour, hasTime) = (number, true)
      case .minute(let width):
        guard let number = number(max(width, 1), max: 2) else { return nil }
        minute = number
      case .second(let width):
        guard let number = number(max(width, 1), max: 2) else { return nil }
        second = number
      case .half:
        guard let half = DayHalf(at: &rest, conventions) else { return nil }
        isAfternoon = half == .afternoon
      case .literal(let text):
        for scalar in FoldedText(text).scalars where scalar != " " {
          rest = rest.drop { $0 == " " }
          guard rest.first == scalar else { return nil }
          rest.removeFirst()
        }
      }
    }
    guard rest.isEmpty else { return nil }
    if hasHalves {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    return LocalDateTime(year: year, month: month, day: day, time: hasTime ? (hour, minute, second) : nil)
  }
}

/// A unit of a date.
enum DateUnit: Comparable { case day, month, year }

extension DatePattern.Part {
  fileprivate init?(_ letter: Character, width: Int) {
    switch letter {
    case "y" where width != 3 && width <= 4: self = .year(width: width)
    case "M" where width <= 2: self = .month(width: width)
    case "d" where width <= 2: self = .day(width: width)
    case "H" where width <= 2: self = .hour(width: width)
    case "h" where width <= 2: self = .hourOfHalf(width: width)
    case "m" where width <= 2: self = .minute(width: width)
    case "s" where width <= 2: self = .second(width: width)
    case "a" where width == 1: self = .half
    default: return nil
    }
  }

  fileprivate var dateUnit: DateUnit? {
    switch self {
    case .year: .year
    case .month: .month
    case .day: .day
    default: nil
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .half, .literal: false
    default: true
    }
  }
}
