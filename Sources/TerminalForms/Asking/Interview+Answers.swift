internal import Client

/// Answers: keys, the form's errors, and the way back.
extension Interview {
  mutating func press(_ key: Key, _ question: Question, _ before: Answer) -> [Request] {
    var answer = before
    answer.problem = nil
    switch key {
    case .back: return goBack(from: question)
    case .endOfInput where question.kind == .lines: return finish(question, answer)
    case .endOfInput:
      guard answer.isUntouched else { return [] }
      isEarly = true
      phase = .deciding
      return question.kind == .page ? decide() : [.blur(question.address)]
    case .enter where question.kind != .lines:
      if isLineByLine, answer.typedText == "<" { return goBack(from: question) }
      return finish(question, answer)
    case .text(let text) where answer.isMarking(text):
      phase = .asking(question, answer)
      guard let value = answer.markedValue else { return [] }
      return text.map { _ in .toggle(question.address, value) }
    case .eraseAll where question.kind == .choices && answer.typed.isEmpty:
      phase = .asking(question, answer)
      var values = values(of: question)
      values = values.indices.filter { !values[..<$0].contains(values[$0]) }.map { values[$0] }
      return values.map { .toggle(question.address, $0) }
    default: if question.kind == .page { return [] }
    }
    answer.press(key, rows: form.document.rows(question.address).count)
    phase = .asking(question, answer)
    let isTyping = question.kind == .line || question.kind == .lines
    // The choices may depend on the text that is typed, and an arrow chooses among them.
    guard isTyping || question.kind == .choice && question.field.admitsOther && key != .up && key != .down else {
      return []
    }
    let value = answer.value ?? answer.start
    guard value != answer.sent, !isLineByLine else { return [] }
    answer.sent = value
    phase = .asking(question, answer)
    return [send(value, to: question)]
  }

  /// Handles Enter, or Ctrl-D after a text of several lines.
  private mutating func finish(_ question: Question, _ answer: Answer) -> [Request] {
    var answer = answer
    if let problem = answer.problemOfTyped(question, rows: form.document.rows(question.address).count) {
      number += 1
      answer.problem = problem
      answer.clear()
      phase = .asking(question, answer)
      return []
    }
    if case .rows(let rows) = answer.editor { return perform(rows, of: question, answer) }
    if question.kind == .page { return leavePage(question) }
    let marks = answer.typedMarks
    if !marks.isEmpty {
      answer.clear()
      number += 1
      phase = .asking(question, answer)
      return (isLineByLine ? ask(question) : []) + marks.map { .toggle(question.address, $0) }
    }
    phase = .leaving(question, answer)
    let value = answer.value ?? answer.start
    // A secret's value is not known here, so an erased one is always sent.
    let isErased = question.field.isSecret && answer.isEmptied
    guard value != answer.sent || isErased else { return [.blur(question.address)] }
    answer.sent = value
    phase = .leaving(question, answer)
    return [send(value, to: question), .blur(question.address)]
  }

  private mutating func send(_ value: JSON, to question: Question) -> Request {
    if question.field.isSecret { secrets[question.address] = value }
    return .change(question.address, value)
  }

  private mutating func perform(_ editor: RowsEditor, of question: Question, _ answer: Answer) -> [Request] {
    let rows = form.document.rows(question.address)
    switch editor.command(count: rows.count) ?? .done {
    case .add:
      phase = .changingRows(question)
      return [.insert(question.address)]
    case .remove(let position):
      phase = .changingRows(question)
      return [.remove(rows[position].address)]
    case .move(let position, let target):
      phase = .changingRows(question)
      return [.move(rows[position].address, to: target)]
    case .edit(let position):
      let open = OpenRow(list: question, row: rows[position].address)
      for inner in list.questions(ofRow: open.row, in: question, form.document) { answered.remove(inner.address) }
      self.open(open)
      return decide()
    case .done:
      phase = .leaving(question, answer)
      return [.blur(question.address)]
    }
  }

  /// Opens a row. A row that has a title is announced with it.
  mutating func open(_ open: OpenRow) {
    openRows.append(open)
    let rows = form.document.rows(open.list.address)
    guard let position = rows.firstIndex(where: { $0.address == open.row }) else { return }
    let values = values(of: open.list)
    guard position < values.count else { return }
    let title = title(of: rows[position], values[position], open.list)
    if !title.isEmpty {
      notes.append(.said(StyledLine("\(open.list.label) \(position + 1): \(title)", .strong)))
    }
  }

  /// Goes on after a step that is only read.
  private mutating func leavePage(_ page: Question) -> [Request] {
    answered.insert(page.address)
    visits.append(Visit(address: page.address, depth: 0))
    return decide()
  }

  /// Goes on after an answer was sent. It waits for the checks of the answer, and asks again if the form refuses it.
  mutating func leave(_ question: Question, _ answer: Answer) -> [Request] {
    guard let field = form.document.field(question.address), field.isVisible else { return decide() }
    guard !field.isPending else { return [] }
    guard !isRefused(question) || waitsForOthers(question) else {
      var again = answer
      // A line that the terminal sent as a whole cannot be edited any more.
      if isLineByLine { again.clear() }
      return ask(question, again, isRefused: true)
    }
    answered.insert(question.address)
    visits.append(Visit(address: question.address, depth: openRows.count))
    var line = StyledLine("\(question.label): ", .faint)
    line.add(shownAnswer(to: question))
    notes.append(.answered(line))
    for error in field.errors where error.isWarning {
      notes.append(.said(StyledLine("  " + (error.message ?? error.code), .warning)))
    }
    return decide()
  }

  /// Asks the previous question: in an open row the row's questions, then its list.
  mutating func goBack(from question: Question) -> [Request] {
    visits.removeAll { $0.depth > openRows.count }
    let questions = current
    while let visit = visits.last, visit.depth == openRows.count {
      visits.removeLast()
      if let before = questions.first(where: { $0.address == visit.address }) {
        return blur(question) + ask(before)
      }
    }
    guard let open = openRows.popLast() else { return questions.isEmpty ? [] : askAgain(question) }
    return blur(question) + ask(open.list)
  }

  private func blur(_ question: Question) -> [Request] { question.kind == .page ? [] : [.blur(question.address)] }

  /// Asks the same question again, because no question comes before it.
  private mutating func askAgain(_ question: Question) -> [Request] {
    if case .asking(_, let answer) = phase { return ask(question, answer) }
    return []
  }
}
