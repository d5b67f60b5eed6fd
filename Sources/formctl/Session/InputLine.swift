internal import FormProtocol
internal import JSON

/// One line of `formctl run`: an action of the form's user.
enum InputLine: Equatable {
  /// `email=kim@example.com`, or `count:=3` for JSON.
  case change(field: String, value: JSON)
  /// `items+={"sku":"A"}`, or `items+=` for a row with the schema's defaults.
  case insert(list: String, value: JSON?)
  /// `items-=#2`, or a position.
  case remove(row: String)
  /// `move /items/#2 0`
  case move(row: String, to: RowReference)
  /// `toggle extras gift`, or `toggle sizes :=3` for JSON.
  case toggle(field: String, value: JSON)
  /// `fail email That is taken.`
  case fail(field: String, message: String)
  case focus(String)
  case blur(String)
  case step(String)
  case tap(String)
  case cancel(String)
  case undo
  case redo
  case locale(String)
  /// `context {"role": "clerk"}`
  case context(JSONObject)
  case reset(field: String?)
  /// Waits until nothing is in progress.
  case wait
  /// Prints the whole document.
  case show
  case help
  case quit
  /// An empty line, or a comment.
  case nothing

  /// The reason why a line is invalid, with a hint.
  struct SyntaxError: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  /// Reads a line.
  init(_ line: String) throws(SyntaxError) {
    let line = Self.trim(line)
    guard !line.isEmpty, !line.hasPrefix("#") else {
      self = .nothing
      return
    }
    if line.hasPrefix("context {") || line == "context" {
      self = .context(try Self.context(String(line.dropFirst("context".utf8.count))))
      return
    }
    if line.hasPrefix("toggle ") {
      self = try Self.toggle(line)
      return
    }
    if let assignment = try Self.assignment(line) {
      self = assignment
      return
    }
    let words = line.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    switch (words[0], words.count) {
    case ("focus", 2): self = .focus(words[1])
    case ("blur", 2): self = .blur(words[1])
    case ("step", 2): self = .step(words[1])
    case ("tap", 2): self = .tap(words[1])
    case ("cancel", 2): self = .cancel(words[1])
    case ("undo", 1): self = .undo
    case ("redo", 1): self = .redo
    case ("move", 3):
      guard let position = RowReference(words[2]) else { throw SyntaxError(description: Self.moveRemedy) }
      self = .move(row: words[1], to: position)
    case ("move", _): throw SyntaxError(description: Self.moveRemedy)
    case ("fail", 3...):
      self = .fail(field: words[1], message: words[2...].joined(separator: " "))
    case ("fail", _): throw SyntaxError(description: "fail needs a field and a message: fail email That is taken.")
    case ("focus", _), ("blur", _): throw SyntaxError(description: "\(words[0]) needs one field: \(words[0]) email")
    case ("locale", 2): self = .locale(words[1])
    case ("locale", _): throw SyntaxError(description: "locale needs one language: locale ko")
    case ("step", _): throw SyntaxError(description: "step needs one step: step profile")
    case ("cancel", _): throw SyntaxError(description: "cancel needs one action: cancel login")
    case ("tap", _): throw SyntaxError(description: "tap needs one action: tap login")
    case ("undo", _), ("redo", _): throw SyntaxError(description: "\(words[0]) stands alone")
    case ("reset", 1): self = .reset(field: nil)
    case ("reset", 2): self = .reset(field: words[1])
    case ("wait", 1): self = .wait
    case ("show", 1): self = .show
    case ("help", 1), ("?", 1): self = .help
    case ("quit", 1), ("exit", 1): self = .quit
    default:
      throw SyntaxError(
        description: "\(JSON.string(words[0])) is not a known command; write field=text, or help for a list"
      )
    }
  }

  /// Reads a line that begins with `toggle`. The choice is the rest of the line.
  private static func toggle(_ line: String) throws(SyntaxError) -> InputLine {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count == 3 else {
      throw SyntaxError(description: "toggle needs a field and a choice: toggle extras gift, or toggle sizes :=3")
    }
    let (field, choice) = (String(words[1]), trim(String(words[2])))
    guard choice.hasPrefix(":=") else { return .toggle(field: field, value: .string(choice)) }
    let value = try json(String(choice.dropFirst(2)), behind: ":=", remedy: "for a text write toggle \(field) TEXT")
    return .toggle(field: field, value: value)
  }

  private static let moveRemedy =
    "move needs a row and its new position: move /items/#2 0, or the row before which it goes: move /items/#2 #5"

  private static func context(_ text: String) throws(SyntaxError) -> JSONObject {
    guard let context = try? JSON(parsing: text).objectValue else {
      throw SyntaxError(description: "context needs a JSON object: context {\"role\": \"clerk\"}")
    }
    return context
  }

  /// Reads a line with `=`; nil if the sign has no field before it.
  private static func assignment(_ line: String) throws(SyntaxError) -> InputLine? {
    guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let sign = line[..<equals].utf8.last.map { Character(Unicode.Scalar($0)) }
    let isPlain = sign.map { !":+-".contains($0) } ?? true
    let name = trim(String(line[..<(isPlain ? equals : line.utf8.index(before: equals))]))
    let text = String(line[line.utf8.index(after: equals)...])
    guard !name.isEmpty, !name.contains(" ") else { return nil }
    switch sign {
    case ":":
      return .change(
        field: name,
        value: try json(text, behind: ":=", remedy: "for a text write \(name)=TEXT")
      )
    case "+":
      if trim(text).isEmpty { return .insert(list: name, value: nil) }
      return .insert(
        list: name,
        value: try json(text, behind: "+=", remedy: "to insert a text as a row, write \(name)+=\"TEXT\"")
      )
    case "-":
      let row = trim(text)
      guard RowReference(row) != nil, let list = JSONPointer(address: name) else {
        throw SyntaxError(description: "which row of \(name)? write \(name)-=#2, or its position: \(name)-=0")
      }
      return .remove(row: list.appending(row).address)
    default:
      return .change(field: name, value: .string(text))
    }
  }

  private static func json(_ text: String, behind sign: String, remedy: String) throws(SyntaxError) -> JSON {
    do {
      return try JSON(parsing: text)
    } catch {
      throw SyntaxError(description: "the value after \(sign) is not valid JSON: \(error); \(remedy)")
    }
  }

  private static func trim(_ text: String) -> String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a }
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// The output of `help`.
  static let summary = """
    email=kim@example.com    set the field email to a text
    count:=3                 set the field count to a JSON value
    items+={"sku":"A"}       add a row to items; items+= adds one with the defaults
    items-=#2                remove the row #2 of items; items-=0: the first row
    /items/#2/sku=B          set a field of the row #2 to a text
    move /items/#2 0         move the row to the top; move /items/#2 #5: before #5
    toggle extras gift       mark or unmark a choice; toggle sizes :=3: a number
    fail email Taken.        show that error at email until its value changes
    focus email              begin to edit email
    blur email               end the editing of email
    step profile             go to the step profile
    tap login                tap the action login
    cancel login             give up the taps of login that have not ended
    undo                     take back the last edit; redo: repeat it
    locale ko                show the texts in Korean
    context {"role":"clerk"} replace the context
    reset                    start again; reset email: only this field
    wait                     wait until nothing is in progress
    show                     print the whole document
    quit                     end at once; the end of input waits first
    """
}
