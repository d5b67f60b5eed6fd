package import Client

/// One question: about a field that takes input, or about the rows of a list.
package struct Question: Sendable {
  /// The field's address, with the identities of rows.
  package let address: String
  /// The form's description of the field.
  package let field: FieldDescription
  /// The labels of the enclosing objects and of the field, from the outermost.
  package let labels: [String]
  /// The step that it is in.
  package let step: String?

  /// The kind of input.
  package enum Kind: Sendable {
    /// A text, which Enter ends.
    case line
    /// A text of several lines, which Ctrl-D ends.
    case lines
    /// Yes or no.
    case boolean
    /// One choice of several.
    case choice
    /// Several choices, which are marked.
    case choices
    /// Rows that are inserted, changed and removed.
    case rows
    /// No input: a step that is only read.
    case page
  }

  /// The kind of input.
  package var kind: Kind {
    if isPage { return .page }
    if let items = field.items { return field.isMultipleChoice && !items.isSecret ? .choices : .rows }
    if field.isSecret { return .line }
    // A consent has one choice, and the answer to it is yes or no.
    if field.type == .boolean, field.options.count < 2, !field.hasLiveOptions { return .boolean }
    if field.hasLiveOptions || !field.options.isEmpty { return .choice }
    switch field.type {
    case .boolean: return .boolean
    case .string where field.widget == "textarea" || field.widget == "multiline": return .lines
    case .string, .integer, .number, .object, .array, .any: return .line
    }
  }

  /// Whether it is answered with choices.
  var hasChoices: Bool { kind == .choice || kind == .choices }

  /// Whether it is a step that is only read.
  private var isPage = false

  init(address: String, field: FieldDescription, labels: [String], step: String?) {
    self.address = address
    self.field = field
    self.labels = labels
    self.step = step
  }

  /// The page of a step without questions.
  init(page step: StepDescription) {
    // No field has this address: it has the form of a row's identity.
    self.init(address: "#" + step.id, field: FieldDescription(), labels: [step.label ?? step.id], step: step.id)
    isPage = true
  }

  /// The label of the question.
  package var label: String { labels.joined(separator: " › ") }
}

/// The questions of a form, in order.
package struct QuestionList: Sendable {
  private let description: FormDescription
  /// The addresses to ask for, with `*` for rows; nil: all.
  private let only: [[String]]?

  /// The questions of a form.
  ///
  /// - Parameter only: the addresses of the fields to ask for, with their inner fields; nil: all.
  package init(_ description: FormDescription, only: [String]? = nil) {
    self.description = description
    self.only = only?.map { JSONPointer(address: $0)?.tokens ?? [] }
  }

  /// The names that lead to no field outside of rows.
  package static func unknown(_ names: [String], in description: FormDescription) -> [String] {
    names.filter { name in
      guard let tokens = JSONPointer(address: name)?.tokens, let first = tokens.first else { return true }
      var found = description.fields.first { $0.name == first }
      for token in tokens.dropFirst() { found = found?.fields.first { $0.name == token } }
      return found == nil
    }
  }

  /// The current questions outside of rows: fields that are visible, enabled and not computed. Fields without a step
  /// come first, then the steps in order. Within each, fields are in the order of the form. A step without questions is
  /// a page if it has something to read: it has no fields, or fields that are shown and not asked.
  package func questions(_ document: FormDocument) -> [Question] {
    var all: [Question] = []
    for field in description.fields { collect(field, [field.name], [], document, &all) }
    let ranks = Dictionary(uniqueKeysWithValues: description.steps.enumerated().map { ($1.id, $0 + 1) })
    let ranked = all.map { (rank: $0.step.flatMap { ranks[$0] } ?? 0, question: $0) }
    return (0...description.steps.count).flatMap { rank in
      let questions = ranked.filter { $0.rank == rank }.map(\.question)
      guard questions.isEmpty, rank > 0 else { return questions }
      return page(description.steps[rank - 1], document).map { [$0] } ?? []
    }
  }

  /// The questions of a row.
  ///
  /// - Parameters:
  ///   - row: its address, by identity.
  ///   - list: the question about the row's list.
  package func questions(ofRow row: String, in list: Question, _ document: FormDocument) -> [Question] {
    guard let items = list.field.items, let path = JSONPointer(address: row)?.tokens else { return [] }
    var all: [Question] = []
    let position = document.rows(list.address).firstIndex { $0.address == row }
    var labels = list.labels
    if let position { labels[labels.count - 1] += " \(position + 1)" }
    collect(items, path, labels, document, &all)
    return all
  }

  private func page(_ step: StepDescription, _ document: FormDocument) -> Question? {
    guard only == nil, document.step(step.id)?.isVisible ?? true else { return nil }
    var hasText = step.fields.isEmpty
    forEachShown(document) { if $0.step == step.id { hasText = true } }
    return hasText ? Question(page: step) : nil
  }

  /// Calls with the visible fields outside of rows that are not asked: a formula computes them, or they are disabled.
  func forEachShown(_ document: FormDocument, _ body: (Question) -> Void) {
    func visit(_ field: FieldDescription, _ path: [String], _ labels: [String]) {
      let address = JSONPointer(tokens: path).address
      guard let state = document.field(address), state.isVisible else { return }
      let labels = labels + [field.label ?? field.name]
      if field.fields.isEmpty, field.isComputed || !state.isEnabled, !field.isSecret {
        body(Question(address: address, field: field, labels: labels, step: step(of: path)))
      }
      for inner in field.fields { visit(inner, path + [inner.name], labels) }
    }
    for field in description.fields { visit(field, [field.name], []) }
  }

  private func collect(
    _ field: FieldDescription,
    _ path: [String],
    _ labels: [String],
    _ document: FormDocument,
    _ all: inout [Question]
  ) {
    let address = JSONPointer(tokens: path).address
    guard let state = document.field(address), state.isVisible, state.isEnabled, !field.isComputed else { return }
    let labels = field.name == "*" ? labels : labels + [field.label ?? field.name]
    guard field.fields.isEmpty else {
      for inner in field.fields { collect(inner, path + [inner.name], labels, document, &all) }
      return
    }
    let template = JSONPointer(address: field.address)?.tokens ?? []
    if let only, !only.contains(where: { template.starts(with: $0) }) { return }
    all.append(Question(address: address, field: field, labels: labels, step: step(of: template)))
  }

  /// The step that names the field, or an enclosing object.
  private func step(of path: [String]) -> String? {
    var step: (id: String, depth: Int)?
    for candidate in description.steps {
      for field in candidate.fields {
        let tokens = JSONPointer(address: field)?.tokens ?? []
        if path.starts(with: tokens), tokens.count > step?.depth ?? 0 { step = (candidate.id, tokens.count) }
      }
    }
    return step?.id
  }
}
