package import Budgets
package import CEL
internal import Formats

/// A planned CEL expression of a form.
package final class Formula: Sendable {
  /// Its location in the definition.
  package let pointer: String
  /// Its name, as formulas would write it: `outputs.total`, `fields.email.visible`, `rules['email.shape'].check`.
  package let cell: String
  /// Whether it judges a field's value. If it fails, only the error of its rule or check reports that.
  package let isJudgment: Bool
  /// The program that evaluates the expression.
  package let program: Program
  /// The addresses of the cells that it reads.
  package let reads: [Int]
  /// The fields whose values are among them.
  package let readFields: [Int]
  /// The field, if the formula consists only of its name.
  package let namedField: Int?
  /// The slot, if the formula consists only of the name of a part of the context.
  package let namedContext: Int?
  /// Whether it reads the value of a secret field.
  package let readsSecret: Bool

  init(
    pointer: String,
    name: CellName,
    program: Program,
    reads: [Int],
    readFields: [Int],
    readsSecret: Bool,
    readsContext: Bool
  ) {
    let read = program.dependencies
    let isName = program.parsed.root.memberChain != nil && read.count == 1 && read[0].path.isEmpty
    namedField = isName ? readFields.first : nil
    namedContext = isName && readsContext ? reads.first : nil
    self.pointer = pointer
    cell = name.text
    isJudgment = name.isJudgment
    self.program = program
    self.reads = reads
    self.readFields = readFields
    self.readsSecret = readsSecret
  }

  /// The source text of the expression.
  package var source: String { program.parsed.source }

  /// The result over those cells; a failure is a value. `budget` is what the turn may still spend.
  @inlinable @inline(__always)
  package func evaluate(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> Value {
    program.evaluate(slots, budget: &budget)
  }

  /// The address of the result, if the result is in memory already: it is a constant text, or the text of one of those
  /// cells.
  @inlinable @inline(__always)
  package func storage(_ slots: UnsafeBufferPointer<Value>, budget: inout WorkBudget) -> UnsafePointer<Value>? {
    program.storage(slots, budget: &budget)
  }

  /// Evaluates it as a condition.
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
  /// By the form's locale index: the index in ``variants``.
  let variantOfLocale: [Int]

  /// The text for each of those locales.
  package init(_ text: Text, locales: [String], default defaultLocale: String?) {
    (variants, variantOfLocale) = text.resolved(for: locales, default: defaultLocale)
  }

  /// The text for the locale of that index.
  package subscript(locale: Int) -> String { variants[variantOfLocale[locale]] }
}
