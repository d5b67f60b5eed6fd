package import JSON

/// A method as `protocol/openrpc.json` describes it.
package struct MethodDescription: Sendable {
  /// One param.
  package struct Param: Sendable {
    package var name: String
    package var isRequired: Bool
    package var schema: JSON

    /// A param that may be left out.
    static func optional(_ name: String, _ schema: JSON) -> Param {
      Param(name: name, isRequired: false, schema: schema)
    }

    /// A param that must be there.
    static func required(_ name: String, _ schema: JSON) -> Param {
      Param(name: name, isRequired: true, schema: schema)
    }
  }

  /// One error besides those that every method can answer with.
  package struct Failure: Sendable {
    package var code: Int
    package var message: String

    static let unknownSession = Failure(code: FormErrorCode.unknownSession, message: "Unknown session")
    static let unknownForm = Failure(code: FormErrorCode.unknownForm, message: "Unknown form")
    static let unknownField = Failure(code: FormErrorCode.unknownField, message: "Unknown field")
    static let unknownAction = Failure(code: FormErrorCode.unknownAction, message: "Unknown action")
    static let unknownProvider = Failure(code: FormErrorCode.unknownProvider, message: "Unknown provider")
    static let draining = Failure(code: FormErrorCode.draining, message: "The daemon is ending")
    static let overloaded = Failure(code: FormErrorCode.overloaded, message: "The daemon is at its limit")
    static let quotaExceeded = Failure(
      code: FormErrorCode.quotaExceeded,
      message: "A limit of this connection is reached"
    )
  }

  /// A call and what comes back.
  package struct Example: Sendable {
    package var params: JSON
    package var result: JSON
  }

  package var name: String
  package var summary: String
  package var description: String
  package var params: [Param] = []
  /// The result's schema; nil for a notification.
  package var result: JSON?
  package var failures: [Failure] = []
  package var example: Example
}

/// A notification or request that the daemon sends.
package struct PushDescription: Sendable {
  package var name: String
  package var summary: String
  package var params: [MethodDescription.Param]
  /// The result that the client answers with; nil for a notification.
  package var result: JSON?
  package var example: JSON
}

/// Shorthand for the schemas that methods are described with.
enum Shape {
  static func string(_ description: String) -> JSON { typed("string", description) }
  static func integer(_ description: String) -> JSON { typed("integer", description) }
  static func boolean(_ description: String) -> JSON { typed("boolean", description) }
  static func anything(_ description: String) -> JSON { ["description": .string(description)] }
  static func map(_ description: String) -> JSON { typed("object", description) }

  static func choice(_ values: [String], _ description: String) -> JSON {
    ["type": "string", "enum": .array(values.map { .string($0) }), "description": .string(description)]
  }

  static func array(of items: JSON, _ description: String) -> JSON {
    ["type": "array", "items": items, "description": .string(description)]
  }

  static func object(_ members: [(String, JSON)], optional: Set<String> = [], _ description: String = "") -> JSON {
    var object: JSONObject = ["type": "object"]
    if !description.isEmpty { object["description"] = .string(description) }
    object["properties"] = .object(JSONObject(members))
    object["required"] = .array(members.map(\.0).filter { !optional.contains($0) }.map { .string($0) })
    return .object(object)
  }

  private static func typed(_ type: String, _ description: String) -> JSON {
    ["type": .string(type), "description": .string(description)]
  }

  static let session = integer("The session; may be left out where the connection has exactly one.")
  static let revision = integer("The session's revision after the input.")
  static let revisionResult = object([("revision", revision)])
  static let document = map("The output document.")
  static let values = map("The values, secrets left out.")
  static let event = object(
    [
      ("seq", integer("The event's number in its session.")),
      ("action", string("The action.")),
      ("run", integer("The run, if one was started.")),
      ("kind", choice(["succeeded", "failed", "rejected", "dropped", "superseded"], "What it came to.")),
      ("result", anything("Of a success.")),
      ("error", anything("Of a failure.")),
      ("message", string("The outcome's text.")),
      ("blockers", array(of: blocker, "Of a rejection.")),
    ],
    optional: ["run", "result", "error", "message", "blockers"],
    "A one-shot fact."
  )
  static let blocker = object(
    [
      ("field", string("The field; none for the form as a whole.")),
      ("code", string("The error's code, `pending` or `disabled`.")),
    ],
    optional: ["field"],
    "Why an action may not run."
  )
}
