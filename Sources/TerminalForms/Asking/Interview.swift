package import Client
internal import Texts

/// A form that is asked on a terminal, as a value. Events go in, requests come out, and ``view`` is the view to draw.
/// It has no terminal, no daemon and no clock.
///
/// The caller passes an event, and carries out the returned requests in order. Then it passes ``Event/changed(_:)``
/// with the new state of the form, and repeats this until no request is returned. It does the same when the daemon
/// sends an update on its own.
///
/// The next question is decided after each answer. It is the first question without an answer, in the order of
/// ``QuestionList``. After the last one it is the first question whose answer the form refuses. So a field that appears
/// is asked wherever it is, and a field that a later answer made invalid is asked again. The questions of a row are
/// asked while its row is open; then the questions of its list go on.
///
/// Keys that are typed during a wait are kept, and handled later.
package struct Interview: Sendable {
  /// An event.
  package enum Event: Sendable {
    /// The interview begins, after the form was opened.
    case began
    /// A key was pressed.
    case key(Key)
    /// Requests were carried out, or the daemon sent an update: the current state of the form.
    case changed(FilledForm)
    /// The requested row was inserted, with that address.
    case rowInserted(String)
    /// The result of a tap, with the current state of the form. nil if a throttle or debounce dropped the tap.
    case tapped(ActionEvent?, FilledForm)
    /// A moment passed while ``View/isBusy``.
    case tick
  }

  /// A request to the session.
  package enum Request: Hashable, Sendable {
    case focus(String)
    case blur(String)
    case change(String, JSON)
    /// Marks a choice of the multiple choice at an address, or takes the mark away.
    case toggle(String, JSON)
    case insert(String)
    case remove(String)
    /// Moves the row at an address to a position.
    case move(String, to: Int)
    case step(String)
    /// Fields that were not asked for count as given, so that their checks run, too.
    case commitRest
    case tap(String)
  }

  /// The outcome of the interview.
  package enum Outcome: Hashable, Sendable {
    /// The form is valid, and the tap succeeded if there was an action to tap.
    case submitted
    /// The form refuses the values, or the action did not succeed.
    case refused
  }

  /// The state of the interview.
  enum Phase: Sendable {
    /// The next question is being decided.
    case deciding
    /// The choices of a question are being loaded.
    case preparing(Question)
    /// The user answers.
    case asking(Question, Answer)
    /// An answer was sent, and a check of it may be in progress.
    case leaving(Question, Answer)
    /// A row of that list is being inserted or removed.
    case changingRows(Question)
    /// All questions are answered; work in progress is ending.
    case checking
    /// The button is shown, and above it the answers.
    case confirming(ReviewEditor)
    case tapping
    case ended(Outcome)
  }

  /// An open row: its fields are asked.
  struct OpenRow: Sendable {
    var list: Question
    var row: String
  }

  /// A question that was visited, for the way back.
  struct Visit: Sendable {
    var address: String
    var depth: Int
  }

  let description: FormDescription
  let list: QuestionList
  /// The action to tap at the end.
  let action: ActionDescription?
  /// Whether keys come as whole lines, so that Shift-Tab cannot be typed.
  let isLineByLine: Bool
  /// The interview's own words. They have the language of the built-in error texts: the requested one, else the form's.
  package let words: Words
  var form: FilledForm
  var phase = Phase.deciding
  var openRows: [OpenRow] = []
  /// The number of the question, which grows each time a question is asked.
  var number = 0
  /// The number of ``Event/tick`` events.
  private(set) var ticks = 0
  /// Typed values of secrets, by address. The daemon does not send them back.
  package internal(set) var secrets: [String: JSON]
  var answered: Set<String> = []
  var visits: [Visit] = []
  private var step: String?
  var typedAhead: [Key] = []
  var notes: [Note] = []
  /// Whether the user wants no more questions.
  var isEarly = false

  /// An interview about a form that was just opened.
  ///
  /// - Parameters:
  ///   - description: the description of the form.
  ///   - form: the state of the form.
  ///   - known: values from the caller. Their fields are asked only if the form refuses them.
  ///   - only: the addresses of the fields to ask; nil: all.
  ///   - action: the action to tap at the end; nil: none.
  ///   - isLineByLine: whether the terminal sends whole lines.
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
    words = Words.of(description.requestedLocale, description.locale)
    list = QuestionList(description, only: only)
    secrets = FilledForm.secrets(in: known, description.fields)
    note(known, description.fields, [])
  }

  /// Notes that the fields of these values are known.
  private mutating func note(_ values: JSONObject, _ fields: [FieldDescription], _ path: [String]) {
    for field in fields {
      guard let value = values[field.name], !value.isNull else { continue }
      let path = path + [field.name]
      answered.insert(JSONPointer(tokens: path).address)
      if let members = value.objectValue { note(members, field.fields, path) }
    }
  }

  /// The outcome; nil while the interview goes on.
  package var outcome: Outcome? {
    if case .ended(let outcome) = phase { outcome } else { nil }
  }

  /// The notes since the last call, which stay on the terminal.
  package mutating func takeNotes() -> [Note] {
    defer { notes = [] }
    return notes
  }

  // MARK: Events

  /// Handles an event.
  ///
  /// - Returns: the requests to carry out.
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

  /// Continues after a wait.
  private mutating func goOn() -> [Request] {
    switch phase {
    case .deciding: return decide()
    case .preparing(let question):
      return form.document.field(question.address)?.isPending == true ? [] : ask(question)
    case .asking(let question, var answer):
      guard question.kind == .page || form.document.field(question.address)?.isVisible == true else { return decide() }
      answer.update(choices(of: question), values: question.kind == .choices ? values(of: question) : [])
      phase = .asking(question, answer)
      return []
    case .leaving(let question, let answer): return leave(question, answer)
    case .changingRows(let question): return ask(question)
    case .checking: return form.document.isSettled ? conclude() : []
    case .confirming, .tapping, .ended: return []
    }
  }

  /// Handles typed keys, until there is a request or a wait.
  mutating func pressNext() -> [Request] {
    while !typedAhead.isEmpty {
      let requests: [Request]
      switch phase {
      case .asking(let question, let answer): requests = press(typedAhead.removeFirst(), question, answer)
      case .confirming(let review): requests = pressAtButton(typedAhead.removeFirst(), review)
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
      if let next = questions.first(where: { !answered.contains($0.address) }) { return ask(next) }
      if let wrong = questions.first(where: isRefused) { return ask(wrong, isRefused: true) }
      if let wrong = firstWrongRow(of: questions) {
        open(wrong)
      } else if let open = openRows.popLast() {
        visits.removeAll { $0.depth > openRows.count }
        // A row that was removed while it was open, or whose list is not asked any more, is not opened again.
        return form.document.field(open.list.address)?.isVisible == true ? ask(open.list) : decide()
      } else {
        return check()
      }
    }
  }

  /// Whether the form refuses the answer, and another answer may help.
  func isRefused(_ question: Question) -> Bool {
    !errors(at: question).allSatisfy(\.isOfServer)
  }

  /// Whether the form shows nothing of what is wrong with an answer yet, and other questions are open: the error of a
  /// group of fields waits until the user has left each of them.
  func waitsForOthers(_ question: Question) -> Bool {
    message(at: question) == nil
      && current.contains { $0.address != question.address && !answered.contains($0.address) }
  }

  /// The errors at the question's own address, and of a multiple choice at its elements.
  func errors(at question: Question) -> [FormError] {
    let field = form.document.field(question.address)
    let elements = question.kind == .choices ? field?.rows ?? [] : []
    return ((field?.errors ?? []) + elements.flatMap(\.state.errors)).filter { !$0.isWarning }
  }

  /// The message that the form shows at the question, or at an element of a multiple choice.
  func message(at question: Question) -> String? {
    let messages = form.document.messages
    if let message = messages[question.address] { return message }
    guard question.kind == .choices else { return nil }
    return form.document.rows(question.address).lazy.compactMap { messages[$0.address] }.first
  }

  /// The first row, in all lists among the questions, with a question that has to be asked again.
  func firstWrongRow(of questions: [Question]) -> OpenRow? {
    for list in questions where list.kind == .rows {
      for row in form.document.rows(list.address) {
        let inside = self.list.questions(ofRow: row.address, in: list, form.document)
        if inside.contains(where: mustBeAskedAgain) || firstWrongRow(of: inside) != nil {
          return OpenRow(list: list, row: row.address)
        }
      }
    }
    return nil
  }

  /// Whether the form refuses the answer, or a server did and the user has not seen that yet.
  private func mustBeAskedAgain(_ question: Question) -> Bool {
    isRefused(question) || !answered.contains(question.address) && !errors(at: question).isEmpty
  }

  /// Calls with the questions, and the questions of all rows among them.
  func forEachQuestion(among questions: [Question], _ body: (Question) -> Void) {
    for question in questions {
      body(question)
      guard question.kind == .rows else { continue }
      for row in form.document.rows(question.address) {
        forEachQuestion(among: list.questions(ofRow: row.address, in: question, form.document), body)
      }
    }
  }

  /// Asks a question.
  ///
  /// - Parameters:
  ///   - answer: the answer so far; nil: the current value.
  ///   - isRefused: whether the form refuses the current value.
  mutating func ask(_ question: Question, _ answer: Answer? = nil, isRefused: Bool = false) -> [Request] {
    number += 1
    answered.remove(question.address)
    if answer == nil, question.hasChoices, form.document.field(question.address)?.isPending == true {
      phase = .preparing(question)
      return []
    }
    var answer = answer ?? Answer(to: question, in: form, choices(of: question), words, isLineByLine: isLineByLine)
    answer.isRefused = answer.isRefused || isRefused
    phase = .asking(question, answer)
    return enterStep(of: question) + (question.kind == .page ? [] : [.focus(question.address)])
  }

  private mutating func enterStep(of question: Question) -> [Request] {
    guard let id = question.step, id != step else { return [] }
    step = id
    let visible = description.steps.filter { form.document.step($0.id)?.isVisible ?? true }
    let position = (visible.firstIndex { $0.id == id } ?? 0) + 1
    let label = visible.first { $0.id == id }?.label ?? id
    var line = StyledLine(label, .strong)
    line.add(" (\(words.step.filled { String($0 == "position" ? position : visible.count) }))", .faint)
    notes.append(.said(line))
    return form.document.step == id ? [] : [.step(id)]
  }

  /// The current choices. In a multiple choice, values that are not among the choices follow.
  func choices(of question: Question) -> [Choice] {
    guard question.kind == .choices, let items = question.field.items else {
      return form.document.options(question.address, template: question.field.address) ?? question.field.options
    }
    let choices = form.document.options(question.address, template: items.address) ?? items.options
    var all = choices
    for value in values(of: question) where !all.contains(where: { $0.value == value }) {
      all.append(Choice(value: value, label: nil))
    }
    return all
  }

  /// The elements of a list.
  func values(of question: Question) -> [JSON] { form.value(question.address)?.arrayValue ?? [] }
}
