/// A reason why the daemon is not ready for clients, although it may run well.
package enum ReadinessProblem: Equatable, Sendable {
  case ending
  /// The store of kept sessions does not answer or cannot be written, with the reason.
  case store(String)
  /// These files have errors, and the daemon has no earlier version of their forms.
  case forms([String])

  /// The reason for all users of the machine: it has no address and no path.
  package var summary: String {
    switch self {
    case .ending: "the daemon is ending"
    case .store: "the store of kept sessions does not answer or cannot be written"
    case .forms(let files): "\(files.count) \(files.count == 1 ? "form has" : "forms have") errors"
    }
  }

  /// The reason for the operator.
  package var description: String {
    switch self {
    case .ending: summary
    case .store(let why): "\(summary): \(why)"
    case .forms(let files): "\(summary): \(files.joined(separator: ", "))"
    }
  }
}
