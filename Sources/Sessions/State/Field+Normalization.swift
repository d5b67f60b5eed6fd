package import Budgets
internal import Formats
internal import Forms
package import JSON
internal import LocaleFormats
internal import Texts

extension Instance {
  /// The value as the field keeps it. It is nil when the value is empty and so absent. The cost of the steps of a text
  /// is charged to the budget. If it is more than the rest of the budget, the text is only trimmed.
  @inline(__always)
  package func normalized(_ value: consuming JSON?, for field: Int, budget: inout WorkBudget) -> JSON? {
    // Most texts are plain and stay unchanged. Reading their bytes is cheaper than the steps.
    if tables.pointee.fields[field].keepsPlainText, isPlainText(value) { return value }
    return form.fields[field].normalized(value, session.conventions, budget: &budget)
  }

  @inline(__always)
  private func isPlainText(_ value: borrowing JSON?) -> Bool {
    switch value {
    case .string(let text)?: text.isPlainASCII
    default: false
    }
  }
}

extension Field {
  /// The value after the steps of `normalize`. If the field reads texts, the text is also read as the schema's type. It
  /// is nil when the value is empty and so absent.
  ///
  /// - Parameter conventions: how the user writes numbers and dates.
  func normalized(
    _ value: JSON?,
    _ conventions: @autoclosure () -> LocaleConventions,
    budget: inout WorkBudget
  ) -> JSON? {
    switch value {
    case nil: return nil
    case .null?: return admitsNull ? .null : nil
    case .string(let text)?:
      let steps = affordableSteps(text, &budget)
      let bytesMax = text.utf8.count * growthMax
      let result = steps.isEmpty ? text : steps.reduce(text) { step($1, of: $0, bytesMax: bytesMax, &budget) }
      if let read { return self.read(result, by: read, conventions()) }
      if coerces { return coerced(result) }
      return result.isEmpty && !keepsEmpty ? nil : .string(result)
    case let other?: return other
    }
  }

  /// The steps that the text goes through. All steps except `trim` read each code point, and cannot be interrupted. So
  /// their cost is charged first, and they are left out if the text is too long in any case.
  private func affordableSteps(_ text: String, _ budget: inout WorkBudget) -> [Normalization] {
    if normalize.isEmpty || normalize == [.trim] { return normalize }
    let bytes = text.utf8.count
    if bytes <= Formats.composedBytesMax, budget.spend(text.isASCII ? bytes : 4 * bytes) {
      return normalize
    }
    return normalize.contains(.trim) ? [.trim] : []
  }

  /// Whether the steps may make a text longer.
  func mayLengthen(_ value: JSON?) -> Bool {
    if readsDates, case .string? = value { return true }
    guard case .string(let text)? = value, text.utf8.count <= Formats.composedBytesMax else { return false }
    let isASCII = text.isASCII
    return normalize.contains { step in
      if isASCII, case .replace = step { return step.mayLengthen }
      return !isASCII && step.mayLengthen
    }
  }

  /// Whether it reads dates: `1.2.26` becomes a longer text.
  var readsDates: Bool { read.map { !$0.kind.isNumber } ?? false }

  /// A text after a step. The step is left out if it would take too long, or make the text longer than `bytesMax`.
  private func step(_ step: Normalization, of text: String, bytesMax: Int, _ budget: inout WorkBudget) -> String {
    if step.composes, text.utf8.count > (step == .nfc ? composedBytesMax : Formats.composedBytesMax) { return text }
    let result = step.applied(to: text, budget: &budget)
    return result.utf8.count <= bytesMax ? result : text
  }
}
