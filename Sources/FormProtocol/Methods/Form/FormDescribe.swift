public import JSON

package struct FormDescribeParams: Call, DescribedFormParams {
  /// The name of a form that the daemon has.
  package var form: String?
  /// A form that the client brings along.
  package var definition: JSONObject?
  /// The session whose form is meant.
  package var session: Int64?
  /// The language of the texts; nil: the session's, or the form's default.
  package var locale: String?

  package init() {}

  package static let method = Method.formDescribe
  package static let name: StaticString = "form/describe"
  package static let role: Role? = .client
  package static let isForBrowsers = true
  package static let isIdempotent = true
  package static let title = "What a client needs to draw a form"
  package static let details =
    "One of `form`, `definition` and `session` selects the form. The answer has the fields in order, with texts, bounds, options and initial values. It also has the steps, the actions and the outputs."
  package static let failures: [FormErrorCode] = [.unknownSession, .unknownForm]
  package static var example: (params: Self, answer: FormDescription) {
    var params = Self()
    params.form = "login"
    params.locale = "en-GB"
    var field = FieldDescription()
    field.name = "email"
    field.address = "email"
    field.type = .string
    field.label = "Email"
    field.maxLength = 254
    field.show = .blur
    field.isRequired = true
    var answer = FormDescription()
    answer.form = "login"
    answer.requestedLocale = "en-GB"
    answer.locale = "en"
    answer.fields = [field]
    answer.actions = [ActionDescription(name: "login")]
    return (params, answer)
  }
}

/// The description that a program needs to draw a form: the answer to `form/describe`.
public struct FormDescription: Message, Sendable {
  /// The form's name.
  public var form = ""
  /// The language that was requested: by the call, else by the session; nil if neither names one.
  public var requestedLocale: String?
  /// The language of the texts: the closest that the form has. A text that is missing in it is in the form's default.
  /// Nil if the texts have no language.
  public var locale: String?
  /// The form's title.
  public var title: String?
  /// The top-level fields, in the order in which they are drawn.
  public var fields: [FieldDescription] = []
  /// Its steps, in order; empty for a form without steps.
  public var steps: [StepDescription] = []
  /// Its actions, in the order of the definition.
  public var actions: [ActionDescription] = []
  /// The names of its outputs; for an output that each row has, the address: `/items/*/net`.
  public var outputs: [String] = []
  /// The JSON Schema of the context that the form takes; nil if it takes none.
  public var context: JSONObject?

  package init() {}

  package static let schemaName: StaticString? = "FormDescription"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("form", &form, "The form's name.")
    members.optional("requestedLocale", &requestedLocale, "The requested language.")
    members.optional("locale", &locale, "The language of the texts: the form's closest language to the requested one.")
    members.optional("title", &title, "The form's title.")
    members.required("fields", &fields, "Its fields, in order.")
    members.optional("steps", &steps, "Its steps, in order.")
    members.required("actions", &actions, "Its actions, in order.")
    members.required(
      "outputs",
      &outputs,
      "The names of its outputs. An output that each row has is given by its address."
    )
    members.optional("context", &context, "The JSON Schema of the context that the form takes.")
  }
}

/// A field, as a program draws it.
public struct FieldDescription: Message, Sendable {
  /// The field's name.
  public var name = ""
  /// The field's address: its name, or deeper a JSON Pointer.
  public var address = ""
  /// The kind of its values; also `any` for a type that only a later daemon knows.
  public var type = FieldKind.any
  /// The schema's `format`.
  public var format: String?
  /// How the field reads what people type; nil: it does not, or in a way that only a later daemon knows.
  public var read: TextReading?
  /// The control that the form's author asks for.
  public var widget: String?
  /// The definition's hints about the control: `autocomplete`, `inputMode`, `accept`, `maxBytes`, `mediaTypes`,
  /// `group`, `ui`; nil if it has none.
  public var hints: JSONObject?
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
  /// Whether the schema requires it unconditionally. Formulas and conditions may require it, too.
  public var isRequired = false
  /// Whether only programs may change the value: its schema, or a schema around it, says `readOnly`.
  public var isReadOnly = false
  /// Whether a formula gives the value, and the field takes no input.
  public var isComputed = false
  /// Whether a formula suggests the value, until an input gives another.
  public var isSuggested = false
  /// The options; empty if any value can be written.
  public var options: [Choice] = []
  /// Whether a formula computes the options: the document's `options` then have the current ones.
  public var hasLiveOptions = false
  /// Of a list: whether each element is one of the choices of ``items``.
  public var isMultipleChoice = false
  /// Whether the user may give a text that is not among the choices.
  public var admitsOther = false
  /// The schema's default, unless it holds a secret.
  public var initial: JSON?
  /// The text that an empty form shows for ``initial``; only of a field that reads what people type.
  public var initialText: String?
  /// Of a list: the name of the member that identifies its rows.
  public var key: String?
  /// Of a list: whether rows without a value do not count.
  public var ignoresBlankRows = false
  /// How many code points a text has at least.
  public var minLength: Int?
  /// How many code points a text has at most.
  public var maxLength: Int?
  /// A regular expression that a text matches; if there are several, the first.
  public var pattern: String?
  /// The least number.
  public var minimum: JSON?
  /// The greatest number.
  public var maximum: JSON?
  /// A number that every value is greater than.
  public var exclusiveMinimum: JSON?
  /// A number that every value is less than.
  public var exclusiveMaximum: JSON?
  /// A number that divides every value; if there are several, the first.
  public var multipleOf: JSON?
  /// How many elements a list has at least.
  public var minItems: Int?
  /// How many elements a list has at most.
  public var maxItems: Int?
  /// Whether no two elements of a list are equal.
  public var uniqueItems = false
  /// The schema author's information for tools: the members of the schema whose names begin with `x-`.
  public var extensions: JSONObject?
  /// The fields inside it, in order; empty if there are none.
  public var fields: [FieldDescription] {
    get { inner?.fields ?? [] }
    set { inner = newValue.isEmpty ? nil : InnerFields(fields: newValue) }
  }
  private var inner: InnerFields?
  /// The description of a list's rows, with the fields inside them; nil for a field without rows. Its name is `*`.
  public var items: FieldDescription? {
    get { if case .of(let field)? = rows { field } else { nil } }
    set { rows = newValue.map { .of($0) } }
  }
  private var rows: Rows?

  package init() {}

  package static let schemaName: StaticString? = "FieldDescription"
  package static let summary: StaticString = "A field, as a program draws it."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The field's name.")
    members.required("address", &address, "Its address: the name, or a JSON Pointer for a field inside of another.")
    members.required("type", &type, "The type of its values; `any` if the schema does not set one.")
    members.optional("format", &format, "The schema's `format`.")
    members.optional(
      "read",
      &read,
      "How it reads what people type: send the text of the input as typed. The document has it in `text` of the field."
    )
    members.optional("widget", &widget, "The control that the form's author asks for.")
    members.optional(
      "hints",
      &hints,
      "The definition's hints about the control: `autocomplete`, `inputMode`, `accept`, `maxBytes`, `mediaTypes`, `group`, `ui`."
    )
    members.optional("label", &label, "Its name for the user.")
    members.optional("placeholder", &placeholder, "The text in the empty field.")
    members.optional("help", &help, "The help text beside it.")
    members.required("show", &show, "When its messages are shown.")
    members.required("isSecret", &isSecret, "Whether its value never leaves the daemon.")
    members.required("isRequired", &isRequired, "Whether the schema requires it.")
    members.flag(
      "readOnly",
      &isReadOnly,
      "Whether the schema says that the user does not change the value. The field is never enabled."
    )
    members.flag("computed", &isComputed, "Whether a formula computes the value. Such a field takes no input.")
    members.flag("suggested", &isSuggested, "Whether a formula suggests the value until it is changed.")
    members.optional("options", &options, "The values to choose from, in order.")
    members.flag(
      "hasLiveOptions",
      &hasLiveOptions,
      "Whether a formula computes the options. The document has them in `options` of the field, or of the list around it."
    )
    members.flag(
      "isMultipleChoice",
      &isMultipleChoice,
      "Of a list: whether each element is one of the choices of `items`. `field/toggle` adds and removes one."
    )
    members.flag(
      "admitsOther",
      &admitsOther,
      "Whether the user may give a text that is not among the choices."
    )
    members.optional("initial", &initial, "Its initial value.")
    members.optional(
      "initialText",
      &initialText,
      "The initial value as people type it, in the language of the texts. Only of a field with `read`."
    )
    members.optional("key", &key, "Of a list: the name of the member that identifies its rows.")
    members.flag(
      "ignoresBlankRows",
      &ignoresBlankRows,
      "Of a list: whether rows without any value are not judged, not sent and not counted."
    )
    members.optional("minLength", &minLength, "The minimum length of a text, in code points.")
    members.optional("maxLength", &maxLength, "The maximum length of a text, in code points.")
    members.optional(
      "pattern",
      &pattern,
      "A regular expression that a text matches; the first one if there are several."
    )
    members.optional("minimum", &minimum, "The minimum of a number.")
    members.optional("maximum", &maximum, "The maximum of a number.")
    members.optional("exclusiveMinimum", &exclusiveMinimum, "A number that every value is greater than.")
    members.optional("exclusiveMaximum", &exclusiveMaximum, "A number that every value is less than.")
    members.optional(
      "multipleOf",
      &multipleOf,
      "Every value is a multiple of this number; the first one if there are several."
    )
    members.optional("minItems", &minItems, "The minimum number of elements in a list.")
    members.optional("maxItems", &maxItems, "The maximum number of elements in a list.")
    members.flag("uniqueItems", &uniqueItems, "Whether no two elements of a list are equal.")
    members.optional("extensions", &extensions, "The members of its schema whose names begin with `x-`.")
    members.optional("fields", &inner, "The fields inside of it, in order.")
    members.optional("items", &rows, "What each row of a list is: a field called `*`.")
  }
}

/// The fields inside a field. A structure cannot hold its own type directly.
private struct InnerFields: MemberValue, Sendable {
  var fields: [FieldDescription]

  static var schema: JSONObject { [FieldDescription].schema }
  static var expectation: String { [FieldDescription].expectation }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> InnerFields? {
    [FieldDescription].read(node, &reader).map(InnerFields.init)
  }

  func write(into buffer: OutputBuffer) { fields.write(into: buffer) }
}

/// The description of a list's rows. It is indirect for the same reason as ``InnerFields``.
private indirect enum Rows: MemberValue, Sendable {
  case of(FieldDescription)

  static var schema: JSONObject { FieldDescription.schema }
  static var schemaName: StaticString? { FieldDescription.schemaName }
  static var expectation: String { FieldDescription.expectation }

  static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Rows? {
    FieldDescription.read(node, &reader).map { .of($0) }
  }

  func write(into buffer: OutputBuffer) { if case .of(let field) = self { field.write(into: buffer) } }
}

/// The kind of values that a field takes.
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
  /// The schema allows several types.
  case any

  package static let schemaName: StaticString? = "FieldKind"

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

/// A step, as a program draws it.
public struct StepDescription: Message, Sendable {
  /// The step's id.
  public var id = ""
  /// The text that names the step to the user.
  public var label: String?
  /// The addresses of its fields. The fields inside them are in the step, too.
  public var fields: [String] = []

  package init() {}

  package init(id: String, label: String?, fields: [String]) {
    self.id = id
    self.label = label
    self.fields = fields
  }

  package static let schemaName: StaticString? = "StepDescription"
  package static let summary: StaticString = "A step, as a program draws it."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("id", &id, "The step's id.")
    members.optional("label", &label, "Its name for the user.")
    members.required("fields", &fields, "The addresses of its fields. Fields inside of them are in the step, too.")
  }
}

/// An action, as a program draws it.
public struct ActionDescription: Message, Sendable {
  /// The action's name.
  public var name = ""
  /// The text that names the action to the user.
  public var label: String?
  /// The id of the step whose fields are exactly the action's fields; nil if its scope is different. The action belongs
  /// on that step's page.
  public var step: String?
  /// The id of the step after ``step``; nil if ``step`` is the last step, or if several actions have that ``step``.
  /// When the action has succeeded, the client shows this step. If the step is hidden, the client shows the next
  /// visible step.
  public var leadsTo: String?

  package init() {}

  package init(name: String, label: String? = nil, step: String? = nil, leadsTo: String? = nil) {
    self.name = name
    self.label = label
    self.step = step
    self.leadsTo = leadsTo
  }

  package static let schemaName: StaticString? = "ActionDescription"
  package static let summary: StaticString = "An action, as a program draws it."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("name", &name, "The action's name.")
    members.optional("label", &label, "Its name for the user.")
    members.optional(
      "step",
      &step,
      "The step whose fields are exactly the action's fields. The action belongs on that step's page."
    )
    members.optional(
      "leadsTo",
      &leadsTo,
      "The step to show when the action has succeeded. If it is hidden, the client shows the next visible step."
    )
  }
}
