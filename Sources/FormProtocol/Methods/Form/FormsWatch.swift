package struct FormsWatchParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.formsWatch
  package static let name: StaticString = "forms/watch"
  package static let role: Role? = .client
  package static let isIdempotent = true
  package static let title = "Reports every reload of the forms"
  package static let details =
    "The answer lists the current forms. From then on, the daemon sends `forms/changed` after each reload until the connection ends. A second call changes nothing. A client that reads slowly gets only the newest one."
  package static var example: (params: Self, answer: LoadedForms) { (Self(), .pushExample) }
}
