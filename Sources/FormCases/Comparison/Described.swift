internal import DocumentProperties
internal import FormProtocol
internal import JSON

/// The kinds of objects whose members have names that formd defines.
enum Described: CustomStringConvertible {
  case field, step, lookup, action, tap, event

  /// The names of all members that it may have.
  var members: [String] {
    switch self {
    case .field: FieldProperty.inDocument.map(\.name)
    case .step: StepProperty.inDocument.map(\.name)
    case .lookup: LookupProperty.inDocument.map(\.name)
    case .action: ActionProperty.inDocument.map(\.name)
    // A case expects the document by the members of `expect`.
    case .tap: (TapAnswer.schema["properties"]?.objectValue?.names ?? []).filter { $0 != "document" }
    case .event: ActionEvent.schema["properties"]?.objectValue?.names ?? []
    }
  }

  /// The kind, for people.
  var description: String {
    switch self {
    case .field: "a field"
    case .step: "a step"
    case .lookup: "a lookup"
    case .action: "an action"
    case .tap: "the answer to a tap"
    case .event: "an event"
    }
  }
}
