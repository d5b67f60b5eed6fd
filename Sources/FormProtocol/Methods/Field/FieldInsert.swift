package import JSON

package struct FieldInsertParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The list's address.
  package var field = ""
  /// The row before which the new rows are inserted; nil: after the last row.
  package var at: RowReference?
  /// The value of one new row; nil, like null, if the row begins with the schema's defaults.
  package var value: JSON?
  /// The values of several new rows, in place of `value`.
  package var values: [JSON]?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("field", &field, "The list's address.", missing: "a list's address")
    members.optional(
      "at",
      &at,
      "The position or the row before which the new rows are inserted. Without it, or if it is the number of rows, they are added at the end."
    )
    members.optional("value", &value, "The value of the new row. Without it, the row has the schema's defaults.")
    members.optional("values", &values, "The values of several new rows, in place of `value`.")
  }

  package func check(_ reader: inout MessageReader) {
    guard let values else { return }
    if reader.has("value") { reader.note(.value, "value or values, not both", atMember: "values") }
    if values.isEmpty { reader.note(.value, "at least one row's value", atMember: "values") }
  }

  package static let method = Method.fieldInsert
  package static let name: StaticString = "field/insert"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user added rows to a list"
  package static let details =
    "Adds one row with `value`, or several rows in one turn with `values`. Members that a value lacks get the schema's defaults. All other rows keep their identity and their state. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InsertAnswer) {
    var params = Self()
    params.session = 1
    params.field = "items"
    params.at = .identity(2)
    params.value = ["sku": "A-1"]
    return (params, InsertAnswer(revision: 5, row: 7))
  }
}

/// The rows that were made: the answer to `field/insert`.
public struct InsertAnswer: Message, Sendable {
  /// The session's revision after the input.
  public var revision = 0
  /// The identity of the new row; nil if several were requested.
  public var row: String?
  /// The identities of the new rows, in order, if several were requested; else nil.
  public var rows: [String]?

  package init() {}

  /// One row was made.
  package init(revision: Int, row: Int64) {
    self.revision = revision
    self.row = String(row)
  }

  /// Several rows were made.
  package init(revision: Int, rows: [Int64]) {
    self.revision = revision
    self.rows = rows.map { String($0) }
  }

  package static let schemaName: StaticString? = "InsertAnswer"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("revision", &revision, "The session's revision after the input.")
    members.optional("row", &row, "The new row's identity, if `values` was not sent.")
    members.optional("rows", &rows, "The new rows' identities, in order, if `values` was sent.")
  }
}
