internal import Client

extension Interview {
  /// At most this many choices are drawn at once, around the marked choice.
  private static let choicesMax = 10
  private static let spinner: [Character] = ["|", "/", "-", "\\"]

  /// The view to draw.
  package var view: View {
    var view = View()
    view.number = number
    switch phase {
    case .asking(let question, let answer): draw(question, answer, &view)
    case .confirming: drawButton(&view)
    case .leaving(let question, let answer):
      draw(question, answer, &view)
      wait("checking", &view)
    case .changingRows(let question), .preparing(let question):
      view.prompt = heading(question)
      wait("loading", &view)
    case .checking: wait("checking", &view)
    case .tapping: wait(action?.label ?? action?.name ?? "", &view)
    case .deciding, .ended: break
    }
    return view
  }

  private func wait(_ what: String, _ view: inout View) {
    view.isBusy = true
    let mark = isLineByLine ? "" : "\(Self.spinner[ticks % Self.spinner.count]) "
    view.below = [StyledLine("\(mark)\(what) …", .faint)]
  }

  // MARK: A question

  private func heading(_ question: Question) -> StyledLine {
    var line = StyledLine(question.label, .strong)
    if isRequired(question) { line.add(" *", .faint) }
    return line
  }

  /// Whether the user must answer. A member of an optional object without a value need not be answered.
  private func isRequired(_ question: Question) -> Bool {
    guard let field = form.document.field(question.address), field.isRequired else { return false }
    var tokens = (JSONPointer(address: question.address)?.tokens ?? []).dropLast()
    // A row exists, so its members are due.
    while let last = tokens.last, !last.hasPrefix("#") {
      let address = JSONPointer(tokens: Array(tokens)).address
      if form.document.field(address)?.isRequired == false, form.value(address) == nil { return false }
      tokens.removeLast()
    }
    return true
  }

  private func draw(_ question: Question, _ answer: Answer, _ view: inout View) {
    if let help = question.field.help { view.above.append(StyledLine(help, .faint)) }
    var prompt = heading(question)
    switch answer.editor {
    case .choice(let choice): view.above += lines(of: choice)
    case .rows(let rows): view.above += lines(ofRows: rows, question)
    case .line: break
    }
    view.marked = view.above.firstIndex { $0.spans.first?.style == .chosen }
    let hint = bracket(question, answer)
    if !hint.isEmpty { prompt.add(" [\(hint)]", .faint) }
    prompt.add(": ")
    view.prompt = prompt
    view.isSecret = question.field.isSecret
    let text = answer.typedText
    view.input = view.isSecret ? String(repeating: "*", count: answer.typed.characters.count) : text
    view.cursor = answer.typed.cursor
    if question.kind == .lines, !isLineByLine { view.prompt.add("(Ctrl-D ends the text) ", .faint) }
    view.below = messages(question, answer)
  }

  /// The value that Enter alone gives, in brackets.
  private func bracket(_ question: Question, _ answer: Answer) -> String {
    if answer.isEmptied { return "nothing" }
    switch question.kind {
    case .rows:
      let count = form.document.rows(question.address).count
      let move = count > 1 ? "m N TO move, " : ""
      let edit = count == 1 ? "1" : "1-\(count)"
      return count == 0 ? "a add, Enter done" : "a add, \(edit) edit, r N remove, \(move)Enter done"
    case .truth: return answer.start.boolValue.map { $0 ? "Y/n" : "y/N" } ?? "y/n"
    case .lines: return ""
    case .choice, .line:
      if question.field.isSecret {
        return form.document.field(question.address)?.isEmpty == false && answer.typed.isEmpty ? "unchanged" : ""
      }
      if let value = answer.start.isNull ? nil : shown(answer.startText, answer.start, question) {
        return value
      }
      return question.kind == .line ? question.field.placeholder.map { "such as \($0)" } ?? "" : ""
    }
  }

  private func messages(_ question: Question, _ answer: Answer) -> [StyledLine] {
    if let problem = answer.problem { return [StyledLine("  " + problem, .wrong)] }
    if let message = form.document.messages[question.address] {
      let isWarning = errors(at: question).isEmpty
      return [StyledLine("  " + message, isWarning ? .warning : .wrong)]
    }
    // An error that the form shows only after a tap is shown once the answer was refused.
    guard answer.isRefused, let error = errors(at: question).first else { return [] }
    return [StyledLine("  " + (error.message ?? error.code), .wrong)]
  }

  // MARK: Choices and rows

  private func lines(of choice: ChoiceEditor) -> [StyledLine] {
    let count = choice.choices.count
    let first = isLineByLine ? 0 : max(0, min((choice.marked ?? 0) - Self.choicesMax / 2, count - Self.choicesMax))
    let shown = isLineByLine ? 0..<count : first..<min(first + Self.choicesMax, count)
    var lines = shown.map { position in
      let isMarked = position == choice.marked && !isLineByLine
      let width = String(count).count
      let number = String(repeating: " ", count: width - String(position + 1).count) + String(position + 1)
      return StyledLine(
        "\(isMarked ? ">" : " ") \(number)) \(choice.choices[position].name)",
        isMarked ? .chosen : .plain
      )
    }
    if shown.count < count { lines.append(StyledLine("  \(count) in all; the arrows show the others", .faint)) }
    return lines
  }

  private func lines(ofRows editor: RowsEditor, _ question: Question) -> [StyledLine] {
    let elements = form.value(question.address)?.arrayValue ?? []
    return form.document.rows(question.address).enumerated().map { position, row in
      let isMarked = position == editor.marked
      var line = StyledLine("\(isMarked ? ">" : " ") \(position + 1)) ", isMarked ? .chosen : .plain)
      let summary = position < elements.count ? summary(of: row, elements[position], question) : ""
      line.add(summary, isMarked ? .chosen : .plain)
      var isWrong = !row.isValid
      forEachQuestion(among: list.questions(ofRow: row.address, in: question, form.document)) {
        if !errors(at: $0).isEmpty { isWrong = true }
      }
      if isWrong { line.add("  !", .wrong) }
      return line
    }
  }

  /// A row in one line: its answers as people read them.
  private func summary(of row: FormDocument.Row, _ element: JSON, _ question: Question) -> String {
    let inside = list.questions(ofRow: row.address, in: question, form.document)
    // Rows without fields of their own, and rows whose fields are not asked.
    guard !inside.isEmpty, element.objectValue != nil else { return TypedText.text(of: element) }
    return inside.map(shownAnswer).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The answer to an answered question. It is for the lines that stay on the terminal.
  func shownAnswer(to question: Question) -> String {
    if question.field.isSecret { return form.document.field(question.address)?.isEmpty == true ? "" : "********" }
    if question.kind == .rows {
      let count = form.document.rows(question.address).count
      return count == 1 ? "1 row" : "\(count) rows"
    }
    return shown(form.text(of: question), form.value(question.address) ?? .null, question)
  }

  /// A value as people read it: a choice by its label, and what the field reads as it writes it.
  private func shown(_ text: String, _ value: JSON, _ question: Question) -> String {
    question.field.read == nil ? TypedText.text(of: value, choices: choices(of: question)) : text
  }

  // MARK: The button

  private func drawButton(_ view: inout View) {
    let label = action?.label ?? action?.name ?? ""
    view.prompt = StyledLine("[ \(label) ]", .strong)
    view.prompt.add(" Enter; \(isLineByLine ? "<" : "Shift-Tab") goes back ", .faint)
  }
}
