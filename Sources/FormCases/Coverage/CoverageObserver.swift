internal import Client
internal import Forms
internal import JSON
package import Sessions

/// Records what the cases of one form reach: the outcomes that answers took, and the document after each turn.
package final class CoverageObserver {
  /// A part of a form that a case can reach.
  package enum Reached: Hashable, Sendable {
    /// A rule has failed.
    case ruleFailed(String)
    /// A formula of a field, a step or an action gave that result; by its name.
    case condition(String, Bool)
    /// A formula gave a value; by its name.
    case value(String)
    /// A lookup found something, or failed.
    case lookupFound(String)
    case lookupFailed(String)
    /// A run of an action succeeded or failed. An action without outcomes of its own is checked by this.
    case actionDone(String)
  }

  /// The outcomes that answers took.
  package var outcomes: Set<OutcomeTaken> = []
  private(set) var reached: Set<Reached> = []

  /// An observer without records.
  package init() {}

  /// Records the state of a session after a turn.
  func observe(_ state: CaseSession) {
    let form = state.form
    let document = FormDocument(state.document)
    let codes = Set(document.allErrors.map(\.code))
    for rule in form.rules where codes.contains(rule.id) { reached.insert(.ruleFailed(rule.id)) }
    for field in form.fields {
      for address in Self.addresses(of: field.path, in: document) {
        if let shown = document.field(address) { observe(field, shown) }
      }
    }
    for step in form.steps {
      if let formula = step.visible, let shown = document.step(step.id) {
        reached.insert(.condition(formula.name, shown.isVisible))
      }
    }
    for lookup in form.lookups {
      for address in Self.addresses(of: JSONPointer(address: lookup.address)?.tokens ?? [], in: document) {
        let shown = document.lookup(at: address)
        if shown?.value != nil { reached.insert(.lookupFound(lookup.address)) }
        if shown?.error != nil { reached.insert(.lookupFailed(lookup.address)) }
      }
    }
    for action in form.actions {
      guard let shown = document.action(action.name) else { continue }
      if let formula = action.enabled, !action.isEnabledByDefault {
        reached.insert(.condition(formula.name, shown.isEnabled))
      }
    }
    for event in state.events where event.kind == .succeeded || event.kind == .failed {
      reached.insert(.actionDone(event.action))
    }
    for output in form.outputs where hasValue(output, document) { reached.insert(.value(output.formula.name)) }
  }

  private func observe(_ field: Field, _ shown: FormDocument.Field) {
    let conditions = [
      (field.visible, shown.isVisible), (field.enabled, shown.isEnabled), (field.required, shown.isRequired),
    ]
    for (formula, holds) in conditions { if let formula { reached.insert(.condition(formula.name, holds)) } }
    if let formula = field.valueFormula, !shown.isEmpty { reached.insert(.value(formula.name)) }
  }

  private func hasValue(_ output: Output, _ document: FormDocument) -> Bool {
    let path = output.template == 0 ? [output.name] : JSONPointer(address: output.address)?.tokens ?? []
    return Self.addresses(of: path, in: document).contains { document.output($0) != nil }
  }

  /// The addresses in a document for an address of the definition: a `*` is each row.
  private static func addresses(of path: [String], in document: FormDocument) -> [String] {
    var found: [[String]] = [[]]
    for token in path {
      guard token == "*" else {
        found = found.map { $0 + [token] }
        continue
      }
      found = found.flatMap { list in
        document.rows(JSONPointer(tokens: list).address).map { list + ["#" + $0.identity] }
      }
    }
    return found.map { JSONPointer(tokens: $0).address }
  }
}
