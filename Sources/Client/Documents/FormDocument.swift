public import JSON

/// A session's output document: what the form says of its fields, its actions and itself.
///
/// This is a view of the document as JSON. A part that is not there (because the session watches other places) reads as false, empty
/// or nil. This file and ``FormError`` are the only ones of the client's that know how the engine names the parts.
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

  /// Whether nothing is under way: no check, and no action.
  public var isSettled: Bool { !isPending && !actions.contains(where: \.isLoading) }

  /// The errors of the form as a whole.
  public var errors: [FormError] { json.errors(ofField: nil) }

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

  // MARK: Fields

  /// The top-level fields in the order of the form.
  public var fields: [Field] { json.fields(below: .root) }

  /// All fields, each with those inside of it behind it.
  public var allFields: [Field] { fields.flatMap(\.withFieldsBelow) }

  /// The field at an address: a name (`email`), or a JSON Pointer (`/address/city`).
  public func field(_ address: String) -> Field? {
    guard let pointer = JSONPointer(address: address) else { return nil }
    var found = json
    for name in pointer.tokens {
      guard let next = found.members("fields")[name] else { return nil }
      found = next
    }
    return Field(pointer: pointer, json: found)
  }

  /// The state of one field.
  public struct Field: Hashable, Sendable {
    /// Where the field stands in the values.
    public let pointer: JSONPointer
    fileprivate let json: JSON

    /// The field's name.
    public var name: String { pointer.tokens.last ?? "" }
    /// The field's address: its name, or deeper a JSON Pointer.
    public var address: String { pointer.address }
    /// The fields inside of it, in order.
    public var fields: [Field] { json.fields(below: pointer) }
    fileprivate var withFieldsBelow: [Field] { [self] + fields.flatMap(\.withFieldsBelow) }

    /// Whether the field is to be shown.
    public var isVisible: Bool { json.flag("isVisible") }
    /// Whether the user may change the field.
    public var isEnabled: Bool { json.flag("isEnabled") }
    /// Whether the field needs a value.
    public var isRequired: Bool { json.flag("isRequired") }
    /// Whether no error blocks the field and no check of the field is under way.
    public var isValid: Bool { json.flag("isValid") }
    /// Whether a check of the field is under way.
    public var isPending: Bool { json.flag("isPending") }
    /// Whether the value is another one than in the beginning.
    public var isDirty: Bool { json.flag("isDirty") }
    /// Whether the user has left the field.
    public var isTouched: Bool { json.flag("isTouched") }
    /// Whether the field has no value.
    public var isEmpty: Bool { json.flag("isEmpty") }
    /// The errors of the field, those included whose message is not shown yet.
    public var errors: [FormError] { json.errors(ofField: pointer) }
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
    fileprivate let json: JSON

    /// Whether the step is to be shown. The fields of one that is not are hidden.
    public var isVisible: Bool { json.flag("isVisible") }
    /// Whether all of its fields are valid.
    public var isValid: Bool { json.flag("isValid") }
    /// Whether a check of one of its fields is under way.
    public var isPending: Bool { json.flag("isPending") }
    /// Whether the user has left one of its fields.
    public var isTouched: Bool { json.flag("isTouched") }
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
    fileprivate let json: JSON

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
    /// What an action came to.
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
    // `fields`, a name, and so on: the place of a field's member has an odd number of names.
    case ("fields", let count, "errors") where count % 2 == 1: .errors
    case ("actions", 3, "result"), ("actions", 3, "error"): .outcome
    default: .other
    }
  }
}

extension JSON {
  /// Whether the member of that name is true.
  fileprivate func flag(_ name: String) -> Bool { self[name]?.boolValue ?? false }

  /// The members of the object of that name.
  fileprivate func members(_ name: String) -> JSONObject { self[name]?.objectValue ?? [:] }

  /// The fields that stand here.
  fileprivate func fields(below pointer: JSONPointer) -> [FormDocument.Field] {
    members("fields").map { FormDocument.Field(pointer: pointer.appending($0.name), json: $0.value) }
  }

  /// The errors that are listed here.
  fileprivate func errors(ofField field: JSONPointer?) -> [FormError] {
    (self["errors"]?.arrayValue ?? []).map { FormError($0, ofField: field) }
  }
}
