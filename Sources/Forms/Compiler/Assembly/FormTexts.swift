internal import CEL
internal import JSON
internal import Texts

/// The texts that formulas name: `text('greeting', {'name': values.name})`.
struct FormTexts: Sendable {
  private let texts: [(name: String, text: Text)]
  /// The form's own locale.
  let defaultLocale: String?
  private let tables: [UTF8Key: TextTable]
  /// In the order written.
  let names: [String]

  /// The function's name in formulas.
  static let name = "text"
  /// Of the function without and with values for the placeholders.
  fileprivate static let overloadIDs = ["form_text", "form_text_params"]
  /// The assumed size of a text with its placeholders filled.
  private static let sizeMax = 4096

  init(_ texts: [(name: String, text: Text)], default defaultLocale: String?) {
    self.texts = texts
    self.defaultLocale = defaultLocale
    names = texts.map(\.name)
    tables = Dictionary(
      texts.map { (UTF8Key(text: $0.name), TextTable($0.text, default: defaultLocale)) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The function for formulas. The parser supplies the session's locale as its last argument, so its result is
  /// computed again when the locale changes.
  var function: Function {
    Function(
      "text(name, params)",
      .texts,
      "the text of that name in \"texts\", in the session's language, with its placeholders filled",
      examples: ["text('left', {'count': 2})": #""2 are left.""#],
      overloads: [
        Overload(
          id: Self.overloadIDs[0],
          name: Self.name,
          parameters: [.string, .string],
          result: .string,
          resultSize: .atMost(Self.sizeMax),
          implementation: .binary { name, locale in text(name, [:], locale) }
        ),
        Overload(
          id: Self.overloadIDs[1],
          name: Self.name,
          parameters: [.string, .map(.string, .dyn), .string],
          result: .string,
          cost: .linear([1]),
          resultSize: .atMost(Self.sizeMax),
          implementation: .ternary { name, parameters, locale in text(name, parameters.json?.objectValue, locale) }
        ),
      ]
    )
  }

  private func text(_ name: Value, _ parameters: JSONObject?, _ locale: Value) -> Value {
    guard case .string(let name) = name, case .string(let locale) = locale, let parameters else {
      return .error(.noSuchOverload)
    }
    // An absent name reads as an empty name.
    if name.isEmpty { return .null }
    guard let table = tables[UTF8Key(text: name)] else {
      return .failure(.invalidArgument, "there is no text of that name")
    }
    let text = table.texts[table.index(for: locale)]
    // An absent parameter reads as an empty text.
    let present = JSONObject(
      uncheckedMembers: parameters.map { .init(name: $0.name, value: $0.value == .null ? "" : $0.value) }
    )
    return .string(fillPlaceholders(text, from: present))
  }

  /// The names in braces of a text, in any of its languages; nil if no text has that name.
  func placeholders(of name: String) -> [String]? {
    tables[UTF8Key(text: name)].map { $0.texts.flatMap(FormCompiler.placeholders(in:)) }
  }
}

extension FormTexts: Equatable {
  /// Whether both have the same texts in every locale.
  static func == (left: FormTexts, right: FormTexts) -> Bool {
    left.defaultLocale.map { UTF8Key(text: $0) } == right.defaultLocale.map { UTF8Key(text: $0) }
      && left.texts.elementsEqual(right.texts) { $0.name.hasSameUTF8(as: $1.name) && $0.text == $1.text }
  }
}

extension CheckedExpression {
  /// Whether a formula calls for one of the form's texts.
  var callsForText: Bool { calls(anyOf: FormTexts.overloadIDs) }
}
