/// How a field reads the texts that people type.
public enum TextReading: WireName {
  /// Numbers.
  case number
  /// Fractions of one, typed in hundredths.
  case percent
  /// Amounts of money.
  case currency
  /// Dates.
  case date
  /// Dates with a time of day, in no zone.
  case dateTime

  package static let schemaName: StaticString? = "TextReading"

  package var wireName: StaticString {
    switch self {
    case .number: "number"
    case .percent: "percent"
    case .currency: "currency"
    case .date: "date"
    case .dateTime: "dateTime"
    }
  }
}
