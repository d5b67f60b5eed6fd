internal import Client
internal import Texts

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
    case .confirming(let review): drawButton(review, &view)
    case .leaving(let question, let answer):
      draw(question, answer, &view)
      wait(words.checking, &view)
    case .changingRows(let question), .preparing(let question):
      view.prompt = heading(question)
      wait(words.loading, &view)
    case .checking: wait(words.checking, &view)
    case .tapping: wait("\(action?.label ?? action?.name ?? "") …", &view)
    case .deciding, .ended: break
    }
    return view
  }

  private func wait(_ what: String, _ view: inout View) {
    view.isBusy = true
    let mark = isLineByLine ? "" : "\(Self.spinner[ticks % Self.spinner.count]) "
    view.below = [StyledLine("\(mark)\(what)", .faint)]
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
    guard question.kind != .page else { return drawPage(question, &view) }
    if let help = question.field.help { view.above.append(StyledLine(help, .faint)) }
    var prompt = heading(question)
    switch answer.editor {
    case .choice(let choice): view.above += lines(of: choice, question)
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
    if question.kind == .lines, !isLineByLine { view.prompt.add("(\(words.endText)) ", .faint) }
    view.below = messages(question, answer)
  }

  /// The value that Enter alone gives, in brackets.
  private func bracket(_ question: Question, _ answer: Answer) -> String {
    if answer.isEmptied { return words.nothing }
    switch question.kind {
    case .rows:
      let count = form.document.rows(question.address).count
      var commands = [words.addRow]
      if count > 0 { commands += [words.editRow.filled { _ in count == 1 ? "1" : "1-\(count)" }, words.removeRow] }
      if count > 1 { commands.append(words.moveRow) }
      return (commands + [words.done]).joined(separator: ", ")
    case .boolean:
      let (yes, no) = (words.yesKey, words.noKey)
      return answer.start.boolValue.map { $0 ? "\(yes.uppercased())/\(no)" : "\(yes)/\(no.uppercased())" }
        ?? "\(yes)/\(no)"
    case .choices: return isLineByLine ? words.markByNumber : words.mark
    case .lines, .page: return ""
    case .choice, .line:
      if question.field.isSecret {
        return form.document.field(question.address)?.isEmpty == false && answer.typed.isEmpty ? words.unchanged : ""
      }
      if let value = answer.start.isNull ? nil : shown(answer.startText, answer.start, question) {
        return value
      }
      return question.kind == .line
        ? question.field.placeholder.map { text in words.example.filled { _ in text } } ?? "" : ""
    }
  }

  private func messages(_ question: Question, _ answer: Answer) -> [StyledLine] {
    if let problem = answer.problem { return [StyledLine("  " + problem, .wrong)] }
    if let message = message(at: question) {
      let isWarning = errors(at: question).isEmpty
      return [StyledLine("  " + message, isWarning ? .warning : .wrong)]
    }
    // An error that the form shows only after a tap is shown once the answer was refused.
    guard answer.isRefused, let error = errors(at: question).first else { return [] }
    return [StyledLine("  " + (error.message ?? error.code), .wrong)]
  }

  // MARK: Choices and rows

  private func lines(of choice: ChoiceEditor, _ question: Question) -> [StyledLine] {
    let count = choice.count
    let first = isLineByLine ? 0 : max(0, min((choice.marked ?? 0) - Self.choicesMax / 2, count - Self.choicesMax))
    let shown = isLineByLine ? 0..<count : first..<min(first + Self.choicesMax, count)
    let values = values(of: question)
    var group: String?
    var lines: [StyledLine] = []
    for position in shown {
      let isMarked = position == choice.marked && !isLineByLine
      let isOther = position == choice.choices.count
      let width = String(count).count
      let number = String(repeating: " ", count: width - String(position + 1).count) + String(position + 1)
      let isSet = !isOther && values.contains(choice.choices[position].value)
      let box = question.kind == .choices ? isOther ? "    " : isSet ? "[x] " : "[ ] " : ""
      let canBeChosen = choice.canBeChosen(position)
      let style: StyledLine.Style = isMarked ? .chosen : canBeChosen ? .plain : .faint
      let name = isOther ? words.other : choice.choices[position].name
      var line = StyledLine("\(isMarked ? ">" : " ") \(number)) \(box)\(name)", style)
      if !isOther {
        if choice.choices[position].isDisabled { line.add(" (\(words.notAvailable))", .faint) }
        if let help = choice.choices[position].help { line.add("  \(help)", .faint) }
        if choice.choices[position].group != group {
          group = choice.choices[position].group
          if let group { lines.append(StyledLine("  \(group)", .strong)) }
        }
      }
      lines.append(line)
    }
    if shown.count < count { lines.append(StyledLine("  " + words.moreLines.filled { _ in String(count) }, .faint)) }
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

  /// A row in one line: its title, and its other answers as people read them.
  private func summary(of row: FormDocument.Row, _ element: JSON, _ question: Question) -> String {
    let title = title(of: row, element, question)
    let inside = list.questions(ofRow: row.address, in: question, form.document)
    // Rows without fields of their own, and rows whose fields are not asked.
    guard !inside.isEmpty, element.objectValue != nil else { return title }
    var answers = inside.map(shownAnswer).filter { !$0.isEmpty }
    if let position = answers.firstIndex(of: title) { answers.remove(at: position) }
    return ([title] + answers).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The title of a row: its output `title`, else its key as people read it, else its first answer; empty if it has
  /// none of them.
  func title(of row: FormDocument.Row, _ element: JSON, _ question: Question) -> String {
    if let title = row.outputs["title"]?.stringValue, !title.isEmpty { return title }
    guard element.objectValue != nil else { return TypedText.text(of: element, in: words) }
    let inside = list.questions(ofRow: row.address, in: question, form.document).filter { !$0.field.isSecret }
    let key = inside.filter { $0.field.name == question.field.key }
    if let answer = (key + inside).lazy.map(shownAnswer).first(where: { !$0.isEmpty }) { return answer }
    return inside.isEmpty ? TypedText.text(of: element, in: words) : ""
  }

  /// The answer to an answered question. It is for the lines that stay on the terminal.
  func shownAnswer(to question: Question) -> String {
    if question.field.isSecret { return form.document.field(question.address)?.isEmpty == true ? "" : "********" }
    if question.kind == .rows {
      let titles = zip(form.document.rows(question.address), values(of: question)).map { title(of: $0, $1, question) }
      return titles.enumerated().map { $1.isEmpty ? "(\($0 + 1))" : $1 }.joined(separator: ", ")
    }
    return shown(form.text(of: question, words), form.value(question.address) ?? .null, question)
  }

  /// A value as people read it: a choice by its label, and what the field reads as it writes it.
  private func shown(_ text: String, _ value: JSON, _ question: Question) -> String {
    question.field.read == nil ? TypedText.text(of: value, choices: choices(of: question), in: words) : text
  }

  // MARK: Pages, and the end

  /// A step that is only read: its fields that are not asked. A step without fields shows the form's outputs.
  private func drawPage(_ page: Question, _ view: inout View) {
    view.above = shownFields { $0.step == page.step }
    if view.above.isEmpty { view.above = outputs }
    view.prompt = StyledLine("\(words.goOn); \(goBackHint) ", .faint)
  }

  private var goBackHint: String { words.goBack.filled { _ in isLineByLine ? "<" : words.backKey } }

  private func drawButton(_ review: ReviewEditor, _ view: inout View) {
    let questions = reviewed
    if !questions.isEmpty {
      view.above = [StyledLine(words.review, .strong)]
      view.above += questions.enumerated().map { line(ofReview: $0, $1, of: questions.count, review) }
      view.below = [StyledLine("  " + words.change, .faint)]
    }
    if let marked = review.marked, !questions.isEmpty { view.marked = marked + 1 }
    if review.hasProblem {
      view.below = [StyledLine("  " + words.chooseNumber.filled { _ in String(questions.count) }, .wrong)]
    }
    let label = action?.label ?? action?.name ?? ""
    view.prompt = StyledLine("[ \(label) ]", .strong)
    view.prompt.add(" \(words.enterKey); \(goBackHint) ", .faint)
    view.input = review.typed.text
    view.cursor = review.typed.cursor
  }

  private func line(ofReview position: Int, _ question: Question, of count: Int, _ review: ReviewEditor) -> StyledLine {
    let isMarked = position == review.marked && !isLineByLine
    let number = String(position + 1)
    let padding = String(repeating: " ", count: String(count).count - number.count)
    var line = StyledLine(
      "\(isMarked ? ">" : " ") \(padding)\(number)) \(question.label): ",
      isMarked ? .chosen : .faint
    )
    let answer = shownAnswer(to: question)
    line.add(answer.isEmpty ? "–" : answer, isMarked ? .chosen : .plain)
    return line
  }
}
