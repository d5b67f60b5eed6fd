public import CEL
internal import Formats
internal import JSON
internal import Texts

/// A planned CEL expression of a form.
@usableFromInline package final class Formula: Sendable {
  /// Its location in the definition.
  package var pointer: String { location.description }
  private let location: JSONPointer
  /// Its name, as formulas would write it: `outputs.total`, `fields.email.visible`, `rules['email.shape'].check`.
  package let name: String
  /// Whether it judges a field's value. If it fails, only the error of its rule or check reports that.
  package let isJudgment: Bool
  /// The program that evaluates the expression.
  @usableFromInline package let program: Program
  /// The slots of the values that it reads.
  package let reads: [Int]
  /// The fields whose values are among them.
  package let readFields: [Int]
  /// The field, if the formula consists only of its name.
  package let namedField: Int?
  /// The slot, if the formula consists only of the name of a part of the context.
  package let namedContext: Int?
  /// Whether the result may be something else than true or false.
  package let isOpen: Bool
  /// Whether it reads the value of a secret field.
  package let readsSecret: Bool

  init(
    pointer: JSONPointer,
    name: FormulaName,
    program: Program,
    reads: [Int],
    readFields: [Int],
    readsSecret: Bool,
    readsContext: Bool
  ) {
    let read = program.dependencies
    let isName = read.count == 1 && read[0].path.isEmpty && program.parsed.root.memberChain != nil
    namedField = isName ? readFields.first : nil
    namedContext = isName && readsContext ? reads.first : nil
    location = pointer
    self.name = name.text
    isJudgment = name.isJudgment
    self.program = program
    isOpen = program.type != .bool
    self.reads = reads
    self.readFields = readFields
    self.readsSecret = readsSecret
  }

  /// The source text of the expression.
  package var source: String { program.parsed.source }
}

/// A text or a formula that makes one.
package enum Message: Sendable {
  /// No message.
  case none
  /// A text.
  case text(LocalizedText)
  /// A formula that makes a text.
  case formula(Formula)
}

/// A text resolved for each of the form's locales.
package struct LocalizedText: Sendable {
  /// Every text that some locale has.
  private(set) var variants: [String]
  /// By the form's locale index: the index in ``variants``. Empty if there is one variant.
  private var variantOfLocale: [Int] = []

  /// The text in that variant for each of the form's locales.
  init(_ text: Text, variantOfLocale: [Int]) {
    variants = text.variants.isEmpty ? [""] : text.variants.map(\.text)
    if variants.count > 1 { self.variantOfLocale = variantOfLocale }
  }

  /// The index in ``variants`` for the locale of that index.
  func variant(of locale: Int) -> Int { variantOfLocale.isEmpty ? 0 : variantOfLocale[locale] }

  /// The text with another text in the place of a name in braces.
  func filled(_ name: String, with other: LocalizedText) -> LocalizedText {
    var filled = self
    filled.variants = []
    filled.variantOfLocale = []
    var known: [[Int]: Int] = [:]
    for locale in 0..<max(variantOfLocale.count, other.variantOfLocale.count, 1) {
      let pair = [variant(of: locale), other.variant(of: locale)]
      if known[pair] == nil {
        known[pair] = filled.variants.count
        filled.variants.append(variants[pair[0]].filled { $0 == name ? other.variants[pair[1]] : nil })
      }
      filled.variantOfLocale.append(known[pair] ?? 0)
    }
    if filled.variants.count == 1 { filled.variantOfLocale = [] }
    return filled
  }

  /// The text for the locale of that index.
  package subscript(locale: Int) -> String { variants[variant(of: locale)] }
}
