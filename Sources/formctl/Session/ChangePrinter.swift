internal import Client
internal import FormProtocol
internal import JSON

/// Describes a patch and its events for people, a line for each fact.
struct ChangePrinter {
  /// The lines for one change of a session.
  func lines(for change: FormSession.Change) -> [String] {
    switch change {
    case .updated(let patch, let events, _): facts(of: patch) + events.map(line(for:))
    case .valuesTold(let values, let absent):
      values.map { "= \($0.name)  \($0.value)" } + absent.map { "= \($0)  gone" }
    case .replaced(let eventsLost):
      [
        "! updates were lost; the document was requested again"
          + (eventsLost > 0 ? "; \(eventsLost) events were lost" : "")
      ]
    case .lost(let error): ["! \(error)"]
    case .closed(let reason): ["! the session was closed" + (reason.map { ": \($0.wireName)" } ?? "")]
    }
  }

  /// The line for a notification that is not about a session.
  func line(for notice: FormConnection.Notice) -> String {
    switch notice {
    case .draining: "! the daemon is ending"
    case .formsChanged: "! the forms were reloaded"
    case .reconnected: "! the connection was lost and restored"
    case .other(let method, let params): "! \(method) \(params)"
    }
  }

  /// One line for each changed leaf: its path and its new value, or `gone` if it was removed.
  func facts(of patch: JSON) -> [String] {
    var leaves: [(path: String, value: String)] = []
    collect(patch, at: [], into: &leaves)
    let width = leaves.map(\.path.count).max() ?? 0
    return leaves.map { leaf in
      "  \(leaf.path)\(String(repeating: " ", count: min(width, 40) - min(leaf.path.count, 40)))  \(leaf.value)"
    }
  }

  private func collect(_ value: JSON, at path: [String], into leaves: inout [(path: String, value: String)]) {
    let content = FormDocument.content(at: path)
    let text: String
    switch value {
    // The outcome of an action is printed as a whole.
    case .object(let members) where !members.isEmpty && content != .outcome:
      for member in members { collect(member.value, at: path + [member.name], into: &leaves) }
      return
    case .object where path.isEmpty: return
    case .null: text = "gone"
    case .array(let elements) where content == .errors: text = errors(elements)
    default: text = value.description
    }
    leaves.append((path.joined(separator: "."), text))
  }

  private func errors(_ errors: [JSON]) -> String {
    if errors.isEmpty { return "none" }
    return errors.map { error in
      let error = FormError(error, of: nil)
      return error.isWarning ? "\(error.code) (warning)" : error.code
    }.joined(separator: ", ")
  }

  private func line(for event: ActionEvent) -> String {
    var text = "* \(event.action) \(event.kind?.wireName.description ?? Self.unknownEnd)"
    if let message = event.message { text += ": \(message)" }
    if let result = event.result { text += "  \(result)" }
    if let error = event.error { text += "  \(error)" }
    if let blockers = Self.text(of: event.blockers) { text += "  blocked by \(blockers)" }
    return text
  }

  /// The text for a tap that ended in a way that only newer daemons know.
  static let unknownEnd = "ended in an unknown way"

  /// The reasons for a rejected tap: `email required, disabled`; nil if there are none.
  static func text(of blockers: [Blocker]) -> String? {
    if blockers.isEmpty { return nil }
    return blockers.map { [$0.field, $0.code].compactMap(\.self).joined(separator: " ") }.joined(separator: ", ")
  }
}
