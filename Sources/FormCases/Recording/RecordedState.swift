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
    all.outputs = Self.changes(outputs, since: [:])
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
    changes.fields = differences(of: fields, drawing, since: before.fields, before.drawing)
    changes.steps = Self.changes(steps, since: before.steps)
    changes.lookups = differences(of: lookups, lookup, since: before.lookups, before.lookup)
    changes.actions = Self.changes(actions, since: before.actions)
    changes.outputs = Self.changes(outputs, since: before.outputs)
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

  /// Of each field what a client draws by. Of a row only those that the document tells of: see ``drawing(_:)``.
  private var fields: JSONObject {
    JSONObject(document.allFields.compactMap { field in drawing(field.address).map { (field.address, $0) } })
  }

  /// The same of one field, which is as usual where its row is there and the document does not tell of it; nil where the row is gone.
  private func drawing(_ address: String) -> JSON? {
    document.field(address).map { field in
      [
        "isVisible": .bool(field.isVisible), "isEnabled": .bool(field.isEnabled),
        "isRequired": .bool(field.isRequired),
      ]
    }
  }

  private var steps: JSONObject { JSONObject(document.steps.map { ($0.id, $0.json) }) }
  private var actions: JSONObject { JSONObject(document.actions.map { ($0.name, $0.json) }) }

  /// Those of the form by name, those of rows by address. Of a row only those that the document tells of: see ``lookup(_:)``.
  private var lookups: JSONObject {
    JSONObject(
      document.lookups.map { ($0.name, $0.json) }
        + rows.flatMap { row in row.lookups.map { (Self.address(of: $0.name, in: row), $0.json) } }
    )
  }

  /// One of them, which is empty where its row is there and the document does not tell of it; nil where the row is gone.
  private func lookup(_ address: String) -> JSON? { document.lookup(at: address)?.json }

  /// Those of the form by name, those of rows by address.
  private var outputs: JSONObject {
    JSONObject(
      document.outputs.map { ($0.name, $0.value) }
        + rows.flatMap { row in row.outputs.map { (Self.address(of: $0.name, in: row), $0.value) } }
    )
  }

  private var rows: [FormDocument.Row] { document.allFields.flatMap(\.rows) }

  private static func address(of name: String, in row: FormDocument.Row) -> String {
    JSONPointer(address: row.address)?.appending(name).address ?? name
  }

  /// What differs of states that the document leaves out where they are as usual.
  ///
  /// - Parameters:
  ///   - state: what a state is now that the document leaves out; nil where it is gone.
  ///   - old: what it was then.
  private func differences(
    of told: JSONObject,
    _ state: (String) -> JSON?,
    since before: JSONObject,
    _ old: (String) -> JSON?
  ) -> JSONObject? {
    var (now, then) = (told, before)
    for address in before.names where told[address] == nil { now[address] = state(address) }
    for address in told.names where before[address] == nil { then[address] = old(address) }
    return Self.changes(now, since: then)
  }

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
