internal import Client

/// An answer that is being given.
struct Answer: Sendable {
  /// By what it is given.
  enum Editor: Hashable, Sendable {
    case line(LineEditor)
    case choice(ChoiceEditor)
    case rows(RowsEditor)
  }

  /// By what it is given.
  private(set) var editor: Editor
  /// The value when the question was asked: what Enter alone leaves as it is. Nil where it is not known, as of a secret, or there is none.
  let start: JSON
  /// The value that the daemon has.
  var sent: JSON
  /// Why what was typed is no answer at all.
  var fault: String?
  /// Whether the form said no to it.
  var isRefused = false
  /// Whether the value is to be taken away: Ctrl-U where nothing is typed.
  private(set) var isEmptied = false
  private let type: FieldKind
  private let isSecret: Bool
  private let isLineByLine: Bool

  /// No answer yet.
  init(to question: Question, in form: FilledForm, _ choices: [Choice], isLineByLine: Bool) {
    start = form.value(question.address) ?? .null
    sent = start
    type = question.field.type
    isSecret = question.field.isSecret
    self.isLineByLine = isLineByLine
    switch question.kind {
    case .line, .truth: editor = .line(LineEditor())
    case .lines: editor = .line(LineEditor(isLineByLine ? "" : start.stringValue ?? "", isMultiline: true))
    case .choice: editor = .choice(ChoiceEditor(choices, value: form.value(question.address)))
    case .rows: editor = .rows(RowsEditor())
    }
  }

  /// What was typed.
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

  /// A key was pressed.
  ///
  /// - Parameter rows: how many rows the list has.
  mutating func press(_ key: Key, rows: Int) {
    if key == .eraseAll, typed.isEmpty { isEmptied = true } else if case .text = key { isEmptied = false }
    switch editor {
    case .line(var line):
      // The value that is there already, to be edited.
      if key == .tab, line.isEmpty, !start.isNull, !isSecret {
        line = LineEditor(TypedText.text(of: start))
      } else {
        line.press(key)
      }
      editor = .line(line)
    case .choice(var choice):
      choice.press(key)
      editor = .choice(choice)
    case .rows(var list):
      list.press(key, count: rows)
      editor = .rows(list)
    }
  }

  /// Other things can be chosen now.
  mutating func update(_ choices: [Choice]) {
    guard case .choice(var choice) = editor else { return }
    choice.update(choices)
    editor = .choice(choice)
  }

  /// What was typed goes.
  mutating func clear() {
    switch editor {
    case .rows: editor = .rows(RowsEditor())
    case .choice(let choice):
      editor = .choice(ChoiceEditor(choice.choices, value: choice.marked.map { choice.choices[$0].value }))
    case .line(let line): editor = .line(LineEditor(isMultiline: line.isMultiline))
    }
  }

  /// The value that is meant; nil: what is there stays.
  var value: JSON? {
    if isEmptied { return .null }
    switch editor {
    case .line(let line):
      if line.isMultiline { return multilineValue(line.text) }
      return line.isEmpty ? nil : TypedText.value(line.text, of: type)
    case .choice(let choice): return choice.chosen
    case .rows: return nil
    }
  }

  /// A text whose lines the terminal gave whole ends with a line break that is not meant.
  private func multilineValue(_ text: String) -> JSON? {
    guard isLineByLine else { return text == (start.stringValue ?? "") ? nil : .string(text) }
    return text.isEmpty ? nil : .string(text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }

  /// Why what was typed is no answer to the question; nil for one.
  func faultOfTyped(_ question: Question, rows count: Int) -> String? {
    switch editor {
    case .line(let line):
      let isWord = question.kind == .truth && !line.isEmpty && TypedText.truth(line.text) == nil
      return isWord ? "Answer y or n." : nil
    case .choice(let choice):
      guard !choice.typed.isEmpty, choice.chosen == nil else { return nil }
      return choice.choices.isEmpty
        ? "There is nothing to choose." : "Choose by a number from 1 to \(choice.choices.count), or by name."
    case .rows(let rows):
      return rows.command(count: count) == nil
        ? "Write a to add a row, a number to edit one, r and a number to remove one." : nil
    }
  }
}
