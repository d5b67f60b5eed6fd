internal import Formats

extension Library {
  /// Functions for forms that the language lacks: lengths as people count, and one spelling for texts that look the
  /// same. Both are functions and members: `graphemes(self)`, `self.graphemes()`.
  public static let formd = Library(
    name: "formd",
    overloads: [("graphemes", false), ("graphemes", true)].map { name, isMember in
      Overload(
        id: isMember ? "string_graphemes" : "graphemes_string",
        name: name,
        isMember: isMember,
        parameters: [.string],
        result: .int,
        cost: .linear([0]),
        // Swift's characters are the extended grapheme clusters of UAX #29.
        implementation: .text { .int(Int64(graphemeCount($0))) }
      )
    }
      + [("nfc", false), ("nfc", true)].map { name, isMember in
        Overload(
          id: isMember ? "string_nfc" : "nfc_string",
          name: name,
          isMember: isMember,
          parameters: [.string],
          // No text has more code points composed than it had before times three (UAX #15, section 12.1).
          result: .string,
          cost: .linear([0]),
          resultSize: .sum([0, 0, 0]),
          implementation: .text { text in
            if text.utf8.count > Formats.composedBytesMax { return ResultLimits.textTooLarge }
            let composed = Formats.nfc(text)
            return composed.utf8.count <= ResultLimits.bytesMax ? .string(composed) : ResultLimits.textTooLarge
          }
        )
      }
      + [
        checkDigits("luhn") { CheckDigits.isLuhn($0) }, checkDigits("iban") { CheckDigits.isIBAN($0) },
        checkDigits("isbn") { CheckDigits.isISBN($0) }, checkDigits("ean") { CheckDigits.isEAN($0) },
      ]
  )

  private static func checkDigits(_ name: String, _ test: @escaping @Sendable (String) -> Bool) -> Overload {
    Overload(
      id: "\(name)_string",
      name: name,
      parameters: [.string],
      result: .bool,
      cost: .linear([0]),
      implementation: .text { .bool(test($0)) }
    )
  }
}
