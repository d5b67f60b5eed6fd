internal import JSON

/// A form as other languages can express it: the types of its values, and the texts for people.
struct ExportModel {
  /// The form's name.
  let name: String
  /// The form's title.
  let title: String?
  /// The language of the texts.
  let locale: String?
  /// The values.
  let root: ExportValue
  /// The steps, with their labels and the names of their fields.
  let steps: [(id: String, label: String?, fields: Set<String>)]
  /// The actions, with their labels.
  let actions: [(name: String, label: String)]
}

/// A value of the form.
struct ExportValue {
  var type: ExportType
  /// Whether null is a value.
  var isNullable = false
  var label: String?
  var help: String?
  var placeholder: String?
  var widget: String?
  /// The parts of the choices that people see, by value.
  var choices: [String: ExportChoice] = [:]
  /// Values that are suggested beside texts of the user's own.
  var suggestions: [JSON] = []
  var initial: JSON?
  var isSecret = false
  var isReadOnly = false
  /// Whether an empty text is a value.
  var keepsEmpty = false
}

/// The parts of a choice that people see.
struct ExportChoice {
  var label: String?
  var group: String?
  var isDisabled = false
}

/// The type of a value.
indirect enum ExportType {
  case text(ExportText)
  case number(ExportNumber)
  case bool
  case null
  case choices([JSON])
  case list(ExportList)
  case object(ExportObject)
  case union([ExportValue], tag: String?)
  case any
}

struct ExportText {
  var minLength: Int?
  var maxLength: Int?
  var patterns: [String] = []
  var format: String?
}

struct ExportNumber {
  var isInteger: Bool
  var minimum: JSON?
  var maximum: JSON?
  var exclusiveMinimum: JSON?
  var exclusiveMaximum: JSON?
  var multipleOf: JSON?
}

struct ExportList {
  var element: ExportValue
  /// Whether an element must have a value.
  var areElementsRequired = false
  var minItems: Int?
  var maxItems: Int?
  var isUnique = false
}

struct ExportObject {
  /// A name for the type, made of the words that lead to it.
  var name: String
  var members: [ExportMember] = []
  /// Whether other members are an error.
  var isClosed = false
}

struct ExportMember {
  let name: String
  var value: ExportValue
  var isRequired: Bool
}
