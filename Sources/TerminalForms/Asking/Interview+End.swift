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
    guard form.document.isValid, action != nil else {
      phase = .ended(form.document.isValid ? .submitted : .refused)
      return []
    }
    number += 1
    notes += results.map { .said($0) }
    phase = .confirming
    return []
  }

  /// The computed fields with their messages. The user sees them before the button.
  private var results: [StyledLine] {
    var lines: [StyledLine] = []
    list.forEachComputed(form.document) { field, address, labels in
      let text = TypedText.text(of: form.value(address) ?? .null, choices: field.options)
      let shown = form.document.field(address)?.text ?? text
      if !shown.isEmpty { lines.append(StyledLine("\(labels.joined(separator: " › ")): \(shown)", .faint)) }
      for error in form.document.field(address)?.errors ?? [] {
        lines.append(StyledLine("  " + (error.message ?? error.code), error.isWarning ? .warning : .wrong))
      }
    }
    return lines
  }

  /// Shows the errors that are at no question: of the form as a whole, and of computed fields. Then it asks the last
  /// question again. So no answer is lost, and the way back is open.
  ///
  /// - Returns: nil if the form has no such error, or if no question was asked.
  private mutating func askForWholeForm(_ questions: [Question]) -> [Request]? {
    var errors = form.document.errors.filter { !$0.isWarning && !$0.isOfServer }.map { $0.message ?? $0.code }
    list.forEachComputed(form.document) { _, address, labels in
      for error in form.document.field(address)?.errors ?? [] where !error.isWarning {
        errors.append("\(labels.joined(separator: " › ")): \(error.message ?? error.code)")
      }
    }
    guard !errors.isEmpty, let last = visits.last?.address,
      let question = questions.first(where: { $0.address == last })
    else { return nil }
    visits.removeLast()
    for error in errors { notes.append(.said(StyledLine(error, .wrong))) }
    return ask(question)
  }

  mutating func pressAtButton(_ key: Key) -> [Request] {
    switch key {
    case .enter:
      guard let action else { return [] }
      phase = .tapping
      return [.tap(action.name)]
    case .text("<") where isLineByLine: return goBackFromButton()
    case .back: return goBackFromButton()
    case .endOfInput:
      phase = .ended(.refused)
      return []
    default: return []
    }
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
      event?.message ?? event?.error.map { TypedText.text(of: $0) }
      ?? (reasons.isEmpty ? nil : reasons.joined(separator: ", ")) ?? "That did not succeed."
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
