/// Params of `forms/watch`.
package struct FormsWatchParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.formsWatch
  package static let title = "Tells when the forms are read anew"
  package static let details =
    "The answer says what there is now; from then on `forms/changed` comes after each reload, until the connection ends. Calling it twice changes nothing. A client that reads slowly gets the newest one only."
  package static var example: (params: Self, answer: LoadedForms) { (Self(), .pushExample) }
}
