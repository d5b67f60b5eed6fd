package import Client

/// A form that is asked on a terminal, as a value: what happens goes in, what is to be sent comes out, and ``view`` says what is to be
/// drawn. It knows no terminal, no daemon and no clock.
///
/// The caller gives it an event, performs the requests that come back, in order, and gives it ``Event/changed(_:)`` with the form as it
/// stands then; so on until no request comes back. It does the same when the daemon tells something by itself.
///
/// What is asked next is decided anew after each answer: the first question, in the order of ``QuestionList``, that has no answer yet;
/// behind the last one the first whose answer the form refuses. So a field that appears is asked wherever it stands, and one that a
/// later answer made wrong is asked again. The questions of a row are asked while its row is open; then those of its list go on.
///
/// Keys that come while something is waited for are kept, and pressed later.
package struct Interview: Sendable {
  /// What happens.
  package enum Event: Sendable {
    /// It begins; the form was just opened.
    case began
    /// A key was pressed.
    case key(Key)
    /// Requests were performed, or the daemon told something: the form as it stands now.
    case changed(FilledForm)
    /// The row that was asked for is there, with that address.
    case rowInserted(String)
    /// What a tap came to, nil when the form took it for one of several in a row; and the form as it stands now.
    case tapped(ActionEvent?, FilledForm)
    /// A moment passed while ``View/isBusy``.
    case tick
  }

  /// What is to be sent.
  package enum Request: Hashable, Sendable {
    case focus(String)
    case blur(String)
    case change(String, JSON)
    case insert(String)
    case remove(String)
    case step(String)
    /// What nobody was asked for counts as given, so that its checks run, too.
    case commitRest
    case tap(String)
  }

  /// How it ended.
  package enum Outcome: Hashable, Sendable {
    /// The form is valid; where an action was to be tapped, the tap succeeded.
    case submitted
    /// The form refuses the values, or the action did not succeed.
    case refused
  }

  /// What is going on.
  enum Phase: Sendable {
    /// What is asked next is to be decided.
    case deciding
    /// The choices of a question are being loaded.
    case preparing(Question)
    /// The user answers.
    case asking(Question, Answer)
    /// An answer was sent, and may be under check.
    case leaving(Question, Answer)
    /// A row of that list is made or goes.
    case changingRows(Question)
    /// All is answered; what is under way comes to its end.
    case checking
    /// The button is shown.
    case confirming
    case tapping
    case ended(Outcome)
  }

  /// A row that is open: its fields are asked.
  struct OpenRow: Sendable {
    var list: Question
    var row: String
  }

  /// Where one was, for the way back.
  struct Visit: Sendable {
    var address: String
    var depth: Int
  }

  let description: FormDescription
  let list: QuestionList
  /// The action to be tapped in the end.
  let action: ActionDescription?
  /// Whether keys come as whole lines, and Shift-Tab cannot be typed.
  let isLineByLine: Bool
  var form: FilledForm
  var phase = Phase.deciding
  var openRows: [OpenRow] = []
  /// Grows whenever something is asked anew.
  var number = 0
  /// How often time was told to pass.
  private(set) var ticks = 0
  /// Values of secrets that were typed, by address. The daemon does not tell them.
  package internal(set) var secrets: [String: JSON]
  var answered: Set<String> = []
  var visits: [Visit] = []
  private var step: String?
  var typedAhead: [Key] = []
  var notes: [Note] = []
  /// Whether the user wants to be asked nothing more.
  var isEarly = false

  /// A form that was just opened.
  ///
  /// - Parameters:
  ///   - description: what the form is.
  ///   - form: how it stands.
  ///   - known: values that the caller gave; what they name is not asked unless it is refused.
  ///   - only: the addresses of what is asked; nil: all.
  ///   - action: the action to tap in the end; nil: none.
  ///   - isLineByLine: whether the terminal gives whole lines.
  package init(
    _ description: FormDescription,
    _ form: FilledForm,
    known: JSONObject = [:],
    only: [String]? = nil,
    action: String? = nil,
    isLineByLine: Bool = false
  ) {
    self.description = description
    self.form = form
    self.action = action.map { name in description.actions.first { $0.name == name } ?? ActionDescription(name: name) }
    self.isLineByLine = isLineByLine
    list = QuestionList(description, only: only)
    secrets = FilledForm.secrets(in: known, description.fields)
    note(known, description.fields, [])
  }

  /// What the values name is known.
  private mutating func note(_ values: JSONObject, _ fields: [FieldDescription], _ place: [String]) {
    for field in fields {
      guard let value = values[field.name], !value.isNull else { continue }
      let place = place + [field.name]
      answered.insert(JSONPointer(tokens: place).address)
      if let members = value.objectValue { note(members, field.fields, place) }
    }
  }

  /// How it ended; nil while it goes on.
  package var outcome: Outcome? {
    if case .ended(let outcome) = phase { outcome } else { nil }
  }

  /// What is to stay on the terminal since this was last asked.
  package mutating func takeNotes() -> [Note] {
    defer { notes = [] }
    return notes
  }

  // MARK: Events

  /// Something happened.
  ///
  /// - Returns: what is to be sent.
  package mutating func handle(_ event: Event) -> [Request] {
    switch event {
    case .began:
      if let title = description.title { notes.append(.said(StyledLine(title, .strong))) }
      return decide()
    case .key(let key):
      typedAhead.append(key)
      return pressNext()
    case .changed(let form):
      self.form = form
      let requests = goOn()
      return requests.isEmpty ? pressNext() : requests
    case .rowInserted(let row):
      guard case .changingRows(let question) = phase else { return [] }
      openRows.append(OpenRow(list: question, row: row))
      phase = .deciding
      return []
    case .tapped(let event, let form):
      self.form = form
      return tapEnded(event)
    case .tick:
      ticks += 1
      return []
    }
  }

  /// Goes on where something was waited for.
  private mutating func goOn() -> [Request] {
    switch phase {
    case .deciding: return decide()
    case .preparing(let question):
      return form.document.field(question.address)?.isPending == true ? [] : ask(question)
    case .asking(let question, var answer):
      guard form.document.field(question.address)?.isVisible == true else { return decide() }
      answer.update(choices(of: question))
      phase = .asking(question, answer)
      return []
    case .leaving(let question, let answer): return leave(question, answer)
    case .changingRows(let question): return ask(question)
    case .checking: return form.document.isSettled ? conclude() : []
    case .confirming, .tapping, .ended: return []
    }
  }

  /// Presses the keys that were typed, until something is to be sent or waited for.
  mutating func pressNext() -> [Request] {
    while !typedAhead.isEmpty {
      let requests: [Request]
      switch phase {
      case .asking(let question, let answer): requests = press(typedAhead.removeFirst(), question, answer)
      case .confirming: requests = pressAtButton(typedAhead.removeFirst())
      default: return []
      }
      if !requests.isEmpty { return requests }
    }
    return []
  }

  // MARK: What is asked

  var current: [Question] {
    guard let open = openRows.last else { return list.questions(form.document) }
    return list.questions(ofRow: open.row, in: open.list, form.document)
  }

  mutating func decide() -> [Request] {
    phase = .deciding
    if isEarly { return check() }
    while true {
      let questions = current
      if let next = questions.first(where: { !answered.contains($0.address) }) ?? questions.first(where: isRefused) {
        return ask(next)
      }
      if let wrong = firstWrongRow(of: questions) {
        openRows.append(wrong)
      } else if let open = openRows.popLast() {
        visits.removeAll { $0.depth > openRows.count }
        // A row that went while it was open, or whose list is not asked for any more, is not gone back to.
        return form.document.field(open.list.address)?.isVisible == true ? ask(open.list) : decide()
      } else {
        return check()
      }
    }
  }

  /// Whether the form says no to the answer, and another answer may help.
  func isRefused(_ question: Question) -> Bool {
    !errors(at: question).allSatisfy(\.isOfServer)
  }

  /// What is wrong at the question's own place.
  func errors(at question: Question) -> [FormError] {
    (form.document.field(question.address)?.errors ?? []).filter { !$0.isWarning }
  }

  /// The first row, of all lists among the questions, that has a question of which the answer is refused.
  func firstWrongRow(of questions: [Question]) -> OpenRow? {
    for list in questions where list.kind == .rows {
      for row in form.document.rows(list.address) where !row.isValid {
        let inside = self.list.questions(ofRow: row.address, in: list, form.document)
        if inside.contains(where: isRefused) || firstWrongRow(of: inside) != nil {
          return OpenRow(list: list, row: row.address)
        }
      }
    }
    return nil
  }

  mutating func ask(_ question: Question, _ answer: Answer? = nil) -> [Request] {
    number += 1
    answered.remove(question.address)
    if answer == nil, question.kind == .choice, form.document.field(question.address)?.isPending == true {
      phase = .preparing(question)
      return []
    }
    phase = .asking(
      question,
      answer ?? Answer(to: question, in: form, choices(of: question), isLineByLine: isLineByLine)
    )
    return enterStep(of: question) + [.focus(question.address)]
  }

  private mutating func enterStep(of question: Question) -> [Request] {
    guard let id = question.step, id != step else { return [] }
    step = id
    let visible = description.steps.filter { form.document.step($0.id)?.isVisible ?? true }
    let position = (visible.firstIndex { $0.id == id } ?? 0) + 1
    let label = visible.first { $0.id == id }?.label ?? id
    var line = StyledLine(label, .strong)
    line.add(" (\(position) of \(visible.count))", .faint)
    notes.append(.said(line))
    return form.document.step == id ? [] : [.step(id)]
  }

  /// What can be chosen at present.
  func choices(of question: Question) -> [Choice] {
    form.document.options(question.address, template: question.field.address) ?? question.field.options
  }
}
