internal import Client
internal import Texts

/// An answer that the user is giving.
struct Answer: Sendable {
  /// The means by which an answer is given.
  enum Editor: Hashable, Sendable {
    case line(LineEditor)
    case choice(ChoiceEditor)
    case rows(RowsEditor)
  }

  /// The editor of the answer.
  private(set) var editor: Editor
  /// The value when the question was asked. Enter alone keeps it. Nil if there is none, or if it is unknown, as for a
  /// secret.
  let start: JSON
  /// The value that the daemon has.
  var sent: JSON
  /// The reason why the typed text is not an answer.
  var problem: String?
  /// Whether the form refused the answer.
  var isRefused = false
  /// Whether the value is to be removed: Ctrl-U while nothing is typed.
  private(set) var isEmptied = false
  private let field: FieldDescription
  /// The text of the current value, as the input shows it.
  let startText: String
  private let isSecret: Bool
  private let isLineByLine: Bool
  private let words: Words

  /// An empty answer.
  init(to question: Question, in form: FilledForm, _ choices: [Choice], _ words: Words, isLineByLine: Bool) {
    start = form.value(question.address) ?? .null
    sent = start
    field = question.field
    startText = form.text(of: question, words)
    isSecret = question.field.isSecret
    self.isLineByLine = isLineByLine
    self.words = words
    switch question.kind {
    case .line, .boolean, .page: editor = .line(LineEditor())
    case .lines: editor = .line(LineEditor(isLineByLine ? "" : start.stringValue ?? "", isMultiline: true))
    case .choice:
      let admitsOther = question.field.admitsOther
      editor = .choice(ChoiceEditor(choices, value: form.value(question.address), admitsOther: admitsOther))
    case .choices:
      let admitsOther = question.field.items?.admitsOther == true
      editor = .choice(ChoiceEditor(choices, values: start.arrayValue ?? [], admitsOther: admitsOther))
    case .rows: editor = .rows(RowsEditor())
    }
  }

  /// The typed text.
  var typed: LineEditor {
    switch editor {
    case .line(let line): line
    case .choice(let choice): choice.typed
    case .rows(let rows): rows.typed
    }
  }

  var typedText: String { typed.text }

  /// Whether nothing is typed.
  var isUntouched: Bool { typed.isEmpty && !isEmptied }

  /// Handles a key.
  ///
  /// - Parameter rows: the number of rows in the list.
  mutating func press(_ key: Key, rows: Int) {
    switch key {
    case .eraseAll where typed.isEmpty: isEmptied = true
    case .text: isEmptied = false
    case .up, .down: if case .choice = editor { isEmptied = false }
    default: break
    }
    switch editor {
    case .line(var line):
      // Tab inserts the current value for editing.
      if key == .tab, line.isEmpty, !start.isNull, !isSecret {
        line = LineEditor(startText)
      } else {
        line.press(key)
      }
      editor = .line(line)
    case .choice(var choice):
      if key == .tab, choice.typed.isEmpty, choice.isAtOther, field.items == nil, !start.isNull {
        choice.begin(startText)
      } else {
        choice.press(key)
      }
      editor = .choice(choice)
    case .rows(var list):
      list.press(key, count: rows)
      editor = .rows(list)
    }
  }

  /// Replaces the choices.
  ///
  /// - Parameter values: the current values of a multiple choice.
  mutating func update(_ choices: [Choice], values: [JSON]) {
    guard case .choice(var choice) = editor else { return }
    choice.update(choices, values: values)
    editor = .choice(choice)
  }

  /// Removes the typed text.
  mutating func clear() {
    switch editor {
    case .rows: editor = .rows(RowsEditor())
    case .choice(var choice):
      if choice.selection == .other { choice.moveToOther() } else { choice.clear() }
      editor = .choice(choice)
    case .line(let line): editor = .line(LineEditor(isMultiline: line.isMultiline))
    }
  }

  /// The value of the answer; nil: the current value stays.
  var value: JSON? {
    if isEmptied { return .null }
    switch editor {
    case .line(let line):
      if line.isMultiline { return multilineValue(line.text) }
      return line.isEmpty ? nil : TypedText.value(line.text, for: field, words)
    case .choice(let choice):
      guard field.items == nil else { return nil }
      if case .own(let text)? = choice.selection { return TypedText.value(text, for: field, words) }
      return choice.chosen
    case .rows: return nil
    }
  }

  /// If the terminal sends whole lines, a text ends with a line break that is not part of the answer.
  private func multilineValue(_ text: String) -> JSON? {
    guard isLineByLine else { return text == (start.stringValue ?? "") ? nil : .string(text) }
    return text.isEmpty ? nil : .string(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// The reason why the typed text is not an answer to the question; nil if it is one.
  func problemOfTyped(_ question: Question, rows count: Int) -> String? {
    switch editor {
    case .line(let line):
      let isWord = question.kind == .boolean && !line.isEmpty && TypedText.boolean(line.text, words) == nil
      return isWord ? words.answerYesOrNo.filled { $0 == "yes" ? words.yesKey : words.noKey } : nil
    case .choice(let choice): return isEmptied ? nil : problem(of: choice)
    case .rows(let rows): return rows.command(count: count) == nil ? words.rowCommands : nil
    }
  }

  private func problem(of choice: ChoiceEditor) -> String? {
    switch choice.selection {
    case .choice?, .own?: return nil
    case .disabled?: return words.cannotBeChosen
    case .other?:
      // Enter at the entry keeps the text that is there. In a multiple choice, it goes on.
      let isKept = field.items != nil || !start.isNull && !choice.choices.contains { $0.value == start }
      return choice.typed.isEmpty && isKept ? nil : words.typeOther
    case nil:
      guard !choice.typed.isEmpty, choice.typedNumbers == nil else { return nil }
      let numbers = choice.possibleNumbers
      return numbers.isEmpty ? words.nothingToChoose : words.choose.filled { _ in numbers }
    }
  }

  /// The values that are marked or unmarked by the typed text of a multiple choice.
  var typedMarks: [JSON] {
    guard case .choice(let choice) = editor, let items = field.items, !choice.typed.isEmpty else { return [] }
    if let numbers = choice.typedNumbers { return numbers.map { choice.choices[$0].value } }
    if case .own(let text)? = choice.selection { return [TypedText.value(text, for: items, words)] }
    return choice.chosen.map { [$0] } ?? []
  }

  /// Whether Space marks or unmarks a choice, because nothing is typed.
  func isMarking(_ text: String) -> Bool {
    guard case .choice(let choice) = editor, field.items != nil, !isLineByLine else { return false }
    return choice.typed.isEmpty && text.allSatisfy { $0 == " " }
  }

  /// The marked choice; nil at the entry for a text of the user's own.
  var markedValue: JSON? {
    if case .choice(let choice) = editor { choice.chosen } else { nil }
  }
}
