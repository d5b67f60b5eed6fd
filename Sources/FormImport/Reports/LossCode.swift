/// What a loss is about, for programs. `protocol/import.md` describes each.
package enum LossCode: String, CaseIterable, Sendable {
  // MARK: Every kind

  /// formd refuses a part of the form; the part is left out.
  case refused
  /// A key that the importer does not know.
  case unknownKey
  /// A value that is not of the type that its key must have.
  case wrongType

  /// What happened.
  package var kind: Loss.Kind {
    switch self {
    case .refused: .unsupported
    case .unknownKey, .wrongType: .unknown
    }
  }
}
