internal import DocumentProperties
public import FormProtocol
public import JSON

/// A session's output document: the state of the form, its fields and its actions.
///
/// This is a view of the document as JSON. If the session watches other parts, a part may be absent. An absent part
/// reads as false, empty or nil. In the client, only this file, ``FormError`` and ``ToldValues`` know the engine's
/// names of the parts.
public struct FormDocument: Hashable, Sendable {
  /// The whole document.
  public let json: JSON

  /// A view of that document.
  public init(_ json: JSON) {
    self.json = json
  }

  // MARK: The form

  /// Whether no error blocks the form and no check is in progress.
  public var isValid: Bool { json.flag(FormProperty.isValid) }

  /// Whether a check is in progress.
  public var isPending: Bool { json.flag(FormProperty.isPending) }

  /// Whether a value differs from the initial value.
  public var isDirty: Bool { json.flag(FormProperty.isDirty) }

  /// Whether ``FormSession/undo()`` takes an edit back. False in a form without undo.
  public var canUndo: Bool { json.flag(FormProperty.canUndo) }

  /// Whether ``FormSession/redo()`` repeats an edit. False in a form without undo.
  public var canRedo: Bool { json.flag(FormProperty.canRedo) }

  /// Whether no check, no lookup and no action is in progress.
  public var isSettled: Bool {
    !isPending && !lookups.contains(where: \.isLoading) && !actions.contains(where: \.isLoading)
      && !allFields.contains { field in field.rows.contains { $0.lookups.contains(where: \.isLoading) } }
  }

  /// The errors of the form as a whole.
  public var errors: [FormError] { json.errors(of: nil) }

  /// All errors. The errors of the fields come first.
  public var allErrors: [FormError] { allFields.flatMap(\.errors) + errors }

  /// The messages to be shown, by the address of the field.
  public var messages: [String: String] {
    var messages: [String: String] = [:]
    for member in json.members("messages") { messages[member.name] = member.value.stringValue }
    return messages
  }

  /// The form's computed outputs, by name.
  public var outputs: JSONObject { json.members("outputs") }

  /// The output with that name. An output of each row has an address, in which a row is its identity or its position
  /// (`/items/#7/net`).
  package func output(_ address: String) -> JSON? {
    outputs[address] ?? row(holding: address).flatMap { $0.row.outputs[$0.name] }
  }

  /// The lookup with that name. A lookup of each row has an address, in which a row is its identity or its position.
  package func lookup(at address: String) -> Lookup? {
    lookup(address) ?? row(holding: address).map { $0.row.lookup($0.name) }
  }

  /// The row at the beginning of an address, and the name behind it; nil if the address does not begin with a row.
  private func row(holding address: String) -> (row: Row, name: String)? {
    guard var tokens = JSONPointer(address: address)?.tokens, tokens.count > 2 else { return nil }
    let name = tokens.removeLast()
    let row = tokens.removeLast()
    return field(JSONPointer(tokens: tokens).address)?.row(row).map { ($0, name) }
  }

  // MARK: Fields

  /// The top-level fields in the order of the form.
  public var fields: [Field] { form.fields }

  /// All fields, each followed by its inner fields. A row has only the fields that the document lists.
  public var allFields: [Field] { fields.flatMap(\.withFieldsBelow) }

  /// The field at an address: a name (`email`), or a JSON Pointer (`/address/city`). A row in it is its identity or its
  /// position (`/items/#7/quantity`, `/items/0`). A field of a row that the document leaves out has its default state.
  public func field(_ address: String) -> Field? {
    guard let pointer = JSONPointer(address: address), !pointer.tokens.isEmpty else { return nil }
    var found = form
    for name in pointer.tokens {
      guard let next = found.field(name) ?? found.row(name)?.state else { return nil }
      found = next
    }
    return found
  }

  /// The current choices at an address, if a formula decides them; nil if there is no such list.
  ///
  /// - Parameter template: the address in the form's description, in which rows are `*`. Choices that all rows share
  ///   are in the document once, at this address.
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
    /// The pointer to the field in the values. A row in it is its position.
    public let pointer: JSONPointer
    /// The same pointer with the identities of rows instead of their positions.
    fileprivate let addressPointer: JSONPointer
    /// Whether the document leaves out members with their default.
    fileprivate let isInRow: Bool
    fileprivate let json: JSON

    /// The field's name.
    public var name: String { addressPointer.tokens.last ?? "" }
    /// The field's address: its name, or a JSON Pointer for an inner field.
    public var address: String { addressPointer.address }
    /// The inner fields, in order. A row has only the fields whose state is not the default.
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
    public var isVisible: Bool { flag(.isVisible) }
    /// Whether the user may change the field.
    public var isEnabled: Bool { flag(.isEnabled) }
    /// Why the user may not change the field, if the form says it.
    public var reason: String? { json[FieldProperty.reason.name]?.stringValue }
    /// Whether the field needs a value.
    public var isRequired: Bool { flag(.isRequired) }
    /// Whether no error blocks the field and no check of the field is in progress.
    public var isValid: Bool { flag(.isValid) }
    /// Whether a check of the field is in progress.
    public var isPending: Bool { flag(.isPending) }
    /// Whether the value differs from the initial value.
    public var isDirty: Bool { flag(.isDirty) }
    /// Whether the user has left the field.
    public var isTouched: Bool { flag(.isTouched) }
    /// Whether the field has no value.
    public var isEmpty: Bool { flag(.isEmpty) }
    /// A Boolean of the field. In a row, the document leaves out Booleans with their usual value.
    private func flag(_ property: FieldProperty) -> Bool {
      json.flag(property.name, usually: isInRow && property.about.isUsuallyTrue)
    }

    /// What the input shows, if the field reads what people type; nil while it is empty.
    public var text: String? { json[FieldProperty.text.name]?.stringValue }

    /// The errors of the field, also the errors whose message is not shown yet.
    public var errors: [FormError] { json.errors(of: self) }

    /// The whole state of the field itself, with the defaults that the document leaves out in a row. It has only the
    /// order of a list's rows, and not the rows.
    package var state: JSONObject {
      var state: JSONObject = [:]
      for property in FieldProperty.inDocument {
        switch property.about.kind {
        case .bool: state[property.name] = .bool(flag(property))
        case .errors: state[property.name] = []
        case .number, .text, .value, .rows: break
        }
      }
      for member in json.objectValue ?? [:] where !["fields", "rows", "outputs", "lookups"].contains(member.name) {
        state[member.name] = member.value
      }
      return state
    }
  }

  /// One row of a list.
  public struct Row: Hashable, Sendable {
    /// The row's number, which the session gives to no other row. In addresses it follows a `#`.
    public let identity: String
    /// The state of the row as a whole.
    public let state: Field

    /// The row's address, by its identity.
    public var address: String { state.address }
    /// Whether no error blocks the row and no check of its fields is in progress.
    public var isValid: Bool { state.isValid }
    /// The state of one of the row's fields; the default if the document does not list it. nil if the name is a row's.
    public func field(_ name: String) -> Field? { state.field(name) }
    /// The lookups of the row that are loading, have found a value, or have failed.
    public var lookups: [Lookup] { state.json.members("lookups").map { Lookup(name: $0.name, json: $0.value) } }
    /// The row's lookup with that name. A lookup that the document leaves out is not loading and has no value.
    public func lookup(_ name: String) -> Lookup {
      Lookup(name: name, json: state.json.members("lookups")[name] ?? [:])
    }
    /// The row's computed outputs, by name.
    public var outputs: JSONObject { state.json.members("outputs") }
  }

  // MARK: Steps

  /// The id of the step that the user sees; nil for a form without steps, and while all steps are hidden.
  public var step: String? { json["step"]?.stringValue }

  /// The steps in the order of the form.
  public var steps: [Step] { json.members("steps").map { Step(id: $0.name, json: $0.value) } }

  /// The step with that id.
  public func step(_ id: String) -> Step? { json.members("steps")[id].map { Step(id: id, json: $0) } }

  /// The state of one step.
  public struct Step: Hashable, Sendable {
    /// The step's id.
    public let id: String
    /// The state in the document.
    package let json: JSON

    /// Whether the step is shown. The fields of a hidden step are hidden.
    public var isVisible: Bool { json.flag(StepProperty.isVisible) }
    /// Whether all of its fields are valid.
    public var isValid: Bool { json.flag(StepProperty.isValid) }
    /// Whether a check of one of its fields is in progress.
    public var isPending: Bool { json.flag(StepProperty.isPending) }
    /// Whether the user has left one of its fields.
    public var isTouched: Bool { json.flag(StepProperty.isTouched) }
  }

  // MARK: Lookups

  /// The lookups in the order of the form.
  public var lookups: [Lookup] { json.members("lookups").map { Lookup(name: $0.name, json: $0.value) } }

  /// The lookup with that name.
  public func lookup(_ name: String) -> Lookup? {
    json.members("lookups")[name].map { Lookup(name: name, json: $0) }
  }

  /// The state of one lookup.
  public struct Lookup: Hashable, Sendable {
    /// The lookup's name.
    public let name: String
    /// The state in the document.
    package let json: JSON

    /// Whether a request is in progress. Until its answer arrives, ``value`` is the previous one.
    public var isLoading: Bool { json.flag(LookupProperty.isLoading) }
    /// The value that was found; nil while there is nothing to ask, and after a failure.
    public var value: JSON? { json["value"] }
    /// The kind of a failure: the kind of a response, `status` or `fault`; nil if the lookup did not fail.
    public var error: String? { json["error"]?.stringValue }
  }

  // MARK: Actions

  /// The actions in the order of the form.
  public var actions: [Action] { json.members("actions").map { Action(name: $0.name, json: $0.value) } }

  /// The action with that name.
  public func action(_ name: String) -> Action? {
    json.members("actions")[name].map { Action(name: name, json: $0) }
  }

  /// The state of one action.
  public struct Action: Hashable, Sendable {
    /// The action's name.
    public let name: String
    /// The state in the document.
    package let json: JSON

    /// Whether a tap may succeed.
    public var isEnabled: Bool { json.flag(ActionProperty.isEnabled) }
    /// Why a tap does not succeed, if the form says it.
    public var reason: String? { json[ActionProperty.reason.name]?.stringValue }
    /// Whether a run is in progress.
    public var isLoading: Bool { json.flag(ActionProperty.isLoading) }
    /// The number of runs that have begun.
    public var attempts: Int { json["attempts"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0 }
    /// The result of the last success; nil after a failure.
    public var result: JSON? { json["result"] }
    /// The error of the last failure; nil after a success.
    public var error: JSON? { json["error"] }
    /// The text of the last outcome.
    public var message: String? { json["message"]?.stringValue }
  }

  // MARK: Kinds of content

  /// The kind of a value of the document, for a display that differs by kind.
  package enum Content {
    /// A list of errors; see ``FormError``.
    case errors
    /// The outcome of an action or a lookup.
    case outcome
    /// A state, a text, or a part of a value of the form.
    case other
  }

  /// The kind of a value.
  ///
  /// - Parameter tokens: the path to the value.
  package static func content(at tokens: [String]) -> Content {
    switch (tokens.first, tokens.count, tokens.last) {
    case ("errors", 1, _): .errors
    // The path is `fields` or `rows`, a name, and so on, so that a field's member has a path with an odd number of
    // tokens.
    case ("fields", let count, "errors") where count % 2 == 1: .errors
    case ("actions", 3, "result"), ("actions", 3, "error"): .outcome
    case ("lookups", 3, "value"), ("lookups", 3, "error"): .outcome
    // In a row: `lookups`, a name and a member follow an even number of tokens.
    case ("fields", let count, "value"), ("fields", let count, "error"):
      count % 2 == 1 && tokens[count - 3] == "lookups" ? .outcome : .other
    default: .other
    }
  }
}

extension Choice {
  /// A choice of the document.
  fileprivate init(reading json: JSON) {
    self = json.objectValue.flatMap { Choice($0) } ?? Choice(value: json, label: nil)
  }
}

extension JSON {
  /// A Boolean of the document. If the client does not watch it, it reads as false.
  fileprivate func flag(_ property: some PropertyList) -> Bool { flag(property.name) }

  /// Whether the member with that name is true.
  fileprivate func flag(_ name: String, usually: Bool = false) -> Bool { self[name]?.boolValue ?? usually }

  /// The members of the object with that name.
  fileprivate func members(_ name: String) -> JSONObject { self[name]?.objectValue ?? [:] }

  /// The errors in this part.
  fileprivate func errors(of field: FormDocument.Field?) -> [FormError] {
    (self["errors"]?.arrayValue ?? []).map { FormError($0, of: field) }
  }
}
