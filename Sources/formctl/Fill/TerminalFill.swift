internal import Client
internal import FormProtocol
internal import JSON
internal import TerminalForms

/// A form that a user fills in on a terminal. It passes keys and changes to the ``Interview``, and carries out the
/// requests of the interview on the session and the screen. It makes no decisions.
final class TerminalFill {
  private let session: FormSession
  private let daemon: FormConnection
  private let device: TerminalDevice
  private let description: FormDescription
  private var interview: Interview
  private var screen: ScreenPainter
  private var lines: LinePainter
  private var keys = KeyDecoder()
  /// The last state of the form. It remains when the daemon disconnects.
  private(set) var form: FilledForm

  /// The wait for bytes behind an Escape, and the interval of the progress display.
  private static let escapeTime = Duration.milliseconds(50)
  private static let tickTime = Duration.milliseconds(100)

  /// Prepares a form to be filled in.
  ///
  /// - Parameters:
  ///   - known: values that the session has already; they are not asked for.
  ///   - only: the addresses of the fields to ask for; nil: all.
  ///   - action: the action to tap at the end.
  init(
    _ session: FormSession,
    on daemon: FormConnection,
    _ description: FormDescription,
    known: JSONObject,
    only: [String]?,
    action: String?
  ) throws {
    self.session = session
    self.daemon = daemon
    self.description = description
    form = FilledForm(document: session.document, values: session.values)
    device = try TerminalDevice()
    interview = Interview(
      description,
      form,
      known: known,
      only: only,
      action: action,
      isLineByLine: !device.isScreen
    )
    let size = device.size
    screen = ScreenPainter(columns: size.columns, rows: size.rows, hasColor: device.hasColor)
    lines = LinePainter(hasColor: device.hasColor)
  }

  /// The values so far, as the form would submit them.
  ///
  /// - Parameter withSecrets: whether the result includes the secrets.
  func values(withSecrets: Bool) -> JSONObject {
    form.result(description.fields, secrets: withSecrets ? interview.secrets : [:])
  }

  /// Asks until the end, and then restores the terminal.
  ///
  /// - Throws: ``ClientError`` if the daemon disconnects, ``CommandFailure`` if the terminal fails.
  func run() throws -> Interview.Outcome {
    defer { device.restore() }
    do {
      try happened(.began)
      while interview.outcome == nil {
        try awaitNext()
        if session.isClosed { throw CommandFailure(message: "the daemon closed the session") }
      }
    } catch {
      leaveScreen()
      if interview.view.isSecret {
        device.write(interview.words.ended + (device.isScreen ? "\r\n" : "\n"))
        device.discardLine()
      }
      throw error
    }
    leaveScreen()
    return interview.outcome ?? .refused
  }

  // MARK: What happens

  /// Waits for a key, for the daemon, or for a resize of the terminal.
  private func awaitNext() throws {
    // Changes that came with an answer were read already, so that no descriptor reports them.
    let before = session.revision
    try session.receive()
    if session.isClosed { return }
    if session.revision != before { return try happened(.changed(current())) }
    let isBusy = interview.view.isBusy
    let time = keys.isWaiting ? Self.escapeTime : isBusy ? Self.tickTime : nil
    let ready = Poll.wait(for: [device.input, daemon.descriptor, device.wake], timeout: time)
    if ready[2] {
      if device.wokeUp() {
        screen.forget()
        lines.forget()
      }
      let size = device.size
      screen.resize(columns: size.columns, rows: size.rows)
      draw()
    }
    if ready[1] {
      try session.receive()
      try happened(.changed(current()))
    }
    if ready[0] {
      try typed()
    } else if keys.isWaiting {
      for key in keys.timeIsUp() { try happened(.key(key)) }
    } else if isBusy, !ready.contains(true) {
      try happened(.tick)
    }
  }

  private func typed() throws {
    let bytes = try device.read()
    if bytes.isEmpty { return try happened(.key(.endOfInput)) }
    for key in keys.keys(bytes) {
      // The terminal itself shows the line break that ends a line, unless it hides the input.
      if key == .enter, !device.isScreen, interview.view.isSecret { device.write("\n") }
      try happened(.key(key))
      if interview.outcome != nil { return }
    }
  }

  /// Passes an event to the interview, and carries out its requests until there are no more.
  private func happened(_ event: Interview.Event) throws {
    var requests = interview.handle(event)
    while !requests.isEmpty {
      var isTold = false
      for request in requests { try perform(request, &isTold) }
      // The form may normalize a value; it is read back after a whole answer, and not after each key.
      if isTold { try session.get() }
      try session.receive()
      requests = interview.handle(.changed(current()))
    }
    draw()
  }

  private func current() -> FilledForm {
    form = FilledForm(document: session.document, values: session.values)
    return form
  }

  private func perform(_ request: Interview.Request, _ isTold: inout Bool) throws {
    switch request {
    case .focus(let address): try session.focus(address)
    case .change(let address, let value): try session.change(address, to: value)
    case .toggle(let address, let value):
      try session.toggle(address, value)
      isTold = true
    case .blur(let address):
      try session.blur(address)
      isTold = true
    case .insert(let list):
      let row = try session.insert(into: list)
      let pointer = (JSONPointer(address: list) ?? .root).appending("#" + row)
      isTold = true
      _ = interview.handle(.rowInserted(pointer.address))
    case .remove(let row):
      try session.remove(row)
      isTold = true
    case .move(let row, let position):
      try session.move(row, to: .position(position))
      isTold = true
    case .step(let step): try session.show(step: step)
    case .commitRest:
      try session.commitRest(description)
      isTold = true
    case .tap(let action):
      draw()
      let event = try session.tapAndWait(action)
      try session.get()
      for request in interview.handle(.tapped(event, current())) { try perform(request, &isTold) }
    }
  }

  // MARK: What is seen

  private func draw() {
    let notes = interview.takeNotes()
    let view = interview.view
    if device.isScreen {
      device.write((notes.isEmpty ? "" : screen.leave(notes.map(\.line))) + screen.draw(view))
    } else {
      device.showsTyping(!view.isSecret)
      device.write(lines.leave(notes) + lines.draw(view))
    }
  }

  private func leaveScreen() {
    let notes = interview.takeNotes()
    device.write(device.isScreen ? screen.leave(notes.map(\.line)) : lines.leave(notes))
  }
}

extension FormSession {
  /// Starts the checks of fields that were not asked for, as a tap does: the fields count as given and left.
  func commitRest(_ description: FormDescription) throws(ClientError) {
    try get()
    var rest: JSONObject = [:]
    for field in description.fields where !field.isComputed && !field.isReadOnly {
      guard let state = document.field(field.name), state.isVisible, !state.isTouched else { continue }
      rest[field.name] = values[field.name]
    }
    if !rest.isEmpty { try changeAll(rest, commit: true) }
  }
}
