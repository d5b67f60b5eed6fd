package struct FormListParams: Call {
  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {}

  package static let method = Method.formList
  package static let name: StaticString = "form/list"
  package static let role: Role? = .client
  package static let isIdempotent = true
  package static let title = "The forms that the daemon has"
  package static let details = "In the order of their names."
  package static var example: (params: Self, answer: FormList) {
    var entry = FormList.Entry()
    entry.form = "login"
    entry.locale = "ko"
    entry.fields = ["email", "password"]
    entry.actions = ["login"]
    return (Self(), FormList([entry]))
  }
}

/// The forms that the daemon has: the answer to `form/list`.
public struct FormList: Message, Sendable {
  /// One form that the daemon has.
  public struct Entry: Message, Sendable {
    /// The form's name.
    public var form = ""
    /// Its default locale.
    public var locale: String?
    /// The addresses of its fields, in order.
    public var fields: [String] = []
    /// The names of its actions, in the order of the definition.
    public var actions: [String] = []

    package init() {}

    package static let schemaName: StaticString? = "FormSummary"
    package static let summary: StaticString = "A form that the daemon has."

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("form", &form, "The form's name.")
      members.optional("locale", &locale, "Its default locale.")
      members.required("fields", &fields, "The addresses of its fields, in order.")
      members.required("actions", &actions, "Its actions, in order.")
    }
  }

  /// The forms, sorted by name.
  public var forms: [Entry] = []

  package init() {}

  package init(_ forms: [Entry]) {
    self.forms = forms
  }

  package static let schemaName: StaticString? = "FormList"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("forms", &forms, "The forms.")
  }
}
