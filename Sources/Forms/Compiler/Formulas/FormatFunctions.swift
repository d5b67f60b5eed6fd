internal import CEL
internal import LocaleFormats

/// The functions that write numbers, amounts and dates as the session's user does. The parser supplies the session's
/// locale as the last argument, so a result is computed again when the locale changes.
struct FormatFunctions {
  /// The form's own locale. It counts if the session's language is unknown.
  let defaultLocale: String?

  /// A number may have this many digits behind the decimal separator.
  private static let digitsMax: Int64 = 20
  /// The assumed size of a result.
  private static let sizeMax = 100

  var functions: [Function] {
    let numbers = [("double", CELType.double), ("int", .int)]
    return [
      Function(
        "formatNumber(number, digits)",
        .texts,
        "the number as the session's language writes it, with so many decimal places, halves away from zero",
        examples: [
          "formatNumber(1234.5, 2)": #""1,234.50""#,
          "formatNumber(1234.5)": #""1,234.5""#,
        ],
        overloads: numbers.flatMap { name, type in
          [
            overload("formatNumber_\(name)", "formatNumber", [type]) { arguments, conventions in
              DecimalText(arguments[0]).map { .string(conventions.number($0)) } ?? .error(.noSuchOverload)
            },
            overload("formatNumber_\(name)_int", "formatNumber", [type, .int]) { arguments, conventions in
              guard let number = DecimalText(arguments[0]), case .int(let digits) = arguments[1] else {
                return .error(.noSuchOverload)
              }
              guard (0...Self.digitsMax).contains(digits) else {
                return .failure(.invalidArgument, "a number can have 0 to \(Self.digitsMax) decimal places")
              }
              return .string(conventions.number(number, fractionDigits: Int(digits)))
            },
          ]
        }
      ),
      Function(
        "formatCurrency(number, code)",
        .texts,
        "the amount with the sign and the decimal places of its currency, as the session's language writes it",
        examples: ["formatCurrency(1234.5, 'EUR')": #""€1,234.50""#],
        overloads: numbers.map { name, type in
          overload("formatCurrency_\(name)_string", "formatCurrency", [type, .string]) { arguments, conventions in
            guard let number = DecimalText(arguments[0]), case .string(let code) = arguments[1] else {
              return .error(.noSuchOverload)
            }
            // An absent code reads as an empty text.
            if code.isEmpty { return .null }
            guard Currency.isCode(code) else {
              return .failure(.invalidArgument, "there is no currency with that code of ISO 4217")
            }
            return .string(conventions.amount(number, code: code))
          }
        }
      ),
      Function(
        "formatDate(text)",
        .texts,
        "the date, or the date and local time, as the session's language writes it; absent if the text is neither",
        examples: [
          "formatDate('2026-04-05')": #""4/5/2026""#,
          "formatDate('2026-04-05T14:30')": #""4/5/2026, 2:30 PM""#,
        ],
        overloads: [
          overload("formatDate_string", "formatDate", [.string]) { arguments, conventions in
            guard case .string(let text) = arguments[0] else { return .error(.noSuchOverload) }
            return conventions.write(iso: text).map { .string($0) } ?? .null
          }
        ]
      ),
    ]
  }

  private func overload(
    _ id: String,
    _ name: String,
    _ parameters: [CELType],
    _ body: @escaping @Sendable (_ arguments: [Value], LocaleConventions) -> Value
  ) -> Overload {
    let defaultLocale = defaultLocale
    return Overload(
      id: id,
      name: name,
      parameters: parameters + [.string],
      result: name == "formatNumber" ? .string : .wrapper(.string),
      resultSize: .atMost(Self.sizeMax),
      implementation: .variadic { arguments in
        guard arguments.count == parameters.count + 1, case .string(let locale)? = arguments.last else {
          return .error(.noSuchOverload)
        }
        return body(arguments, .first(of: locale, defaultLocale))
      }
    )
  }
}

extension DecimalText {
  /// A number of formulas; nil if it is not one, or not finite.
  fileprivate init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .double(let number): self.init(number)
    default: return nil
    }
  }
}
