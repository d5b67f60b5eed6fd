internal import Client
internal import Forms
internal import JSON
internal import Sessions

/// The engine's explanation of the parts that are not as expected.
struct Explanation {
  private let engineSays: JSON
  private let state: CaseSession
  /// The subjects that are explained on their own, and so are left out of the form's explanation.
  private let subjects: [Deviation.Subject]

  init(_ state: CaseSession, of subjects: [Deviation.Subject]) {
    self.state = state
    self.subjects = subjects
    engineSays = state.session.explanation()
  }

  /// The explanation of a subject; nil if the engine has none.
  func text(of subject: Deviation.Subject) -> JSON? {
    switch subject {
    case .form: ofForm
    case .field(let address): part("fields", address) ?? asUsual(address)
    case .step(let id): part("steps", id)
    case .lookup(let name): part("lookups", name)
    case .action(let name): part("actions", name)
    case .output(let name): ofOutput(name)
    }
  }

  private func part(_ kind: String, _ name: String) -> JSON? {
    engineSays.value(at: JSONPointer(tokens: [kind, name]))
  }

  /// The explanation of the form as a whole, and of the fields that have an explanation.
  private var ofForm: JSON? {
    guard var all = part("form")?.objectValue else { return nil }
    for field in part("fields")?.objectValue ?? [:] where !subjects.contains(.field(field.name)) {
      all["field " + field.name] = field.value
    }
    return .object(all)
  }

  private func part(_ kind: String) -> JSON? { engineSays.value(at: JSONPointer(tokens: [kind])) }

  /// The explanation of a field for which the engine has none: its state in the document.
  private func asUsual(_ address: String) -> JSON? {
    FormDocument(state.document).field(address).map { .object($0.state) }
  }

  private func ofOutput(_ name: String) -> JSON? {
    let path = JSONPointer(address: name)?.tokens ?? []
    let asDefined = JSONPointer(tokens: path.map { $0.utf8.first == UInt8(ascii: "#") ? "*" : $0 }).address
    guard let output = state.form.outputs.first(where: { $0.address == asDefined }) else { return nil }
    return state.session.explanation(of: output)
  }
}
