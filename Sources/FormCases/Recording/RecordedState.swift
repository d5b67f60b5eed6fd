internal import Client
internal import JSON
internal import Sessions

/// What a session shows at one moment, by address, so that two moments can be compared.
struct RecordedState {
  private let document: FormDocument
  private let values: JSONObject

  init(_ state: CaseSession) {
    document = FormDocument(state.document)
    values = state.session.values().objectValue ?? [:]
  }

  /// What is shown after the opening, as far as it is not as in every empty form.
  var all: Expectations {
    var all = Expectations()
    all.isValid = document.isValid
    all.messages = Self.changes(messages, since: [:])
    all.errors = Self.changes(errors, since: [:])
    all.outputs = Self.changes(document.outputs, since: [:])
    all.step = document.step.map { .string($0) }
    return all
  }

  /// What is shown now and was not before, as a case expects it: null for what is gone.
  ///
  /// - Parameter step: the values that it changed itself are left out.
  func changes(since before: RecordedState, by step: TestStep) -> Expectations {
    var changes = Expectations()
    if document.isValid != before.document.isValid { changes.isValid = document.isValid }
    if document.isPending != before.document.isPending { changes.isPending = document.isPending }
    if document.step != before.document.step { changes.step = document.step.map { .string($0) } ?? .null }
    changes.messages = Self.changes(messages, since: before.messages)
    changes.errors = Self.changes(errors, since: before.errors)
    changes.fields = Self.changes(fields, since: before.fields)
    changes.steps = Self.changes(named(document.steps.map { ($0.id, $0.json) }), since: before.steps)
    changes.lookups = Self.changes(lookups, since: before.lookups)
    changes.actions = Self.changes(actions, since: before.actions)
    changes.outputs = Self.changes(document.outputs, since: before.document.outputs)
    let own = step.changedNames
    let moved = Self.changes(values, since: before.values).map { moved in
      JSONObject(moved.filter { !own.contains($0.name) }.map { ($0.name, $0.value) })
    }
    if let moved, !moved.isEmpty { changes.values = moved }
    return changes
  }

  private var messages: JSONObject {
    JSONObject(document.messages.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
  }

  private var errors: JSONObject {
    var errors = JSONObject()
    if !document.errors.isEmpty { errors[""] = .array(document.errors.map { .string($0.code) }) }
    for field in document.allFields where !field.errors.isEmpty {
      errors[field.address] = .array(field.errors.map { .string($0.code) })
    }
    return errors
  }

  /// Of each field what a client draws by.
  private var fields: JSONObject {
    JSONObject(
      document.allFields.map { field in
        (
          field.address,
          [
            "isVisible": .bool(field.isVisible), "isEnabled": .bool(field.isEnabled),
            "isRequired": .bool(field.isRequired),
          ]
        )
      }
    )
  }

  private var steps: JSONObject { named(document.steps.map { ($0.id, $0.json) }) }
  private var lookups: JSONObject { named(document.lookups.map { ($0.name, $0.json) }) }
  private var actions: JSONObject { named(document.actions.map { ($0.name, $0.json) }) }

  private func named(_ states: [(String, JSON)]) -> JSONObject { JSONObject(states) }

  /// What differs, with null for what is gone; of objects only the members that differ. Nil where nothing does.
  private static func changes(_ now: JSONObject, since before: JSONObject) -> JSONObject? {
    var changes = JSONObject()
    for member in now where before[member.name] != member.value {
      if case .object(let inner) = member.value, case .object(let old)? = before[member.name] {
        changes[member.name] = Self.changes(inner, since: old).map { .object($0) }
      } else {
        changes[member.name] = member.value
      }
    }
    for member in before where now[member.name] == nil { changes[member.name] = .null }
    return changes.isEmpty ? nil : changes
  }
}

extension TestStep {
  /// The top-level names whose values the step itself gives.
  fileprivate var changedNames: Set<String> {
    let addresses: [String] =
      switch change {
      case .field(let address)?: [address]
      case .values(let values)?: values.names
      case nil: [insert, remove, move].compactMap(\.self)
      }
    return Set(addresses.compactMap { JSONPointer(address: $0)?.tokens.first })
  }
}
