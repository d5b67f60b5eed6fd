public import JSON
internal import Texts

/// A text for people as a definition gives it: one for all, or one per locale.
public struct Text: Sendable, Hashable {
  /// Locale and text, in the order written; the locale of a text for all is empty.
  public var variants: [(locale: String, text: String)]

  /// One text for all locales.
  public init(_ text: String) {
    variants = [("", text)]
  }

  /// A text per locale, in order of preference if none fits.
  public init(variants: [(locale: String, text: String)]) {
    self.variants = variants
  }

  /// The text for a locale: the closest of its language, then the form's default, then the first.
  public func resolved(for locale: String, default defaultLocale: String?) -> String {
    guard variants.count > 1 else { return variants.first?.text ?? "" }
    if locale.isEmpty, defaultLocale == nil { return variants[0].text }
    if let variant = variants.first(where: { $0.locale.hasSameUTF8(as: locale) }) { return variant.text }
    let table = TextTable(self, default: defaultLocale)
    return table.texts[table.index(for: locale)]
  }

  public static func == (left: Text, right: Text) -> Bool {
    left.variants.elementsEqual(right.variants) {
      $0.locale.hasSameUTF8(as: $1.locale) && $0.text.hasSameUTF8(as: $1.text)
    }
  }

  public func hash(into hasher: inout Hasher) {
    for variant in variants { hasher.combine(variant.text) }
  }
}

/// The variants of a text, to be looked up by locale.
struct TextTable: Sendable {
  /// Never empty.
  let texts: [String]
  private let locales: LocaleTable
  private var fallback = 0

  init(_ text: Text, default defaultLocale: String?) {
    texts = text.variants.isEmpty ? [""] : text.variants.map(\.text)
    locales = LocaleTable(text.variants.map(\.locale))
    fallback = defaultLocale.flatMap(locales.position) ?? 0
  }

  /// The index of a locale's text: the closest of its language, then the form's default, then the first.
  func index(for locale: String) -> Int { locales.position(for: locale) ?? fallback }
}

/// Puts an error's parameters into a text: `{limit}` becomes the parameter of that name; a name that is not a parameter
/// remains unchanged.
public func fillPlaceholders(_ template: String, from parameters: JSONObject) -> String {
  template.filled { name in parameters[name].map { $0.stringValue ?? $0.description } }
}
