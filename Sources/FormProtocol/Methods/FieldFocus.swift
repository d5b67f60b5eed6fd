package import JSON
internal import JSONRPC

/// Params of `field/focus` and `field/blur`.
package struct FieldParams {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The field's name.
  package var field: UnsafeBufferPointer<UInt8>

  /// Reads the params.
  package init(_ params: JSONNode?) throws(InvalidParams) {
    var reader = ParamsReader()
    var session: Int64?
    var field: UnsafeBufferPointer<UInt8>?
    var hasField = false
    reader.forEachMember(of: params, names: "session, field") { name, node, reader in
      if name.equals("session") {
        session = reader.integer(node, "session")
      } else if name.equals("field") {
        hasField = true
        field = reader.utf8(node, "field")
      } else {
        return false
      }
      return true
    }
    if !hasField { reader.note("/field", .required, "a field's name") }
    try reader.check()
    guard let field else { throw InvalidParams(reader.faults) }
    self.session = session
    self.field = field
  }

  private static let params: [MethodDescription.Param] = [
    .optional("session", Shape.session), .required("field", Shape.string("The field's name.")),
  ]

  static let focusMethod = MethodDescription(
    name: "field/focus",
    summary: "The user entered a field",
    description: "Editing begins. May be a notification.",
    params: params,
    result: Shape.revisionResult,
    failures: [.unknownSession, .unknownField, .draining],
    example: .init(params: ["session": 1, "field": "email"], result: ["revision": 0])
  )

  static let blurMethod = MethodDescription(
    name: "field/blur",
    summary: "The user left a field",
    description:
      "Editing ends: what the field holds back takes effect, and messages that waited for it appear. May be a notification.",
    params: params,
    result: Shape.revisionResult,
    failures: [.unknownSession, .unknownField, .draining],
    example: .init(params: ["session": 1, "field": "email"], result: ["revision": 2])
  )
}
