public import FormProtocol
public import JSON

/// A session's output document: what the form says of its fields, its actions and itself.
///
/// This is a view of the document as JSON. A part that is not there (because the session watches other places) reads as false, empty
/// or nil. This file, ``FormError`` and ``ToldValues`` are the only ones of the client's that know how the engine names the parts.
public struct FormDocument: Hashable, Sendable {
  /// The whole document.
  public let json: JSON

  /// A view of that document.
  public init(_ json: JSON) {
    self.json = json
  }

  // MARK: The form

  /// Whether no error blocks the form and no check is under way.
  public var isValid: Bool { json.flag("isValid") }

  /// Whether a check is under way.
  public var isPending: Bool { json.flag("isPending") }

  /// Whether a value is another one than in the beginning.
  public var isDirty: Bool { json.flag("isDirty") }

  /// Whether nothing is under way: no check, no lookup, and no action.
  public var isSettled: Bool {
    !isPending && !lookups.contains(where: \.isLoading) && !actions.contains(where: \.isLoading)
      && !allFields.contains { field in field.rows.contains { $0.lookups.contains(where: \.isLoading) } }
  }

  /// The errors of the form as a whole.
  public var errors: [FormError] { json.errors(of: nil) }

  /// All errors, those of the fields first.
  public var allErrors: [FormError] { allFields.flatMap(\.errors) + errors }

  /// The messages to be shown, by the address of the field.
  public var messages: [String: String] {
    var messages: [String: String] = [:]
    for member in json.members("messages") { messages[member.name] = member.value.stringValue }
    return messages
  }

  /// What the form computes, by name.
  public var outputs: JSONObject { json.members("outputs") }

  /// The output of that name, or, where each row has one, at that address, in which a row is its identity or its position (`/items/#7/net`).
  package func output(_ address: String) -> JSON? {
    outputs[address] ?? row(holding: address).flatMap { $0.row.outputs[$0.name] }
  }

  /// The lookup of that name, or, where each row has one, at that address, written likewise.
  package func lookup(at address: String) -> Lookup? {
    lookup(address) ?? row(holding: address).map { $0.row.lookup($0.name) }
  }

  /// The row that an address begins with, and the name that follows; nil for an address that is none of a row's.
  private func row(holding address: String) -> (row: Row, name: String)? {
    guard var tokens = JSONPointer(address: address)?.tokens, tokens.count > 2 else { return nil }
    let name = tokens.removeLast()
    let row = tokens.removeLast()
    return field(JSONPointer(tokens: tokens).address)?.row(row).map { ($0, name) }
  }

  // MARK: Fields

  /// The top-level fields in the order of the form.
  public var fields: [Field] { form.fields }

  /// All fields, each with those inside of it behind it. Of a row only those that the document tells of.
  public var allFields: [Field] { fields.flatMap(\.withFieldsBelow) }

  /// The field at an address: a name (`email`), or a JSON Pointer (`/address/city`) in which a row is its identity or its position
  /// (`/items/#7/quantity`, `/items/0`). A field of a row that the document leaves out is as usual.
  public func field(_ address: String) -> Field? {
    guard let pointer = JSONPointer(address: address), !pointer.tokens.isEmpty else { return nil }
    var found = form
    for name in pointer.tokens {
      guard let next = found.field(name) ?? found.row(name)?.state else { return nil }
      found = next
    }
    return found
  }

  /// What can be chosen at an address at present, where a formula says so; nil where there is no such list.
  ///
  /// - Parameter template: the address in the form's description, in which rows are `*`. What is the same for all rows of a list stands
  ///   there, once.
  public func options(_ address: String, template: String) -> [Choice]? {
    if let options = field(address)?.json["options"]?.arrayValue { return options.map(Choice.init(reading:)) }
    guard let list = JSONPointer(address: address)?.tokens.first.flatMap({ field($0) }) else { return nil }
    return list.json.members("options")[template]?.arrayValue?.map(Choice.init(reading:))
  }

  /// The rows of the list at an address, in order.
  public func rows(_ address: String) -> [Row] { field(address)?.rows ?? [] }

  /// The form as if it were a field.
  private var form: Field { Field(pointer: .root, addressPointer: .root, isInRow: false, json: json) }

  /// The state of one field, or of a row.
  public struct Field: Hashable, Sendable {
    /// Where the field stands in the values; of a row this is its position.
    public let pointer: JSONPointer
    /// The same with the identities of rows in place of their positions.
    fileprivate let addressPointer: JSONPointer
    /// Whether what is as usual is left out.
    fileprivate let isInRow: Bool
    fileprivate let json: JSON

    /// The field's name.
    public var name: String { addressPointer.tokens.last ?? "" }
    /// The field's address: its name, or deeper a JSON Pointer.
    public var address: String { addressPointer.address }
    /// The fields inside of it, in order; of a row those that are in some way not as usual.
    public var fields: [Field] { json.members("fields").map { inside($0.name, $0.value) } }
    /// The rows of a list, in order.
    public var rows: [Row] {
      let rows = json.members("rows")
      return order.enumerated().map { position, identity in
        let state = Field(
          pointer: pointer.appending(position),
          addressPointer: addressPointer.appending("#" + identity),
          isInRow: true,
          json: rows[identity] ?? [:]
        )
        return Row(identity: identity, state: state)
      }
    }
    fileprivate var withFieldsBelow: [Field] {
      [self] + fields.flatMap(\.withFieldsBelow) + rows.flatMap(\.state.withFieldsBelow)
    }

    private var order: [String] { (json["order"]?.arrayValue ?? []).compactMap(\.stringValue) }

    fileprivate func field(_ name: String) -> Field? {
      if let json = json.members("fields")[name] { return inside(name, json) }
      let isRow = name.utf8.first == UInt8(ascii: "#") || JSONPointer.arrayIndex(name) != nil || json["order"] != nil
      return isInRow && !isRow ? inside(name, [:]) : nil
    }

    fileprivate func row(_ name: String) -> Row? {
      if name.utf8.first == UInt8(ascii: "#") { return rows.first { $0.identity == name.dropFirst() } }
      guard let position = JSONPointer.arrayIndex(name), position < order.count else { return nil }
      return rows[position]
    }

    private func inside(_ name: String, _ json: JSON) -> Field {
      Field(
        pointer: pointer.appending(name),
        addressPointer: addressPointer.appending(name),
        isInRow: isInRow,
        json: json
      )
    }

    /// Whether the field is to be shown.
    public var isVisible: Bool { json.flag("isVisible", usually: isInRow) }
    /// Whether the user may change the field.
    public var isEnabled: Bool { json.flag("isEnabled", usually: isInRow) }
    /// Whether the field needs a value.
    public var isRequired: Bool { json.flag("isRequired") }
    /// Whether no error blocks the field and no check of the field is under way.
    public var isValid: Bool { json.flag("isValid", usually: isInRow) }
    /// Whether a check of the field is under way.
    public var isPending: Bool { json.flag("isPending") }
    /// Whether the value is another one than in the beginning.
    public var isDirty: Bool { json.flag("isDirty") }
    /// Whether the user has left the field.
    public var isTouched: Bool { json.flag("isTouched") }
    /// Whether the field has no value.
    public var isEmpty: Bool { json.flag("isEmpty") }
    /// The errors of the field, those included whose message is not shown yet.
    public var errors: [FormError] { json.errors(of: self) }

    /// Everything that the document says of the field itself, what it leaves out of a row included. The rows of a list are told by their
    /// order.
    package var state: JSONObject {
      var state: JSONObject = [
        "isVisible": .bool(isVisible), "isEnabled": .bool(isEnabled), "isRequired": .bool(isRequired),
        "isValid": .bool(isValid), "isPending": .bool(isPending), "isDirty": .bool(isDirty),
        "isTouched": .bool(isTouched), "isEmpty": .bool(isEmpty), "errors": [],
      ]
      for member in json.objectValue ?? [:] where !["fields", "rows", "outputs", "lookups"].contains(member.name) {
        state[member.name] = member.value
      }
      return state
    }
  }

  /// One row of a list.
  public struct Row: Hashable, Sendable {
    /// The number that the session gave the row, and gives to no other; in addresses it stands behind a `#`.
    public let identity: String
    /// The state of the row as a whole.
    public let state: Field

    /// The row's address, by its identity.
    public var address: String { state.address }
    /// Whether no error blocks the row and no check of its fields is under way.
    public var isValid: Bool { state.isValid }
    /// The state of one of the row's fields: as usual where the document does not tell of it. nil for what names a row.
    public func field(_ name: String) -> Field? { state.field(name) }
    /// The lookups of the row that ask, or have found or failed to find something.
    public var lookups: [Lookup] { state.json.members("lookups").map { Lookup(name: $0.name, json: $0.value) } }
    /// The row's lookup of that name; one that is not told of does not ask, and has found nothing.
    public func lookup(_ name: String) -> Lookup {
      Lookup(name: name, json: state.json.members("lookups")[name] ?? [:])
    }
    /// What the form computes for the row, by name.
    public var outputs: JSONObject { state.json.members("outputs") }
  }

  // MARK: Steps

  /// The id of the step that the user sees; nil for a form without steps, and while all are hidden.
  public var step: String? { json["step"]?.stringValue }

  /// The steps in the order of the form.
  public var steps: [Step] { json.members("steps").map { Step(id: $0.name, json: $0.value) } }

  /// The step of that id.
  public func step(_ id: String) -> Step? { json.members("steps")[id].map { Step(id: id, json: $0) } }

  /// The state of one step.
  public struct Step: Hashable, Sendable {
    /// The step's id.
    public let id: String
    /// The state as the document has it.
    package let json: JSON

    /// Whether the step is to be shown. The fields of one that is not are hidden.
    public var isVisible: Bool { json.flag("isVisible") }
    /// Whether all of its fields are valid.
    public var isValid: Bool { json.flag("isValid") }
    /// Whether a check of one of its fields is under way.
    public var isPending: Bool { json.flag("isPending") }
    /// Whether the user has left one of its fields.
    public var isTouched: Bool { json.flag("isTouched") }
  }

  // MARK: Lookups

  /// The lookups in the order of the form.
  public var lookups: [Lookup] { json.members("lookups").map { Lookup(name: $0.name, json: $0.value) } }

  /// The lookup of that name.
  public func lookup(_ name: String) -> Lookup? {
    json.members("lookups")[name].map { Lookup(name: name, json: $0) }
  }

  /// The state of one lookup.
  public struct Lookup: Hashable, Sendable {
    /// The lookup's name.
    public let name: String
    /// The state as the document has it.
    package let json: JSON

    /// Whether it asks; until it has the answer ``value`` is the one before.
    public var isLoading: Bool { json.flag("isLoading") }
    /// What it has found; nil while it has nothing to ask, and after a failure.
    public var value: JSON? { json["value"] }
    /// Why it has found nothing: the kind of a response, `status` or `fault`; nil where it has not failed.
    public var error: String? { json["error"]?.stringValue }
  }

  // MARK: Actions

  /// The actions in the order of the form.
  public var actions: [Action] { json.members("actions").map { Action(name: $0.name, json: $0.value) } }

  /// The action of that name.
  public func action(_ name: String) -> Action? {
    json.members("actions")[name].map { Action(name: name, json: $0) }
  }

  /// The state of one action.
  public struct Action: Hashable, Sendable {
    /// The action's name.
    public let name: String
    /// The state as the document has it.
    package let json: JSON

    /// Whether a tap may succeed.
    public var isEnabled: Bool { json.flag("isEnabled") }
    /// Whether a run is under way.
    public var isLoading: Bool { json.flag("isLoading") }
    /// How many runs have begun.
    public var attempts: Int { json["attempts"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0 }
    /// The result of the last success; nil after a failure.
    public var result: JSON? { json["result"] }
    /// The error of the last failure; nil after a success.
    public var error: JSON? { json["error"] }
    /// The text of the last outcome.
    public var message: String? { json["message"]?.stringValue }
  }

  // MARK: Places

  /// What stands at a place of the document, as far as people read that differently.
  package enum Content {
    /// A list of errors; see ``FormError``.
    case errors
    /// What an action came to, or a lookup.
    case outcome
    /// A state, a text, or a part of a value of the form's own.
    case other
  }

  /// What stands at a place.
  ///
  /// - Parameter tokens: the names that lead there.
  package static func content(at tokens: [String]) -> Content {
    switch (tokens.first, tokens.count, tokens.last) {
    case ("errors", 1, _): .errors
    // `fields` or `rows`, a name, and so on: the place of a field's member has an odd number of names.
    case ("fields", let count, "errors") where count % 2 == 1: .errors
    case ("actions", 3, "result"), ("actions", 3, "error"): .outcome
    case ("lookups", 3, "value"), ("lookups", 3, "error"): .outcome
    // In a row: `lookups`, a name and a member behind an even number of names.
    case ("fields", let count, "value"), ("fields", let count, "error"):
      count % 2 == 1 && tokens[count - 3] == "lookups" ? .outcome : .other
    default: .other
    }
  }
}

extension Choice {
  /// A choice as the document has it.
  fileprivate init(reading json: JSON) {
    self.init(value: json["value"] ?? .null, label: json["label"]?.stringValue)
  }
}

extension JSON {
  /// Whether the member of that name is true.
  fileprivate func flag(_ name: String, usually: Bool = false) -> Bool { self[name]?.boolValue ?? usually }

  /// The members of the object of that name.
  fileprivate func members(_ name: String) -> JSONObject { self[name]?.objectValue ?? [:] }

  /// The errors that are listed here.
  fileprivate func errors(of field: FormDocument.Field?) -> [FormError] {
    (self["errors"]?.arrayValue ?? []).map { FormError($0, of: field) }
  }
}
