package import JSON

package struct FieldToggleParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  /// The list's address.
  package var field = ""
  /// The choice that is added to the list, or removed from it.
  package var value = JSON.null

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("field", &field, "The address of a multiple choice.", missing: "a list's address")
    members.required("value", &value, "The value of the choice.", missing: "a value")
  }

  package static let method = Method.fieldToggle
  package static let name: StaticString = "field/toggle"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let title = "The user marked a choice, or took the mark away"
  package static let details =
    "Only for a list that is a multiple choice. If the list has the value, it goes; if not, it comes at the end. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownField]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.field = "topics"
    params.value = "news"
    return (params, InputAnswer(revision: 5))
  }
}
