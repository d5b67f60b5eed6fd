internal import JSON
internal import Texts

/// A form definition that was read, but not compiled: formulas are texts, names are unresolved.
struct FormDefinition {
  var name: String
  var locale: String?
  var title: Text?
  /// The edition of the form.
  var version = 0
  /// The whole definition.
  var json = JSON.null
  /// How often `now` ticks.
  var clock: Duration?
  /// The schema block, unchanged.
  var schema: JSON
  /// The schema of the context; nil if the form has none.
  var context: JSON?
  /// Whether fields read texts as the type that their schema asks for, by default.
  var coerces = false
  /// How fields read what people type, by default.
  var reads: [ReadDefinition] = []
  /// The texts of errors of all fields, and of the form.
  var messages = MessageDefinitions()
  /// The texts of errors of the form as a whole: the entry `""` of `fields`.
  var formMessages = MessageDefinitions()
  /// Whether users can take their edits back.
  var hasUndo = false
  /// Whether values of hidden fields stay, by default.
  var whenHidden = HiddenPolicy.keep
  /// In the order written, by address as written.
  var fields: [(address: String, definition: FieldDefinition)] = []
  var rules: [RuleDefinition] = []
  var checks: [CheckDefinition] = []
  var lookups: [LookupDefinition] = []
  var steps: [StepDefinition] = []
  var actions: [ActionDefinition] = []
  var outputs: [(name: String, formula: FormulaText)] = []
  /// Formulas that formulas call.
  var functions: [FunctionDefinition] = []
  /// Texts that formulas name.
  var texts: [(name: String, text: Text)] = []
}

/// A formula with a name and parameters.
struct FunctionDefinition {
  var name: String
  var pointer: JSONPointer
  var parameters: [String] = []
  /// nil if it, or the parameters, could not be read.
  var formula: FormulaText?
}

/// A CEL expression and its location.
struct FormulaText {
  var source: String
  var pointer: JSONPointer
}

/// When messages of a field are shown.
public enum ShowPolicy: String, Sendable, CaseIterable {
  /// From the beginning.
  case always
  /// From the first edit on.
  case edit
  /// From the end of the first editing on; during later editing, messages only disappear.
  case blur
  /// From the first tap on.
  case submit
}

/// Whether the value of a hidden field stays.
enum HiddenPolicy: String, CaseIterable {
  /// It stays, and is there again when the field is shown.
  case keep
  /// It goes.
  case clear
}

/// A step of `normalize` as a definition writes it.
enum NormalizationDefinition {
  case word(Normalization)
  /// Replaces each match of a regular expression with a text.
  case replace(pattern: String, text: String, pointer: JSONPointer)
}

struct FieldDefinition {
  var pointer: JSONPointer
  /// The name of the field in earlier versions of the form.
  var renamedFrom: String?
  var label: Text?
  var placeholder: Text?
  var help: Text?
  var widget: String?
  /// Hints for clients about the control, by name: `autocomplete`, …
  var hints = JSONObject()
  var normalize: [NormalizationDefinition] = []
  /// Whether a text is read as the type that the schema asks for; nil: by the form's default.
  var coerces: Bool?
  /// How the field reads what people type; nil: by the form's default.
  var read: ReadDefinition?
  var show: ShowPolicy = .blur
  var throttle: Duration?
  var debounce: Duration?
  var keepsEmpty = false
  var messages = MessageDefinitions()
  /// What the definition says of single choices.
  var options: [OptionDefinition] = []
  /// Whether the user may give a text that is not among the choices.
  var admitsOther = false
  /// The formula that gives the options; in place of the texts.
  var optionsFormula: FormulaText?
  var isSecret = false
  /// Of a list: the name of the member that identifies its rows.
  var key: String?
  var isUnique = false
  /// Whether a value that is not unique blocks.
  var duplicateSeverity = Severity.error
  /// Whether errors of an initial value are warnings until the value is changed.
  var trustsInitial = false
  /// Of a list: whether its order does not count.
  var isUnordered = false
  /// Of a list: whether rows without a value do not count.
  var ignoresBlankRows = false
  var visible: FormulaText?
  var enabled: FormulaText?
  var required: FormulaText?
  /// Gives the field its value, always.
  var computed: FormulaText?
  /// Gives the field its value until an input does.
  var suggested: FormulaText?
  /// Whether its value stays while it is hidden; nil: as around it.
  var whenHidden: HiddenPolicy?
  /// Resets the field when its result changes.
  var resetWhen: FormulaText?
  /// Addresses of fields whose changes reset the field, each with its location.
  var resetOn: [(address: String, pointer: JSONPointer)] = []
}

/// A choice of a field.
struct OptionDefinition {
  /// The value as a text.
  var name: String
  var pointer: JSONPointer
  /// The value; nil if only its label is given, by its name.
  var value: JSON?
  var label: Text?
  var group: Text?
  var help: Text?
  var isDisabled = false
  /// The further members, which clients get as they are.
  var others = JSONObject()
}

/// Texts of errors, by code: a `messages` of the definition.
struct MessageDefinitions {
  private(set) var texts: [UTF8Key: Text] = [:]
  /// In the order written.
  private(set) var codes: [String] = []
  /// Its location in the definition.
  var pointer = JSONPointer.root

  var isEmpty: Bool { codes.isEmpty }

  /// The text for a code.
  subscript(code: String) -> Text? { texts[UTF8Key(text: code)] }

  /// All texts, in the order written.
  var all: [Text] { codes.compactMap { self[$0] } }

  mutating func add(_ text: Text, for code: String) {
    if texts.updateValue(text, forKey: UTF8Key(text: code)) == nil { codes.append(code) }
  }
}

/// Whether an error blocks.
public enum Severity: String, Sendable {
  /// An error blocks; a warning is only shown.
  case error, warning
}

/// A message: a text, or a formula that makes one.
struct MessageDefinition {
  var text: Text?
  var formula: FormulaText?
}

struct RuleDefinition {
  var pointer: JSONPointer
  var id: String
  /// Its field. A rule about a group in rows gets the row.
  var field: String?
  var when: FormulaText?
  /// The condition, or the group of fields that must have values.
  var condition: RuleCondition
  var message: MessageDefinition
  var severity: Severity = .error
}

enum RuleCondition {
  case check(FormulaText)
  case group(GroupDefinition)
}

/// A group of fields. Its kind says how many fields must have values.
struct GroupDefinition {
  var kind: GroupKind
  /// The location of the list.
  var pointer: JSONPointer
  var fields: [(address: String, pointer: JSONPointer)]
}

/// The effect of a check when its service fails.
public enum FailurePolicy: String, Sendable {
  /// The form stays invalid until a later try succeeds.
  case block
  /// The field shows a warning.
  case warn
  /// The check counts as passed.
  case ignore
}

/// The moment at which a check asks about a value.
public enum AskPolicy: String, Sendable, CaseIterable {
  /// When the value changes.
  case change
  /// When the user leaves a field.
  case leave
  /// When the user taps an action.
  case tap
}

struct CheckDefinition {
  var pointer: JSONPointer
  var id: String
  var field: String
  var when: FormulaText?
  var ask: AskPolicy = .change
  var debounce: Duration?
  var run: RunDefinition
  var outcomes: [CheckOutcomeDefinition]
  var timeout: Duration
  var cacheCount: Int
  var trustsInitial: Bool
  var onFailure: FailurePolicy = .block
  /// The text while its service fails; nil: the built-in text.
  var failureMessage: Text?
  /// The part of an answer that formulas read.
  var result: FormulaText?
  /// Whether an answer is written nowhere.
  var isSecret: Bool
}

struct CheckOutcomeDefinition {
  var pointer: JSONPointer
  var when: FormulaText?
  /// Whether the value is valid in this branch.
  var isValid: Bool
  var code: String?
  var message: MessageDefinition
  var severity: Severity = .error
}

struct LookupDefinition {
  var name: String
  var when: FormulaText?
  var debounce: Duration?
  var run: RunDefinition
  /// nil: the body of the answer, or its rows.
  var value: FormulaText?
  var timeout: Duration
  var retry: RetryDefinition?
  var cacheCount: Int
  /// Whether an answer is written nowhere.
  var isSecret: Bool
  /// Whether browsers get its value.
  var isPublic: Bool
}

struct StepDefinition {
  var pointer: JSONPointer
  var id: String
  var label: Text?
  /// Addresses of fields, each with its location.
  var fields: [(address: String, pointer: JSONPointer)] = []
  var visible: FormulaText?
}

/// The `scope` of an action in a definition.
enum ScopeDefinition {
  case form
  case none
  /// The id of a step.
  case step(String)
  /// The addresses of fields.
  case fields([String])
}

struct ActionDefinition {
  var pointer: JSONPointer
  var name: String
  var label: Text?
  /// nil: the statuses that `enabled` reads decide.
  var scope: ScopeDefinition?
  var enabled: FormulaText?
  var throttle: ThrottleDefinition?
  var debounce: Duration?
  var flight = "drop"
  var refusesWhenPending = false
  var run: RunDefinition?
  var outcomes: [ActionOutcomeDefinition] = []
  var timeout: Duration
  var retry: RetryDefinition?
  /// Whether its request identifies its tap.
  var isIdempotent = false
  /// Whether its result is written nowhere.
  var isSecret = false
  /// Whether browsers get its result.
  var isPublic = false
}

struct ThrottleDefinition {
  var interval: Duration
  var edges: String
}

struct RetryDefinition {
  var times: Int
  var delay: Duration
  var factor: Double
  var delayMax: Duration
}

struct ActionOutcomeDefinition {
  var pointer: JSONPointer
  var when: FormulaText?
  var success: FormulaText?
  var failure: FormulaText?
  var message: MessageDefinition
  var fieldErrors: [(field: String, formula: FormulaText)] = []
  /// In place of `fieldErrors`: one formula that gives all of them.
  var fieldErrorMap: FormulaText?
}

/// A tree of JSON whose text leaves are formulas.
indirect enum TemplateDefinition {
  case formula(FormulaText)
  /// The word `values`: all values.
  case values
  /// The word `changes`: the values that differ from the initial values.
  case changes
  case literal(JSON)
  case array([TemplateDefinition])
  case object([(name: String, value: TemplateDefinition)])
}

enum RunDefinition {
  case http(
    pointer: JSONPointer,
    service: String,
    method: String,
    path: String,
    query: [(name: String, formula: FormulaText)],
    headers: [(name: String, formula: FormulaText)],
    json: TemplateDefinition?
  )
  case sql(
    pointer: JSONPointer,
    database: String,
    query: String,
    parameters: [(name: String, formula: FormulaText)]
  )
  case provider(pointer: JSONPointer, name: String, arguments: [(name: String, value: TemplateDefinition)])
}
