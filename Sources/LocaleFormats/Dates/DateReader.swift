/// The half of a day that a 12-hour clock needs a word for.
enum DayHalf {
  case morning, afternoon

  /// Takes the word at the beginning: the language's own, `am` or `pm`, with or without points and spaces.
  init?(at rest: inout ArraySlice<Unicode.Scalar>, _ conventions: LocaleConventions) {
    let words: [(String, DayHalf)] = [
      (conventions.am, .morning), (conventions.pm, .afternoon), ("am", .morning), ("pm", .afternoon),
    ]
    for (word, half) in words {
      let wanted = Self.letters(FoldedText(word).scalars[...])
      guard !wanted.isEmpty else { continue }
      var end = rest.startIndex
      while end < rest.endIndex, !rest[end].isDigit {
        end += 1
        guard Self.letters(rest[..<end]) == wanted else { continue }
        // A point behind belongs to the word.
        while end < rest.endIndex, rest[end] == "." || rest[end] == " " { end += 1 }
        // The word is whole: no letter follows.
        if end < rest.endIndex, !rest[end].isDigit, rest[end].properties.isAlphabetic { break }
        rest = rest[end...]
        self = half
        return
      }
    }
    return nil
  }

  /// The scalars in lower case without points and spaces.
  private static func letters(_ scalars: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar] {
    scalars.filter { $0 != "." && $0 != " " }.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) }
  }
}

/// Reads dates and times as people of a language write them with numbers.
struct DateReader {
  let conventions: LocaleConventions

  /// A run of digits, and the text up to the next one.
  private struct Run {
    var digits: [Unicode.Scalar] = []
    var behind: [Unicode.Scalar] = []

    var number: Int { Int(String(String.UnicodeScalarView(digits))) ?? .max }
    /// The text behind without spaces; one space if it has only spaces.
    var separator: [Unicode.Scalar] {
      let text = behind.filter { $0 != " " }
      return text.isEmpty && !behind.isEmpty ? [" "] : text
    }
  }

  /// A longer text is not a date.
  private static let scalarsMax = 60

  /// Reads a date, or a date with a time. Nil if the text is none, or if it means several.
  func read(_ text: FoldedText, withTime: Bool) -> LocalDateTime? {
    // As the language writes it, and then in the ways in which people vary that.
    let pattern = withTime ? conventions.dateTime : conventions.date
    return pattern.read(text, conventions) ?? readFreely(text, withTime: withTime)
  }

  private func readFreely(_ text: FoldedText, withTime: Bool) -> LocalDateTime? {
    guard text.scalars.count <= Self.scalarsMax, let first = text.scalars.first, first.isDigit else { return nil }
    var runs: [Run] = []
    for scalar in text.scalars {
      if scalar.isDigit {
        if runs.isEmpty || runs[runs.count - 1].behind.isEmpty == false { runs.append(Run()) }
        runs[runs.count - 1].digits.append(scalar)
      } else {
        runs[runs.count - 1].behind.append(scalar)
      }
    }
    guard withTime ? (5...6).contains(runs.count) : runs.count == 3 else { return nil }
    guard let date = date(runs, isLast: !withTime) else { return nil }
    if !withTime { return date }
    return time(runs).flatMap { LocalDateTime(year: date.year, month: date.month, day: date.day, time: $0) }
  }

  // MARK: The date

  /// The date of the first three runs.
  private func date(_ runs: [Run], isLast: Bool) -> LocalDateTime? {
    let separators = (runs[0].separator, runs[1].separator)
    let units = runs[0].digits.count == 4 ? [.year, .month, .day] : conventions.date.dateUnits
    guard units.count == 3, let numbers = numbers(runs, units),
      areSeparators(separators.0, separators.1, units), !isLast || isEnd(runs[2].separator, units)
    else { return nil }
    return LocalDateTime(year: numbers.year, month: numbers.month, day: numbers.day)
  }

  private func numbers(_ runs: [Run], _ units: [DateUnit]) -> (year: Int, month: Int, day: Int)? {
    var (year, month, day) = (0, 0, 0)
    for (unit, run) in zip(units, runs) {
      switch (unit, run.digits.count) {
      case (.year, 4): year = run.number
      case (.year, 2): year = LocalDateTime.year(ofTwoDigits: run.number)
      case (.month, 1...2): month = run.number
      case (.day, 1...2): day = run.number
      default: return nil
      }
    }
    return (year, month, day)
  }

  /// Whether a date can have these two separators. Points mean that the day comes before the month, so a date with the
  /// month first does not have them.
  private func areSeparators(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], _ units: [DateUnit]) -> Bool {
    if units[0] == .year, (first, second) == (["年"], ["月"]) || (first, second) == (["년"], ["월"]) { return true }
    guard first == second, first.count == 1 else { return false }
    return first[0] == "/" || first[0] == "-" || first[0] == " " || first[0] == "." && units[0] != .month
  }

  /// Whether a date can end so: with nothing, or as the language writes it.
  private func isEnd(_ text: [Unicode.Scalar], _ units: [DateUnit]) -> Bool {
    if text.isEmpty || text == [" "] { return true }
    if text == ["."] { return units[0] != .month }
    if units[0] == .year, text == ["日"] || text == ["일"] { return true }
    guard case .literal(let own)? = conventions.date.parts.last else { return false }
    return FoldedText(own).scalars.filter { $0 != " " } == text
  }

  // MARK: The time

  /// The time of the runs behind the date.
  private func time(_ runs: [Run]) -> (hour: Int, minute: Int, second: Int)? {
    let clock = runs[3...]
    guard clock.allSatisfy({ $0.digits.count <= 2 }), clock.dropFirst().allSatisfy({ $0.digits.count == 2 }) else {
      return nil
    }
    for run in clock.dropLast() where run.separator != [":"] && run.separator != ["."] { return nil }
    guard let half = half(before: runs[2].behind, behind: clock.last?.behind ?? []) else { return nil }
    var hour = clock[3].number
    switch half {
    case .written(let half):
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (half == .afternoon ? 12 : 0)
    case .notWritten:
      // Without a word, people who use a 12-hour clock mean the morning or the afternoon.
      let isISO =
        runs[0].digits.count == 4 && runs[0].separator == ["-"] && clock[3].digits.count == 2
        && runs[2].separator != [","]
      if conventions.time.hasHalves, (1...12).contains(hour), !isISO { return nil }
    }
    return (hour, clock[4].number, clock.count > 2 ? clock[5].number : 0)
  }

  /// What a text says about the half of the day.
  private enum HalfMark {
    case notWritten
    case written(DayHalf)
  }

  /// The half of the day before or behind the time; nil if something else is written there.
  private func half(before: [Unicode.Scalar], behind: [Unicode.Scalar]) -> HalfMark? {
    var front = FoldedText(String(String.UnicodeScalarView(before))).scalars[...]
    // The date ends with a comma, a point, the word for the day, or ISO's `T`.
    while let first = front.first, [",", ".", " ", "T", "t", "日", "일"].contains(first) { front.removeFirst() }
    var back = FoldedText(String(String.UnicodeScalarView(behind))).scalars[...]
    guard !front.isEmpty || !before.isEmpty else { return nil }
    switch (front.isEmpty, back.isEmpty) {
    case (true, true): return .notWritten
    case (false, true):
      guard let half = DayHalf(at: &front, conventions), front.isEmpty else { return nil }
      return .written(half)
    case (true, false):
      guard let half = DayHalf(at: &back, conventions), back.isEmpty else { return nil }
      return .written(half)
    case (false, false): return nil
    }
  }
}
