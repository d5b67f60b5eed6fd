internal import Formats

extension Library {
  /// Functions for forms that the language lacks: lengths as people count, and one spelling for texts that look the
  /// same. Both are functions and members: `graphemes(self)`, `self.graphemes()`.
  public static let formd = Library(
    name: "formd",
    functions: [
      Function(
        "graphemes(text)",
        .texts,
        "the number of user-perceived characters (grapheme clusters)",
        examples: ["graphemes('👨‍👩‍👧')": "1"],
        overloads: [false, true].map { isMember in
          Overload(
            id: isMember ? "string_graphemes" : "graphemes_string",
            name: "graphemes",
            isMember: isMember,
            parameters: [.string],
            result: .int,
            cost: .linear([0]),
            // Swift's characters are the extended grapheme clusters of UAX #29.
            implementation: .text { .int(Int64(graphemeCount($0))) }
          )
        }
      ),
      Function(
        "nfc(text)",
        .texts,
        "the text in Unicode's normalization form C",
        examples: [#"size(nfc('e\u0301'))"#: "1"],
        overloads: [false, true].map { isMember in
          Overload(
            id: isMember ? "string_nfc" : "nfc_string",
            name: "nfc",
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
      ),
      checkDigits(
        "luhn",
        "whether a text is a number with a right check digit by Luhn's formula, as on payment cards",
        examples: ["luhn('4111 1111 1111 1111')": "true"]
      ) { CheckDigits.isLuhn($0) },
      checkDigits(
        "iban",
        "whether a text has the form of an IBAN, with right check digits; the lengths of countries do not count",
        examples: ["iban('GB82 WEST 1234 5698 7654 32')": "true"]
      ) { CheckDigits.isIBAN($0) },
      checkDigits(
        "isbn",
        "whether a text is an ISBN of 10 or 13 digits, with a right check digit",
        examples: ["isbn('978-0-306-40615-7')": "true"]
      ) { CheckDigits.isISBN($0) },
      checkDigits(
        "ean",
        "whether a text is an EAN, UPC or GTIN of 8, 12, 13 or 14 digits, with a right check digit",
        examples: ["ean('4006381333931')": "true"]
      ) { CheckDigits.isEAN($0) },
    ]
  )

  private static func checkDigits(
    _ name: String,
    _ summary: String,
    examples: KeyValuePairs<String, String>,
    _ test: @escaping @Sendable (String) -> Bool
  ) -> Function {
    Function(
      "\(name)(text)",
      .texts,
      summary,
      examples: examples,
      overloads: [
        Overload(
          id: "\(name)_string",
          name: name,
          parameters: [.string],
          result: .bool,
          cost: .linear([0]),
          implementation: .text { .bool(test($0)) }
        )
      ]
    )
  }
}
