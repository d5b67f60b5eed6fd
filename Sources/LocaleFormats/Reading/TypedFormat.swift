/// How a field reads the texts that people type, and writes its values for them.
package struct TypedFormat: Sendable, Hashable {
  /// The kind of value.
  package enum Kind: String, CaseIterable, Sendable {
    /// A number.
    case number
    /// A fraction of one that is typed in hundredths: `12.5 %` is 0.125.
    case percent
    /// An amount of money.
    case currency
    /// A day: `2026-11-28`.
    case date
    /// A day and a time of day, in no zone: `2026-11-28T14:30`.
    case dateTime

    /// Whether its values are numbers.
    package var isNumber: Bool { self == .number || self == .percent || self == .currency }
  }

  /// The kind of value.
  package let kind: Kind
  /// The decimal separator that the form's author names; nil: the locale's.
  package var decimal: String?
  /// The separator of groups that the form's author names. It counts only with ``decimal``.
  package var group: String?
  /// The code of the currency; nil: any currency, or no amount.
  package var currency: String?
  /// The patterns that the form's author names; empty: as the locale writes them. The first one writes.
  package var patterns: [DatePattern] = []

  /// A kind as the locale writes it.
  package init(_ kind: Kind) { self.kind = kind }

  /// A value that was read.
  package enum Value: Equatable {
    /// A number as ``DecimalText`` reads it.
    case number(String)
    /// A text of ISO 8601.
    case text(String)
  }

  // MARK: Reading

  /// The value that a text means; nil if it means none, or several.
  package func read(_ text: String, _ conventions: LocaleConventions) -> Value? {
    // A longer text is neither a number nor a date, and folding it would take long.
    guard text.utf8.count <= 4 * DecimalText.bytesMax else { return nil }
    let folded = FoldedText(text)
    if kind.isNumber {
      var reader = NumberReader(signs: signs(conventions))
      reader.isPercentage = kind == .percent
      if kind == .currency { reader.currencies = Currency.names(of: currency, conventions) }
      return reader.read(folded).map { .number($0) }
    }
    if !patterns.isEmpty {
      return patterns.lazy.compactMap { $0.read(folded, conventions) }.first.map { .text($0.iso) }
    }
    return DateReader(conventions: conventions).read(folded, withTime: kind == .dateTime).map { .text($0.iso) }
  }

  private func signs(_ conventions: LocaleConventions) -> NumberSigns {
    decimal.map { NumberSigns(decimal: $0, group: group) }
      ?? NumberSigns(conventions, isAmount: kind == .currency)
  }

  // MARK: Writing

  /// The number as people write it.
  package func write(_ number: DecimalText, _ conventions: LocaleConventions) -> String {
    let conventions = decimal.map { LocaleConventions(conventions, decimal: $0, group: group ?? "") } ?? conventions
    return switch kind {
    case .percent: conventions.percentage(number)
    case .currency: conventions.amount(number, code: currency, keepsDigits: true)
    case .number, .date, .dateTime: conventions.number(number)
    }
  }

  /// The date of an ISO text as people write it; nil if the text is not one.
  package func write(iso text: String, _ conventions: LocaleConventions) -> String? {
    guard let date = LocalDateTime(iso: text), (date.time != nil) == (kind == .dateTime) else { return nil }
    return patterns.first.map { $0.write(date, conventions) } ?? conventions.write(date)
  }

  /// A text that people can type, for a message.
  ///
  /// - Parameter isWhole: whether the value must be a whole number.
  package func example(_ conventions: LocaleConventions, isWhole: Bool) -> String {
    switch kind {
    case .number: write(isWhole ? Self.whole : Self.fraction, conventions)
    case .percent: write(Self.percentage, conventions)
    case .currency: write(isWhole ? Self.whole : Self.fraction, conventions)
    case .date: write(iso: "2026-12-31", conventions) ?? ""
    case .dateTime: write(iso: "2026-12-31T14:30", conventions) ?? ""
    }
  }

  private static let whole = DecimalText(Int64(1234))
  private static let fraction = DecimalText(1234.5) ?? whole
  private static let percentage = DecimalText(0.125) ?? whole
}

extension LocaleConventions {
  /// A date, or a date and a time, with numbers.
  package func write(_ value: LocalDateTime) -> String {
    (value.time == nil ? date : dateTime).write(value, self)
  }

  /// The day or the local time of an ISO text; nil if the text is neither.
  package func write(iso text: String) -> String? { LocalDateTime(iso: text).map { write($0) } }
}
