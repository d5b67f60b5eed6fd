internal import Client

/// The end after the last answer: all checks run, and the button is tapped.
extension Interview {
  mutating func check() -> [Request] {
    phase = .checking
    return [.commitRest]
  }

  /// Ends when all questions are answered and nothing is in progress.
  mutating func conclude() -> [Request] {
    let questions = list.questions(form.document)
    let isOpen =
      questions.contains { !answered.contains($0.address) || isRefused($0) } || firstWrongRow(of: questions) != nil
    if isOpen, !isEarly { return decide() }
    if !form.document.isValid, !isEarly, let requests = askForWholeForm(questions) { return requests }
    if form.document.isValid { notes += results.map { .said($0) } }
    guard form.document.isValid, action != nil else {
      phase = .ended(form.document.isValid ? .submitted : .refused)
      return []
    }
    number += 1
    phase = .confirming(ReviewEditor())
    return []
  }

  /// The lines before the end: the fields that are not asked, and the outputs.
  private var results: [StyledLine] { shownFields { _ in true } + outputs }

  /// The fields that are shown and not asked, with their messages.
  func shownFields(_ isIncluded: (Question) -> Bool) -> [StyledLine] {
    var lines: [StyledLine] = []
    list.forEachShown(form.document) { question in
      guard isIncluded(question) else { return }
      let shown = form.document.field(question.address)?.text ?? shownAnswer(to: question)
      if !shown.isEmpty { lines.append(StyledLine("\(question.label): \(shown)", .faint)) }
      for error in form.document.field(question.address)?.errors ?? [] {
        lines.append(StyledLine("  " + (error.message ?? error.code), error.isWarning ? .warning : .wrong))
      }
    }
    return lines
  }

  /// The form's outputs that are a text, a number, or yes or no.
  var outputs: [StyledLine] {
    description.outputs.compactMap { name in
      guard let value = form.document.outputs[name], value.objectValue == nil, value.arrayValue == nil else {
        return nil
      }
      let text = TypedText.text(of: value, in: words)
      return text.isEmpty ? nil : StyledLine("\(name): \(text)", .faint)
    }
  }

  /// The answers that the user reviews before the button. A single answer needs no review.
  var reviewed: [Question] {
    let questions = list.questions(form.document).filter { $0.kind != .page }
    return questions.count > 1 ? questions : []
  }

  /// Shows the errors that are at no question: of the form as a whole, and of fields that are not asked. Then the user
  /// chooses among the answers. Without such a list, the last question is asked again. So no answer is lost, and the
  /// way back is open.
  ///
  /// - Returns: nil if the form has no such error, or if no question was asked.
  private mutating func askForWholeForm(_ questions: [Question]) -> [Request]? {
    var errors = form.document.errors.filter { !$0.isWarning && !$0.isOfServer }.map { $0.message ?? $0.code }
    list.forEachShown(form.document) { question in
      for error in form.document.field(question.address)?.errors ?? [] where !error.isWarning {
        errors.append("\(question.label): \(error.message ?? error.code)")
      }
    }
    guard !errors.isEmpty, let last = visits.last?.address,
      let question = questions.first(where: { $0.address == last })
    else { return nil }
    for error in errors { notes.append(.said(StyledLine(error, .wrong))) }
    if action != nil, !reviewed.isEmpty {
      number += 1
      phase = .confirming(ReviewEditor())
      return []
    }
    visits.removeLast()
    return ask(question)
  }

  mutating func pressAtButton(_ key: Key, _ review: ReviewEditor) -> [Request] {
    var review = review
    switch key {
    case .enter:
      let questions = reviewed
      if let position = review.selected {
        if questions.indices.contains(position) { return change(questions[position]) }
        number += 1
        phase = .confirming(ReviewEditor(hasProblem: true))
        return []
      }
      guard let action else { return [] }
      phase = .tapping
      return [.tap(action.name)]
    case .text("<") where isLineByLine: return goBackFromButton()
    case .back: return goBackFromButton()
    case .endOfInput:
      phase = .ended(.refused)
      return []
    default:
      guard !reviewed.isEmpty else { return [] }
      review.press(key, count: reviewed.count)
      phase = .confirming(review)
      return []
    }
  }

  /// Asks for an answer again, from the review.
  private mutating func change(_ question: Question) -> [Request] {
    isEarly = false
    visits.removeAll { $0.address == question.address }
    return ask(question)
  }

  private mutating func goBackFromButton() -> [Request] {
    isEarly = false
    // If the terminal sends whole lines, the Enter of the line that asks to go back is not an answer.
    if isLineByLine, typedAhead.first == .enter { typedAhead.removeFirst() }
    guard let last = visits.popLast(),
      let question = list.questions(form.document).first(where: { $0.address == last.address })
    else { return [] }
    return ask(question)
  }

  mutating func tapEnded(_ event: ActionEvent?) -> [Request] {
    if event?.kind == .succeeded {
      if let message = event?.message { notes.append(.said(StyledLine(message))) }
      phase = .ended(.submitted)
      return []
    }
    let reasons = event?.blockers.map { [$0.field, $0.code].compactMap(\.self).joined(separator: " ") } ?? []
    let message =
      event?.message ?? event?.error.map { TypedText.text(of: $0, in: words) }
      ?? (reasons.isEmpty ? nil : reasons.joined(separator: ", ")) ?? words.failed
    var wrong: [String] = []
    forEachQuestion(among: list.questions(form.document)) { if !errors(at: $0).isEmpty { wrong.append($0.address) } }
    answered.subtract(wrong)
    isEarly = false
    number += 1
    notes.append(.said(StyledLine(message, .wrong)))
    for error in form.document.errors where error.isOfServer {
      let text = error.message ?? error.code
      if text != message { notes.append(.said(StyledLine(text, .wrong))) }
    }
    return decide()
  }
}
