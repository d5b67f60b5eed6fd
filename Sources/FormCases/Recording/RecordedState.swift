internal import Client
internal import JSON
internal import Sessions

/// The state of a session at one moment, by address, so that two moments can be compared.
struct RecordedState {
  private let document: FormDocument
  private let values: JSONObject

  init(_ state: CaseSession) {
    document = FormDocument(state.document)
    values = state.session.values().objectValue ?? [:]
  }

  /// The state after the opening, without the parts that every empty form shares.
  var all: Expectations {
    var all = Expectations()
    all.isValid = document.isValid
    all.messages = Self.changes(messages, since: [:])
    all.errors = Self.changes(errors, since: [:])
    all.outputs = Self.changes(outputs, since: [:])
    all.step = document.step.map { .string($0) }
    return all
  }

  /// The changes of the state, as expectations: null for what was removed.
  ///
  /// - Parameter step: values that the step itself changed are left out.
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

  /// The flags of each field that a client draws by. The document lists only some fields of a row: see ``drawing(_:)``.
  private var fields: JSONObject {
    JSONObject(document.allFields.compactMap { field in drawing(field.address).map { (field.address, $0) } })
  }

  /// The flags of one field. If the row exists and the document does not list the field, they have their defaults. nil
  /// if the row was removed.
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

  /// The form's lookups by name, and the lookups of rows by address. The document lists only some lookups of a row: see
  /// ``lookup(_:)``.
  private var lookups: JSONObject {
    JSONObject(
      document.lookups.map { ($0.name, $0.json) }
        + rows.flatMap { row in row.lookups.map { (Self.address(of: $0.name, in: row), $0.json) } }
    )
  }

  /// The state of one lookup. It is empty if the row exists and the document does not list the lookup. nil if the row
  /// was removed.
  private func lookup(_ address: String) -> JSON? { document.lookup(at: address)?.json }

  /// The form's outputs by name, and the outputs of rows by address.
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

  /// The differences between states that the document leaves out if they have their defaults.
  ///
  /// - Parameters:
  ///   - state: the current state at an address that the document leaves out; nil if it was removed.
  ///   - old: the earlier state at such an address.
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

  /// The differences, with null for removed members. Objects have only the members that differ. nil if nothing differs.
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
  /// The top-level names whose values the step itself sets.
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
