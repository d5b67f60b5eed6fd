package import FormProtocol
package import JSON

/// The expectations after a step. A case lists only the parts that it tests.
///
/// - An object may have more members than expected.
/// - A list must have exactly the expected elements.
/// - null stands for an absent value.
package struct Expectations: Message, Sendable {
  /// Whether the form is valid.
  package var isValid: Bool?
  /// Whether a check is in progress.
  package var isPending: Bool?
  /// Whether a value differs from the initial value.
  package var isDirty: Bool?
  /// Whether an edit can be taken back, and whether one can be repeated.
  package var canUndo: Bool?
  package var canRedo: Bool?
  /// The step that is shown, or null.
  package var step: JSON?
  /// Texts by address.
  package var messages: JSONObject?
  /// Codes of errors by address; `""` is the form as a whole.
  package var errors: JSONObject?
  /// Values by address. Secrets have none.
  package var values: JSONObject?
  /// The state of fields and rows in the document, by address.
  package var fields: JSONObject?
  /// The state of steps, by id.
  package var steps: JSONObject?
  /// The state of lookups, by name.
  package var lookups: JSONObject?
  /// The state of actions, by name.
  package var actions: JSONObject?
  /// Outputs by name. An output of each row has an address (`/items/0/net`).
  package var outputs: JSONObject?
  /// The code of the error that the daemon would answer to the input.
  package var refused: Int?
  /// The answer to the tap.
  package var tap: JSONObject?
  /// The events of taps during the step.
  package var events: [JSON]?
  /// The requests that were made during the step.
  package var requests: [PromisedRequest]?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("isValid", &isValid, "Whether the form is valid.")
    members.optional("isPending", &isPending, "Whether a check is in progress.")
    members.optional("isDirty", &isDirty, "Whether a value differs from its initial value.")
    members.optional("canUndo", &canUndo, "Whether the user can take an edit back.")
    members.optional("canRedo", &canRedo, "Whether the user can repeat an edit that was taken back.")
    members.optional("step", &step, "The id of the step that is shown; null if there is none.")
    members.optional("messages", &messages, "The messages that are shown, by address; null for no message.")
    members.optional(
      "errors",
      &errors,
      "The codes of all errors, by address, in their order; null for no error. \"\" is the form as a whole."
    )
    members.optional("values", &values, "Values, by address; null for no value. A secret counts as no value.")
    members.optional("fields", &fields, "The state of a field or a row in the document, by address.")
    members.optional("steps", &steps, "The state of a step in the document, by id.")
    members.optional("lookups", &lookups, "The state of a lookup in the document, by name.")
    members.optional("actions", &actions, "The state of an action in the document, by name.")
    members.optional("outputs", &outputs, "Outputs, by name. An output of a row has an address (\"/items/0/net\").")
    members.optional(
      "refused",
      &refused,
      "The step is refused with this error code (1004: unknown field) and changes nothing. See protocol/wire.md."
    )
    members.optional("tap", &tap, "The answer to the tap of this step: outcome, blockers.")
    members.optional(
      "events",
      &events,
      "The events of taps during the step, in order: objects with action, kind, result, error, message."
    )
    members.optional("requests", &requests, "The requests that were made during the step, in order.")
  }

  package func check(_ reader: inout MessageReader) {
    for part in Part.allCases {
      for member in part.members(of: self) ?? [:] where !part.admits(member.value) {
        reader.note(.type, part.expectation, inside: part.wireName, at: JSONPointer(tokens: [member.name]))
      }
    }
  }

  /// A part whose members have names that formd does not define, and whose values are of one kind.
  package enum Part: WireName {
    case messages, errors, fields, steps, lookups, actions

    package var wireName: StaticString {
      switch self {
      case .messages: "messages"
      case .errors: "errors"
      case .fields: "fields"
      case .steps: "steps"
      case .lookups: "lookups"
      case .actions: "actions"
      }
    }

    /// The JSON Schema of its members' values.
    package var schema: JSONObject {
      switch self {
      case .messages: ["type": ["string", "null"]]
      case .errors: ["type": ["array", "null"], "items": ["type": "string"]]
      case .fields, .steps, .lookups, .actions: ["type": ["object", "null"]]
      }
    }

    fileprivate var expectation: String {
      switch self {
      case .messages: "a text, or null"
      case .errors: "a list of codes, or null"
      case .fields, .steps, .lookups, .actions: "an object, or null"
      }
    }

    fileprivate func admits(_ value: JSON) -> Bool {
      switch (self, value) {
      case (_, .null), (.messages, .string): true
      case (.errors, .array(let codes)): codes.allSatisfy { $0.stringValue != nil }
      case (.fields, .object), (.steps, .object), (.lookups, .object), (.actions, .object): true
      default: false
      }
    }

    fileprivate func members(of expectations: Expectations) -> JSONObject? {
      switch self {
      case .messages: expectations.messages
      case .errors: expectations.errors
      case .fields: expectations.fields
      case .steps: expectations.steps
      case .lookups: expectations.lookups
      case .actions: expectations.actions
      }
    }
  }

  package static let summary: StaticString =
    "The expectations. An object may have more members. A list must have exactly these elements. null means no value."
}

/// An expected request; members that are left out may have any value.
package struct PromisedRequest: Message, Sendable {
  /// A request to a service.
  package var http: HTTPPattern?
  /// A query of a database.
  package var sql: SQLPattern?
  /// A call to a provider.
  package var provider: ProviderPattern?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("http", &http, "A request to a service.")
    members.optional("sql", &sql, "A query of a database.")
    members.optional("provider", &provider, "A question to a provider.")
  }
}
