package struct SessionSetLocaleParams: Call {
  /// nil: the connection's only session.
  package var session: Int64?
  package var locale = ""

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.session(&session)
    members.required("locale", &locale, "The language of messages: `ko`, `en-GB`.", missing: "a locale")
  }

  package static let method = Method.sessionSetLocale
  package static let name: StaticString = "session/setLocale"
  package static let role: Role? = .client
  package static let feedsSession = true
  package static let isForBrowsers = true
  package static let isIdempotent = true
  package static let title = "Another language"
  package static let details =
    "The daemon sends all texts of the document again, in that language. Messages from servers stay as they are. May be a notification."
  package static let failures: [FormErrorCode] = [.unknownSession]
  package static var example: (params: Self, answer: InputAnswer) {
    var params = Self()
    params.session = 1
    params.locale = "ko"
    return (params, InputAnswer(revision: 9))
  }
}
