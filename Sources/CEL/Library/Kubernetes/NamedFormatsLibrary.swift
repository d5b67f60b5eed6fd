extension Library {
  /// `format.named('dns1123Label')`, `format.dns1123Label()` and `validate`, which gives what is wrong with a text.
  static let namedFormats = Library(
    name: "kubernetes.format",
    overloads: NamedFormat.allCases.map { format in
      Overload(
        id: "format_\(format.rawValue)",
        name: "format.\(format.rawValue)",
        parameters: [],
        result: .namedFormat,
        implementation: .nullary { .abstract(format) }
      )
    } + [
      Overload(
        id: "format_named",
        name: "format.named",
        parameters: [.string],
        result: .optional(.namedFormat),
        implementation: .text { name in .optional(NamedFormat(rawValue: name).map { .abstract($0) }) }
      ),
      Overload(
        id: "format_validate",
        name: "validate",
        isMember: true,
        parameters: [.namedFormat, .string],
        result: .optional(.list(.string)),
        cost: .linear([1]),
        resultSize: .limit,
        implementation: .ofText(NamedFormat.self) { format, text in
          let faults = format.faults(of: text)
          return .optional(faults.isEmpty ? nil : .list(faults.map { .string($0) }))
        }
      ),
    ],
    types: [NamedFormat.type.name: .namedFormat]
  )
}
