internal import Client
internal import JSON

/// Tells people what a patch and its events mean, a line for each fact.
struct ChangePrinter {
  /// The lines for one change of a session.
  func lines(for change: FormSession.Change) -> [String] {
    switch change {
    case .updated(let patch, let events, _): facts(of: patch) + events.map(line(for:))
    case .replaced: ["! updates were lost; the document was asked for again"]
    case .closed(let reason): ["! the session was closed: \(reason)"]
    case .other("server/draining", _): ["! the daemon is ending"]
    case .other(let method, let params): ["! \(method) \(params)"]
    }
  }

  /// One line per leaf that changed: its path, and its new value; `gone` for one that was removed.
  func facts(of patch: JSON) -> [String] {
    var leaves: [(path: String, value: String)] = []
    collect(patch, path: "", into: &leaves)
    let width = leaves.map(\.path.count).max() ?? 0
    return leaves.map { leaf in
      "  \(leaf.path)\(String(repeating: " ", count: min(width, 40) - min(leaf.path.count, 40)))  \(leaf.value)"
    }
  }

  private func collect(_ value: JSON, path: String, into leaves: inout [(path: String, value: String)]) {
    switch value {
    case .object(let members) where !members.isEmpty && !isResult(path):
      for member in members {
        collect(member.value, path: path.isEmpty ? member.name : "\(path).\(member.name)", into: &leaves)
      }
    case .object where path.isEmpty: break
    case .null: leaves.append((path, "gone"))
    case .array(let elements) where path.hasSuffix("errors"): leaves.append((path, errors(elements)))
    default: leaves.append((path, value.description))
    }
  }

  /// What an action returned is shown whole.
  private func isResult(_ path: String) -> Bool {
    path.hasPrefix("actions.") && (path.hasSuffix(".result") || path.hasSuffix(".error"))
  }

  private func errors(_ errors: [JSON]) -> String {
    if errors.isEmpty { return "none" }
    return errors.map { error in
      let code = error["code"]?.stringValue ?? error.description
      return error["severity"]?.stringValue == "warning" ? "\(code) (warning)" : code
    }.joined(separator: ", ")
  }

  private func line(for event: JSON) -> String {
    var text = "* \(event["action"]?.stringValue ?? "?") \(event["kind"]?.stringValue ?? "?")"
    if let message = event["message"]?.stringValue { text += ": \(message)" }
    if let result = event["result"] { text += "  \(result)" }
    if let error = event["error"] { text += "  \(error)" }
    if let blockers = Self.blockers(of: event) { text += "  blocked by \(blockers)" }
    return text
  }

  /// Why a tap was rejected, by its event or its answer: `email required, disabled`; nil when no reason is given.
  static func blockers(of tap: JSON) -> String? {
    guard let blockers = tap["blockers"]?.arrayValue, !blockers.isEmpty else { return nil }
    return blockers.map { blocker in
      [blocker["field"]?.stringValue, blocker["code"]?.stringValue].compactMap(\.self).joined(separator: " ")
    }.joined(separator: ", ")
  }
}
