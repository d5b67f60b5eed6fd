public import JSON

/// Params of `form/describe`.
package struct FormDescribeParams: Call {
  /// The form's name.
  package var form = ""
  /// The language of the texts; nil: the form's default.
  package var locale: String?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("form", &form, "The form's name.", missing: "a form's name")
    members.optional("locale", &locale, "The language of texts.")
  }

  package static let method = Method.formDescribe
  package static let title = "What a client needs to draw a form"
  package static let details =
    "Fields in order with labels, placeholders, choices and initial values; steps; actions; outputs."
  package static let failures: [FormErrorCode] = [.unknownForm]
  package static var example: (params: Self, answer: FormDescription) {
    var params = Self()
    params.form = "login"
    params.locale = "en"
    var field = FieldDescription()
    field.name = "email"
    field.address = "email"
    field.type = .string
    field.label = "Email"
    field.show = .blur
    field.isRequired = true
    var answer = FormDescription()
    answer.form = "login"
    answer.locale = "en"
    answer.fields = [field]
    answer.actions = [ActionDescription(name: "login")]
    return (params, answer)
  }
}

/// What a program needs to draw a form: the answer to `form/describe`.
public struct FormDescription: Message, Sendable {
  /// The form's name.
  public var form = ""
  /// The language of the texts.
  public var locale: String?
  /// The form's title.
  public var title: String?
  /// The top-level fields, in the order in which they are drawn.
  public var fields: [FieldDescription] = []
  /// Its steps, in order; empty for a form without steps.
  public var steps: [StepDescription] = []
  /// Its actions, in order.
  public var actions: [ActionDescription] = []
  /// The names of its outputs; of one that each row has, the address: `/items/*/net`.
  public var outputs: [String] = []

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("form", &form, "The form's name.")
    members.optional("locale", &locale, "The language of the texts.")
    members.optional("title", &title, "The form's title.")
    members.required("fields", &fields, "Its fields, in order.")
    members.optional("steps", &steps, "Its steps, in order.")
    members.required("actions", &actions, "Its actions, in order.")
    members.required("outputs", &outputs, "The names of its outputs; of one that each row has, the address.")
  }
}

/// A field, as somebody draws it.
public struct FieldDescription: Message, Sendable {
  /// The field's name.
  public var name = ""
  /// The field's address: its name, or deeper a JSON Pointer.
  public var address = ""
  /// A hint for the control to draw; `any`, too, for a type that only a later daemon knows.
  public var type = FieldKind.any
  /// The text that names the field to the user.
  public var label: String?
  /// The text in the empty field.
  public var placeholder: String?
  /// The text beside the field.
  public var help: String?
  /// When messages of the field are shown; nil for a policy that only a later daemon knows.
  public var show: Showing?
  /// Whether its value never leaves the daemon.
  public var isSecret = false
  /// Whether the schema requires it.
  public var isRequired = false
  /// What can be chosen; empty where anything can be written.
  public var options: [Choice] = []
  /// The schema's default, unless it holds a secret.
  public var initial: JSON?
  /// The fields inside of it, in order; empty where there are none.
  public var fields: [FieldDescription] {
    get { inner?.fields ?? [] }
    set { inner = newValue.isEmpty ? nil : InnerFields(fields: newValue) }
  }
  private var inner: InnerFields?
  /// What each row of a list is, with the fields inside of it; nil for a field without rows. Its name is `*`.
  public var items: FieldDescription? {
    get { if case .of(let field)? = rows { field } else { nil } }
    set { rows = newValue.map { .of($0) } }
  }
  private var rows: Rows?

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The field's name.")
    members.required("address", &address, "Its address: the name, or deeper a JSON Pointer.")
    members.required("type", &type, "A hint for the control to draw; `any` where the schema leaves it open.")
    members.optional("label", &label, "What it is called.")
    members.optional("placeholder", &placeholder, "The text in the empty field.")
    members.optional("help", &help, "The text beside it.")
    members.required("show", &show, "When its messages are shown.")
    members.required("isSecret", &isSecret, "Whether its value never leaves the daemon.")
    members.required("isRequired", &isRequired, "Whether the schema requires it.")
    members.optional("options", &options, "What can be chosen, in order.")
    members.optional("initial", &initial, "Its initial value.")
    members.optional("fields", &inner, "The fields inside of it, in order, each with these members.")
    members.optional("items", &rows, "What each row of a list is: a field with these members, called `*`.")
  }
}

/// The fields inside of a field. The document does not write their members out once more: that would have no end.
private struct InnerFields: MemberValue, Sendable {
  var fields: [FieldDescription]

  static var schema: JSONObject { ["type": "array", "items": ["type": "object"]] }
  static var expectation: String { [FieldDescription].expectation }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> InnerFields? {
    [FieldDescription].read(node, &reader).map(InnerFields.init)
  }

  func write(into buffer: OutputBuffer) { fields.write(into: buffer) }
}

/// What each row of a list is; like ``InnerFields`` not written out once more.
private indirect enum Rows: MemberValue, Sendable {
  case of(FieldDescription)

  static var schema: JSONObject { ["type": "object"] }
  static var expectation: String { FieldDescription.expectation }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Rows? {
    FieldDescription.read(node, &reader).map { .of($0) }
  }

  func write(into buffer: OutputBuffer) { if case .of(let field) = self { field.write(into: buffer) } }
}

/// What kind of values a field takes.
public enum FieldKind: WireName, Sendable {
  /// Texts.
  case string
  /// Whole numbers.
  case integer
  /// Numbers.
  case number
  /// True and false.
  case boolean
  /// An object with fields of its own.
  case object
  /// A list with rows.
  case array
  /// The schema leaves it open.
  case any

  package var wireName: StaticString {
    switch self {
    case .string: "string"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .object: "object"
    case .array: "array"
    case .any: "any"
    }
  }
}

/// One thing that can be chosen.
public struct Choice: Message, Sendable {
  /// The value to be sent.
  public var value = JSON.null
  /// The text that names the choice to the user; nil where the schema does not say.
  public var title: String?

  package init() {}

  /// A choice of those parts.
  package init(value: JSON, title: String?) {
    self.value = value
    self.title = title
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("value", &value, "The value to be sent.")
    members.optional("title", &title, "What it is called.")
  }
}

/// A step, as somebody draws it.
public struct StepDescription: Message, Sendable {
  /// The step's id.
  public var id = ""
  /// The text that names the step to the user.
  public var label: String?
  /// The addresses of its fields. What is inside of them is in the step, too.
  public var fields: [String] = []

  package init() {}

  /// A step of those parts.
  package init(id: String, label: String?, fields: [String]) {
    self.id = id
    self.label = label
    self.fields = fields
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("id", &id, "The step's id.")
    members.optional("label", &label, "What it is called.")
    members.required("fields", &fields, "The addresses of its fields, with what is inside of them.")
  }
}

/// An action, as somebody draws it.
public struct ActionDescription: Message, Sendable {
  /// The action's name.
  public var name = ""
  /// The text that names the action to the user.
  public var label: String?

  package init() {}

  /// An action of that name.
  package init(name: String, label: String? = nil) {
    self.name = name
    self.label = label
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The action's name.")
    members.optional("label", &label, "What it is called.")
  }
}
