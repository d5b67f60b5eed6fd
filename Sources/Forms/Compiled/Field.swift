public import JSON

/// A top-level property of the form's schema, with what the `fields` block says about it.
public final class Field: Sendable {
  /// The property's name.
  public let name: String
  /// The name's UTF-8.
  package let nameUTF8: [UInt8]
  /// What the field is called for people.
  public let label: Text?
  /// The text in the empty field.
  public let placeholder: Text?
  /// The text beside the field.
  public let help: Text?
  /// When its messages are shown.
  public let show: ShowPolicy
  /// Whether its value never leaves the daemon, except as an argument of a run.
  public let isSecret: Bool
  /// The steps that a text goes through before it becomes the field's value.
  public let normalize: [Normalization]
  /// A longer text, in bytes, is not composed by the step `nfc`, since the schema refuses it composed or not.
  package let composedBytesMax: Int
  /// The throttle or debounce of the field's value.
  public let timing: Timing?
  /// Whether the schema requires it unconditionally.
  public let isRequiredBySchema: Bool
  /// What can be chosen, in the schema's order: `enum`, or `oneOf` of `const` and `title`; named by `options` of the field where
  /// that names them.
  public let options: [Option]
  /// The schema's default.
  public let initial: JSON?

  /// Whether `""` is a value.
  package let keepsEmpty: Bool
  /// Whether the schema admits null.
  package let admitsNull: Bool
  /// The type of the field's value in formulas.
  package let type: FieldType
  /// Whether the field is shown; nil: always.
  package let visible: Formula?
  /// Whether the field can be changed; nil: always.
  package let enabled: Formula?
  /// Whether the field must have a value; nil: as the schema says.
  package let required: Formula?
  /// The rules that name this field, in the order written.
  package let rules: [Int]
  /// The checks that name this field, in the order written.
  package let checks: [Int]
  /// Its property in the schema's parts; nil when the schema says nothing about it but its name.
  package let property: Int?
  /// The text per error code, from the `messages` of the field.
  package let messages: [String: Text]
  /// The error that stands when it is required and absent.
  package let requiredError: ErrorAddress
  /// `/name`, escaped.
  package let path: String

  init(
    name: String,
    nameUTF8: [UInt8],
    label: Text?,
    placeholder: Text?,
    help: Text?,
    show: ShowPolicy,
    isSecret: Bool,
    normalize: [Normalization],
    lengthMax: Int?,
    timing: Timing?,
    isRequiredBySchema: Bool,
    options: [Option],
    initial: JSON?,
    keepsEmpty: Bool,
    admitsNull: Bool,
    type: FieldType,
    visible: Formula?,
    enabled: Formula?,
    required: Formula?,
    rules: [Int],
    checks: [Int],
    property: Int?,
    messages: [String: Text],
    requiredError: ErrorAddress,
    path: String
  ) {
    self.name = name
    self.nameUTF8 = nameUTF8
    self.label = label
    self.placeholder = placeholder
    self.help = help
    self.show = show
    self.isSecret = isSecret
    self.normalize = normalize
    composedBytesMax = Self.composedBytesMax(normalize, lengthMax: lengthMax)
    self.timing = timing
    self.isRequiredBySchema = isRequiredBySchema
    self.options = options
    self.initial = initial
    self.keepsEmpty = keepsEmpty
    self.admitsNull = admitsNull
    self.type = type
    self.visible = visible
    self.enabled = enabled
    self.required = required
    self.rules = rules
    self.checks = checks
    self.property = property
    self.messages = messages
    self.requiredError = requiredError
    self.path = path
  }

  /// How many bytes of UTF-8 a text may have so that the steps can bring it down to `lengthMax` code points.
  private static func composedBytesMax(_ normalize: [Normalization], lengthMax: Int?) -> Int {
    // A composed code point stands for four at most (UAX #15, section 9, "Maximum expansion factor"), and each has four bytes at most.
    // Behind `nfc`, `trim` and `collapse` can still drop any number.
    let (bytes, isTooLarge) = (lengthMax ?? .max).multipliedReportingOverflow(by: 16)
    let steps = normalize.drop { $0 != .nfc }
    return isTooLarge || steps.contains(.trim) || steps.contains(.collapse) ? .max : bytes
  }

  /// How a field's value is delayed until it takes effect.
  public enum Timing: Sendable, Hashable {
    /// At once, and then at most once in that time.
    case throttle(Duration)
    /// When nothing was changed for that time.
    case debounce(Duration)
  }

  /// One thing that can be chosen.
  public struct Option: Sendable {
    /// The value that is sent.
    public var value: JSON
    /// What it is called, if the definition says so.
    public var title: Text?
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
  /// A truth.
  case bool
  /// Arrays, objects, several types or none.
  case dynamic
}
