package import CEL
package import TextFormats

/// A planned CEL expression of a form.
package final class Formula: Sendable {
  /// Where it stands in the definition.
  package let pointer: String
  /// What it is called, as formulas would name it: `outputs.total`, `fields.email.visible`, `rules['email.shape'].check`.
  package let cell: String
  /// Whether it judges a field's value: what goes wrong with it stands there as the error of its rule or check, and nowhere else.
  package let isJudgment: Bool
  /// What evaluates the expression.
  package let program: Program
  /// The addresses of the cells that it reads.
  package let reads: [Int]
  /// The fields whose values are among them.
  package let readFields: [Int]
  /// The field whose name is all that the formula is.
  package let namedField: Int?
  /// Whether one of them is the value of a secret field.
  package let readsSecret: Bool

  init(
    pointer: String,
    name: CellName,
    program: Program,
    reads: [Int],
    readFields: [Int],
    readsSecret: Bool
  ) {
    let read = program.dependencies
    let isName = program.parsed.root.memberChain != nil && read.count == 1 && read[0].path.isEmpty
    namedField = isName ? readFields.first : nil
    self.pointer = pointer
    cell = name.text
    isJudgment = name.isJudgment
    self.program = program
    self.reads = reads
    self.readFields = readFields
    self.readsSecret = readsSecret
  }

  /// The expression as it is written.
  package var source: String { program.parsed.source }

  /// The result over those cells; a failure is a value. `budget` is what the turn may still spend.
  @inlinable @inline(__always)
  package func evaluate(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> Value {
    program.evaluate(slots, budget: &budget)
  }

  /// Where the result lies, if it lies in memory already: it is a text that is a constant, or the text of one of those cells.
  @inlinable @inline(__always)
  package func place(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> UnsafePointer<Value>? {
    program.place(slots, budget: &budget)
  }

  /// The same as a condition.
  @inlinable @inline(__always)
  package func condition(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> Condition {
    program.condition(slots, budget: &budget)
  }
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
  let variants: [String]
  /// By the form's locale index: which of ``variants``.
  let variantOfLocale: [Int]

  /// The text for each of those locales.
  package init(_ text: Text, locales: [String], default defaultLocale: String?) {
    (variants, variantOfLocale) = text.resolved(for: locales, default: defaultLocale)
  }

  /// The text for the locale of that index.
  package subscript(locale: Int) -> String { variants[variantOfLocale[locale]] }
}
