public import JSON
package import JSONSchema
package import LocaleFormats
package import Texts

/// A value that the form's schema names, with what the `fields` block says about it.
public final class Field: Sendable {
  /// The name of the object's member.
  public let name: String
  /// The field's address: the name of a top-level property (`email`), or a JSON Pointer (`/address/city`).
  public let address: String
  /// The names that lead to it from the root.
  public let path: [String]
  /// The field whose value it is a part of, in its own row; nil for a top-level property, and for the element of a
  /// list.
  public let parent: Int?
  /// The end of the fields inside it, in the same row. They begin directly after it and end before this field.
  public let end: Int
  /// Of an element: the list whose rows it represents.
  public let list: Int?
  /// Of a list with rows: the field that represents each row.
  public let element: Int?
  /// Its template: 0 for the form, else the template of a list's rows.
  package let template: Int
  /// The step that names it; nil if none does. A step that names an object does not name the fields inside it.
  package let step: Int?
  /// The field around it: the field whose value it is a part of, or the list whose rows it represents.
  package var around: Int? { parent ?? list }
  /// The field's label for people: from the definition, else the schema's `title`.
  public let label: Text?
  /// The text in the empty field.
  public let placeholder: Text?
  /// The text beside the field: from the definition, else the schema's `description`.
  public let help: Text?
  /// The member's name in earlier versions of the form.
  public let renamedFrom: String?
  /// The control that the definition asks for. The form's author and the clients agree on the meaning of its name.
  public let widget: String?
  /// What the definition tells clients of the control, unchanged: `autocomplete`, `inputMode`, `accept`, `maxBytes`,
  /// `mediaTypes`, `group`, `ui`.
  public let hints: JSONObject
  /// When its messages are shown.
  public let show: ShowPolicy
  /// Whether its value is a formula's, and it takes no input.
  public var isComputed: Bool { computed != nil }
  /// Whether a formula suggests its value.
  public var isSuggested: Bool { suggested != nil }
  /// Whether its value never leaves the daemon, except as an argument of a run.
  public let isSecret: Bool
  /// The steps that a text goes through before it becomes the field's value.
  public let normalize: [Normalization]
  /// Whether a text is read as the number or Boolean that the schema asks for.
  package let coerces: Bool
  /// How it reads what people type; nil: it does not.
  package let read: TypedFormat?
  /// A longer text, in bytes, is not composed by the step `nfc`, because the schema refuses it composed or not.
  package let composedBytesMax: Int
  /// The throttle or debounce of the field's value.
  public let timing: Timing?
  /// Whether the schema requires it unconditionally.
  public let isRequiredBySchema: Bool
  /// Whether only programs may change its value: its schema, or the schema of a value around it, says `readOnly`.
  public let isReadOnly: Bool
  /// The options, in the schema's order: `enum`, or `oneOf` of `const` and `title`. The field's `options` name them,
  /// else the schema's titles do.
  public let options: [Option]
  /// The schema's default; nil for a field whose value a formula gives, or a default in a branch of the schema.
  public let initial: JSON?
  /// The defaults that the field has while branches of the schema hold; the first counts whose branches do. The last
  /// may be the default that the schema gives in any case.
  package let conditionalDefaults: [ConditionalDefault]
  /// The default that the schema gives in any case; nil for a field whose value a formula gives.
  public var schemaDefault: JSON? { initial ?? conditionalDefaults.last { $0.branches.isEmpty }?.value }

  /// The default without the parts that fields below it hold: these fields have initial values of their own.
  package let ownInitial: JSON?
  /// The schema's facts about its values. Its bounds hold only if ``property`` is present. If only branches of the
  /// schema name the field, these are the facts that the branches agree on.
  package let facts: PropertyFacts
  /// The JSON types that the schema admits.
  package var types: [String] { facts.types }
  /// Whether `""` is a value.
  package let keepsEmpty: Bool
  /// Whether the schema admits null.
  package let admitsNull: Bool
  /// The type of the field's value in formulas.
  package let type: FieldType
  /// Whether the field is shown; nil: always.
  package let visible: Formula?
  /// Whether its value goes when it is hidden.
  package let clearsWhenHidden: Bool
  /// Whether the field can be changed; nil: always.
  package let enabled: Formula?
  /// Whether the field must have a value; nil: as the schema says.
  package let required: Formula?
  /// Gives the field its value; nil: inputs do.
  package let computed: Formula?
  /// Gives the field its value until an input does; nil: nothing does.
  package let suggested: Formula?
  /// The formulas of `resetWhen` and `resetOn`: when a result changes by the user's hand, the field is reset.
  package let trigger: [Formula]
  /// Gives the field its value, always or until an input does.
  package var valueFormula: Formula? { computed ?? suggested }
  /// Whether its value may come from elsewhere than from inputs: from a formula, or from a default in a branch of the
  /// schema.
  package var mayFollow: Bool { valueFormula != nil || !conditionalDefaults.isEmpty }
  /// Of a list: the field that identifies its rows when the list gets a value as a whole.
  package let key: Int?
  /// The error of a row's field that repeats the value of an earlier row; nil if values may be equal.
  package let duplicateError: ErrorNumber?
  /// Whether errors of an initial value are warnings until the value is changed.
  package let trustsInitial: Bool
  /// Of a list: whether its order does not count for whether it differs from the beginning.
  package let isUnordered: Bool
  /// Of a list: whether rows without a value do not count.
  public let ignoresBlankRows: Bool
  /// The options, if a formula computes them; nil if the schema lists them, or if the field has none.
  package let computedOptions: ComputedOptions?
  /// Which values the definition's choices admit; nil if the schema or a formula alone decides.
  package let choiceLimit: ChoiceLimit?
  /// Whether the user may give a text that is not among the choices.
  public let admitsOther: Bool
  /// The rules whose errors the field may have, in the order written.
  package let rules: [Int]
  /// The groups whose errors the field may have. Such an error shows when all fields of the group were left.
  package let groups: [FieldGroup]
  /// The checks that name this field, in the order written.
  package let checks: [Int]
  /// The object that it is a member of, as a unit of the form.
  package let owner: Int
  /// Its index among the properties of that unit; nil when only branches of the schema name it.
  package let property: Int?
  /// The unit of its members, or of its rows; nil for a field without fields below it.
  package let unit: Int?
  /// Whether its value, or a value inside it, is a secret.
  package let holdsSecret: Bool
  /// The text per error code, from the `messages` of the field.
  package let messages: [UTF8Key: Text]
  /// The error when it is required and absent.
  package let requiredError: ErrorNumber

  init(
    position: FieldPosition,
    step: Int?,
    renamedFrom: String? = nil,
    label: Text?,
    placeholder: Text?,
    help: Text?,
    widget: String?,
    hints: JSONObject,
    show: ShowPolicy,
    isSecret: Bool,
    holdsSecret: Bool,
    normalize: [Normalization],
    coerces: Bool,
    read: TypedFormat?,
    lengthMax: Int?,
    timing: Timing?,
    isRequiredBySchema: Bool,
    isReadOnly: Bool,
    options: [Option],
    initial: JSON?,
    ownInitial: JSON?,
    conditionalDefaults: [ConditionalDefault],
    facts: PropertyFacts,
    keepsEmpty: Bool,
    admitsNull: Bool,
    type: FieldType,
    visible: Formula?,
    clearsWhenHidden: Bool,
    enabled: Formula?,
    required: Formula?,
    computed: Formula?,
    suggested: Formula?,
    trigger: [Formula],
    key: Int?,
    duplicateError: ErrorNumber?,
    trustsInitial: Bool,
    isUnordered: Bool,
    ignoresBlankRows: Bool,
    computedOptions: ComputedOptions?,
    choiceLimit: ChoiceLimit?,
    admitsOther: Bool,
    rules: [Int],
    groups: [FieldGroup],
    checks: [Int],
    messages: [UTF8Key: Text],
    requiredError: ErrorNumber
  ) {
    name = position.name
    address = position.address
    path = position.path
    parent = position.parent
    end = position.end
    list = position.list
    element = position.element
    template = position.template
    owner = position.owner
    property = position.property
    unit = position.unit
    self.step = step
    self.renamedFrom = renamedFrom
    self.holdsSecret = holdsSecret
    self.label = label
    self.placeholder = placeholder
    self.help = help
    self.widget = widget
    self.hints = hints
    self.show = show
    self.isSecret = isSecret
    self.normalize = normalize
    self.coerces = coerces
    self.read = read
    composedBytesMax = Self.composedBytesMax(normalize, lengthMax: lengthMax)
    self.timing = timing
    self.isRequiredBySchema = isRequiredBySchema
    self.isReadOnly = isReadOnly
    self.options = options
    self.initial = initial
    self.ownInitial = ownInitial
    self.conditionalDefaults = conditionalDefaults
    self.facts = facts
    self.keepsEmpty = keepsEmpty
    self.admitsNull = admitsNull
    self.type = type
    self.visible = visible
    self.clearsWhenHidden = clearsWhenHidden
    self.enabled = enabled
    self.required = required
    self.computed = computed
    self.suggested = suggested
    self.trigger = trigger
    self.key = key
    self.duplicateError = duplicateError
    self.trustsInitial = trustsInitial
    self.isUnordered = isUnordered
    self.ignoresBlankRows = ignoresBlankRows
    self.computedOptions = computedOptions
    self.choiceLimit = choiceLimit
    self.admitsOther = admitsOther
    self.rules = rules
    self.groups = groups
    self.checks = checks
    self.messages = messages
    self.requiredError = requiredError
  }

  /// How many bytes of UTF-8 a text may have so that the steps can bring it down to `lengthMax` code points.
  private static func composedBytesMax(_ normalize: [Normalization], lengthMax: Int?) -> Int {
    // A composed code point expands to four at most (UAX #15, section 9, "Maximum expansion factor"), and each has four
    // bytes at most. Steps after `nfc` can still remove any number.
    let (bytes, isTooLarge) = (lengthMax ?? .max).multipliedReportingOverflow(by: 16)
    let steps = normalize.drop { $0 != .nfc }
    return isTooLarge || steps.contains(where: \.mayShorten) ? .max : bytes
  }

  /// The word for the way in which it reads what people type.
  package var readName: String? { read?.kind.rawValue }

  /// Whether the document has the text of its input. It never has the text of a secret.
  package var tellsText: Bool { read != nil && !holdsSecret }

  /// Whether the engine judges values by choices, in addition to the schema.
  package var judgesChoices: Bool { computedOptions != nil || choiceLimit != nil }

  /// The lookups that the formula of its options reads.
  package var lookups: [Int] { computedOptions?.lookups ?? [] }

  /// How a field's value is delayed until it takes effect.
  public enum Timing: Sendable, Hashable {
    /// At once, and then at most once in that time.
    case throttle(Duration)
    /// After that time without a change.
    case debounce(Duration)
  }

  /// One thing that can be chosen.
  public struct Option: Sendable {
    /// The value that is sent.
    public var value: JSON
    /// Its label, if the definition or the schema has one.
    public var label: Text?
    /// The name of the choices that it belongs to, for users.
    public var group: Text?
    /// The text beside it.
    public var help: Text?
    /// Whether it cannot be chosen. The initial value may be such a choice.
    public var isDisabled = false
    /// The further members that the definition gives it. Clients get them as they are.
    public var others = JSONObject()
  }
}

/// The type of a field's value in formulas.
package enum FieldType: Sendable, Hashable {
  /// An absent one reads as `''`.
  case string
  /// A whole number.
  case integer
  /// A number.
  case number
  /// A Boolean.
  case bool
  /// A list with rows; an absent one reads as `[]`.
  case list
  /// Other arrays, objects, several types or none.
  case dynamic
}
