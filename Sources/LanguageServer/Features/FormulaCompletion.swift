internal import CEL
internal import Forms
internal import JSON
internal import SourceTexts

/// Completion at a caret in a formula of a definition.
struct FormulaCompletion {
  private let form: FormText
  /// The form whose names are proposed.
  private let usable: UsableForm?
  private let text: QuotedText
  private let scope: FormulaScope
  /// The formula up to the caret.
  private let before: [UInt8]
  private let name: FormulaCaret
  private let cells: [NamedFormulaCell]
  /// The types around the caret, if they are known.
  private let types: TypedCaret?

  /// - Parameters:
  ///   - formula: the text around the caret.
  ///   - tokens: the formula's location in the definition.
  /// - Returns: nil if no name can be written at the caret.
  init?(of form: FormText, in formula: ScannedNode, tokens: [String], at offset: Int) {
    text = QuotedText(formula, in: form.scanned)
    guard offset >= text.range.lowerBound, offset <= text.range.upperBound else { return nil }
    before = text.content(before: offset)
    scope = FormulaScope(at: tokens, in: form.scanned)
    self.form = form
    guard let name = FormulaCaret(before) ?? FormulaCaret(textIn: before) else { return nil }
    self.name = name
    usable = form.usable(whileTypingAt: tokens)
    cells = name.isLiteral ? [] : scope.cells(in: usable)
    let start = name.isMember || name.isOptional ? name.start : name.start + name.head.utf8.count
    let rest = text.content[before.count...]
    let suffix = rest.dropFirst(name.restOfWord(in: rest))
    // A name in quotes, such as the address behind `fields[`, has no type of its own.
    types =
      name.quote != nil && !name.isLiteral
      ? nil : TypedCaret(before[..<start], suffix, in: usable, at: scope.place, result: Self.result(at: tokens))
  }

  /// The type that a formula must have at its location; nil for any.
  private static func result(at tokens: [String]) -> CELType? {
    switch tokens.last {
    case "visible", "enabled", "required", "check", "when": .bool
    default: nil
    }
  }

  var suggestions: [Suggestion] {
    if name.isLiteral { return choices }
    if name.isText { return texts }
    let named = name.isMember || name.isOptional ? [] : namedCells
    let found = named.isEmpty ? members : named
    // Only members can follow `.?`.
    let all = choices + (name.isOptional && name.head.isEmpty ? found : found + functions)
    let fitting = all.filter(\.fits)
    // Values are read more often than properties.
    func isValue(_ suggestion: Suggestion) -> Bool {
      suggestion.kind != .variable || ["values", "row", "above", "self"].contains { suggestion.label.hasPrefix($0) }
    }
    return fitting.filter { $0.kind == .value } + fitting.filter { $0.kind != .value && isValue($0) }
      + fitting.filter { !isValue($0) } + all.filter { !$0.fits }
  }

  /// Whether a value of that type is expected at the caret.
  private func fits(_ type: String) -> Bool {
    types?.expected.map { $0.baseName == type.prefix { $0 != "(" && $0 != "?" } } ?? false
  }

  /// The texts that the value on the other side of a comparison can be.
  private var choices: [Suggestion] {
    guard !name.isMember, !name.isOptional, name.head.isEmpty, let chain = types?.compared,
      let choices = usable?.formulaTypes.choices(of: chain, at: scope.place)
    else { return [] }
    return choices.filter { $0.hasLetters(of: name.name) }.map { choice in
      var suggestion = suggestion(
        choice,
        kind: .value,
        detail: ResponseKind(rawValue: choice).flatMap { chain == ["response", "kind"] ? $0.meaning : nil },
        from: name.start,
        text: name.quote.map { choice + String($0) } ?? "'\(choice)'"
      )
      suggestion.fits = true
      return suggestion
    }
  }

  /// The bytes behind the caret.
  private var after: ArraySlice<UInt8> { text.content[before.count...] }

  // MARK: Names

  private var namedCells: [Suggestion] {
    cells.filter { $0.name.utf8.starts(with: name.head.utf8) && $0.name.hasLetters(of: name.name) }.map { cell in
      var suggestion = suggestion(
        cell.name,
        kind: .variable,
        detail: cell.type,
        documentation: cell.meaning,
        from: name.start,
        text: cell.name
      )
      suggestion.fits = fits(cell.type)
      return suggestion
    }
  }

  /// The members of the value before the last dot or bracket, if it is not named as a cell: members of a row, an
  /// element or an optional.
  private var members: [Suggestion] {
    let head = name.head
    guard name.isMember || name.isOptional || !head.isEmpty, let form = usable?.form else { return [] }
    let start = name.start + head.utf8.count
    let written = String(decoding: before[start...], as: UTF8.self)
    return FormulaNames.holders(atEndOf: before[..<start], scope).flatMap { path -> [Suggestion] in
      let holder = form.resolve(path)
      guard holder.rest.isEmpty, holder.field.map({ form.fields[$0].element == nil }) ?? true else { return [] }
      return form.children(of: holder.field).map { form.fields[$0] }.filter { field in
        field.name.hasLetters(of: written) && (name.quote != nil || Printer.isIdentifier(field.name))
      }.map { field in
        suggestion(
          field.name,
          kind: .field,
          detail: field.label?.resolved(for: "", default: nil),
          from: start,
          text: field.name + (name.quote.map { "\($0)]" } ?? "")
        )
      }
    }
  }

  /// The texts that formulas can look up by name.
  private var texts: [Suggestion] {
    let names = form.scanned.root.child("texts")?.children.compactMap(\.key) ?? []
    let quote = name.quote.map { String($0) } ?? ""
    return names.filter { $0.hasLetters(of: name.name) }.map {
      suggestion($0, kind: .value, detail: "text", from: name.start, text: $0 + quote)
    }
  }

  private func suggestion(
    _ label: String,
    kind: CompletionItem.Kind,
    detail: String?,
    documentation: String? = nil,
    from start: Int,
    text written: String
  ) -> Suggestion {
    let end = before.count + name.rest(in: after, for: Array(written.utf8))
    return Suggestion(
      label: label,
      kind: kind,
      detail: detail,
      documentation: documentation,
      range: text.range(of: start..<end),
      text: text.spelled(written)
    )
  }

  // MARK: Functions

  /// Functions; behind a dot only the functions of that type of value.
  private var functions: [Suggestion] {
    let head = name.head
    // Within quotes there are names only.
    guard name.quote == nil else { return [] }
    var found: [Suggestion] = []
    if !name.isMember, !name.isOptional {
      found += (FormulaFunction.all + form.functions).filter { function in
        function.isGlobal && function.name.hasPrefix(head) && function.name.hasLetters(of: name.name)
      }.map { suggestion($0, from: name.start, isMember: false) }
    }
    let holder = name.isOptional ? nil : cells.first { $0.name == String(head.dropLast()) }
    // A prefix that only leads to names, such as `values`, has no functions.
    if name.isMember || holder != nil || !head.isEmpty && !cells.contains(where: { $0.name.hasPrefix(head) }) {
      let written = name.isMember ? name.name : String(name.name.dropFirst(head.count))
      found += FormulaFunction.all.filter { function in
        function.isMember(ofType: holder?.type ?? types?.receiver?.shown) && function.name.hasLetters(of: written)
      }.map { suggestion($0, from: before.count - written.utf8.count, isMember: true) }
    }
    return found
  }

  private func suggestion(_ function: FormulaFunction, from start: Int, isMember: Bool) -> Suggestion {
    let rest = name.rest(in: after, for: [])
    let isCalled = after.dropFirst(rest).first == UInt8(ascii: "(")
    let fits = types?.expected.map { function.mayGive($0.baseName) } ?? false
    return Suggestion(
      label: function.name,
      kind: isMember ? .method : .function,
      detail: function.signatures.first,
      documentation: function.documentation,
      range: text.range(of: start..<before.count + rest),
      text: isCalled ? function.name : "\(function.name)(\(Suggestion.caret))",
      fits: fits
    )
  }
}
