internal import DataLanguages
internal import JSON
internal import SourceTexts

/// The kind of an input by its looks, for people who named another kind.
enum RecognizedInput {
  /// A definition of a form of formd.
  case form
  /// A file of tests of a form.
  case tests
  /// A survey of SurveyJS.
  case survey
  /// A document of OpenAPI.
  case openAPI
  /// A JSON Schema.
  case schema
  /// A schema and a uiSchema of rjsf in one file.
  case pair
  /// A uiSchema of rjsf.
  case uiSchema
  /// A page of HTML.
  case page
  /// A program in Python or TypeScript.
  case program
  /// A text in YAML whose file has another ending.
  case yaml

  /// The kind of a value; nil if it can be anything.
  init?(_ value: JSON) {
    guard case .object(let members) = value else { return nil }
    if members["form"]?.stringValue != nil, members["schema"]?.objectValue != nil {
      self = .form
    } else if members["cases"]?.arrayValue?.first?.objectValue != nil {
      self = .tests
    } else if members["openapi"] != nil || members["swagger"] != nil {
      self = .openAPI
    } else if members["schema"]?.objectValue != nil, members["uiSchema"] != nil || members["formData"] != nil {
      self = .pair
    } else if members["type"]?.stringValue == nil, Self.hasSettings(value, depth: 0),
      !["$schema", "$ref", "$defs", "definitions", "properties"].contains(where: { members[$0] != nil })
    {
      self = .uiSchema
    } else if Self.isSchema(members) {
      self = .schema
    } else if ["pages", "elements", "questions"].contains(where: { members[$0]?.arrayValue != nil }) {
      self = .survey
    } else {
      return nil
    }
  }

  /// The kind of a text that could not be read; nil if it can be anything.
  init?(_ input: ImportInput) {
    let start = input.source.bytes.first { !" \t\r\n\u{feff}".utf8.contains($0) }
    let ending = input.file.split(separator: ".").last ?? ""
    let text = ScannedText(input.source, language: DataLanguage(fileName: input.file) == .yaml ? .yaml : .json)
    if ["py", "ts", "tsx", "js", "mjs"].contains(ending) {
      self = .program
    } else if start == UInt8(ascii: "<") {
      self = .page
    } else if !text.hasLosses {
      self.init(text.value)
    } else if start != UInt8(ascii: "{"), start != UInt8(ascii: "["),
      case let yaml = ScannedText(input.source, language: .yaml), !yaml.hasLosses, yaml.value.objectValue != nil
    {
      self = .yaml
    } else {
      return nil
    }
  }

  /// Whether a value has members `ui:...`, also inside its members.
  private static func hasSettings(_ value: JSON, depth: Int) -> Bool {
    guard depth < 8, case .object(let members) = value else { return false }
    return members.contains { $0.name.hasPrefix("ui:") || hasSettings($0.value, depth: depth + 1) }
  }

  /// Whether an object has a keyword of JSON Schema that describes values.
  private static func isSchema(_ members: JSONObject) -> Bool {
    let types = ["object", "array", "string", "number", "integer", "boolean", "null"]
    if let type = members["type"], type.arrayValue != nil || types.contains(type.stringValue ?? "") { return true }
    return [
      "$schema", "$ref", "$defs", "definitions", "properties", "required", "items", "enum", "const", "allOf", "anyOf",
      "oneOf", "not", "if", "additionalProperties", "patternProperties",
    ].contains { members[$0] != nil }
  }

  /// The kind, for people: a noun with an article.
  private var noun: String {
    switch self {
    case .form: "a form of formd"
    case .tests: "a file of tests of a form"
    case .survey: "a survey of SurveyJS"
    case .openAPI: "a document of OpenAPI"
    case .schema: "a JSON Schema"
    case .pair: "a schema and a uiSchema of rjsf"
    case .uiSchema: "a uiSchema of rjsf"
    case .page: "a page of HTML"
    case .program: "a program"
    case .yaml: "YAML"
    }
  }

  /// The command that reads it.
  private var remedy: String {
    switch self {
    case .form: "check this form with formctl check; it needs no import"
    case .tests: "run these tests with formctl test"
    case .survey: "import it with the kind surveyjs"
    case .openAPI: "import it with the kind schema"
    case .schema: "import it with the kind schema, or as the first file of the kind rjsf"
    case .pair: "import it with the kind rjsf, as the only file"
    case .uiSchema: "import it with the kind rjsf, as the second file after its schema"
    case .page: "import it with the kind html"
    case .program: "import what model_json_schema() of pydantic or z.toJSONSchema() of zod writes"
    case .yaml: "give the file a name that ends in .yaml"
    }
  }

  /// The error of an input that is this, and not the expected file.
  func error(_ input: ImportInput, expected: String) -> UnreadableInput {
    UnreadableInput(input, "this looks like \(noun), and not like \(expected)", remedy: remedy)
  }
}
