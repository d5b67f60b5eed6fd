package import JSON
package import SourceTexts

package struct TextValidateParams: Call, FormSourceParams {
  /// The name of a form that the daemon has; nil if a definition is given.
  package var form: String?
  /// A form that the client brings along; nil if a name is given.
  package var definition: JSONObject?
  package var text = ""
  package var language = TextLanguage.json
  /// The characters that the ranges count.
  package var encoding = PositionEncoding.utf16
  /// The language of messages; nil: the form's default.
  package var locale: String?
  /// The values that formulas read as `context`; nil: none.
  package var context: JSONObject?
  /// The time zone that decides what `today` is; nil: the daemon's.
  package var zone: String?
  /// Whether asynchronous checks are run too.
  package var checks = false
  /// The source of values that the text lacks.
  package var defaults = TextDefaults.apply
  /// The maximum number of errors in the answer.
  package var errorsMax = Self.errorsMaxUsual

  /// The number of errors in the answer if params do not set it, and the upper bound.
  package static let errorsMaxUsual = 100
  package static let errorsMaxAllowed = 10_000

  package init() {}

  package mutating func list(_ members: inout some MessageVisitor) {
    members.optional("form", &form, "A form's name.")
    members.optional("definition", &definition, "A form definition.")
    members.required("text", &text, "The text.")
    members.required("language", &language, "The language of the text.")
    members.optional(
      "encoding",
      &encoding,
      default: .utf16,
      "How ranges count characters: in UTF-8 bytes, UTF-16 code units, or code points. The default is `utf-16`."
    )
    members.optional("locale", &locale, "The language of messages.")
    members.optional(
      "context",
      &context,
      "The values that formulas read as `context`; the form's `context` admits them."
    )
    members.optional("zone", &zone, "The time zone that decides what `today` is. The default is the daemon's.")
    members.flag("checks", &checks, "Runs the asynchronous checks and the lookups too; the answer waits for them.")
    members.optional(
      "defaults",
      &defaults,
      default: .apply,
      "`apply`: values that the text lacks get the schema's defaults. `ignore`: they are absent. The default is `apply`."
    )
    members.optional(
      "errorsMax",
      &errorsMax,
      default: Self.errorsMaxUsual,
      "How many errors are listed at most, from 1 to 10,000. The default is 100."
    )
  }

  package func check(_ reader: inout MessageReader) {
    if form != nil && definition != nil {
      reader.note(.value, "form or definition, not both", atMember: "definition")
    } else if !reader.has("form") && !reader.has("definition") {
      reader.note(.required, "form or definition", atMember: "form")
    }
    if !(1...Self.errorsMaxAllowed).contains(errorsMax) {
      reader.note(.value, "a number from 1 to \(Self.errorsMaxAllowed)", atMember: "errorsMax")
    }
  }

  package static let method = Method.textValidate
  package static let name: StaticString = "text/validate"
  package static let role: Role? = .client
  package static let isIdempotent = true
  package static let title = "Validates a text, with the position of each error"
  package static let details =
    "Validates the values in the text as `form/validate` does, and gives the position of each error in the text. A broken text is validated as far as it can be read. Lines and characters are counted from 0."
  package static let failures: [FormErrorCode] = [.unknownForm, .unknownField, .requestCancelled]
  package static var example: (params: Self, answer: TextJudgment) {
    var params = Self()
    params.form = "login"
    params.text = "email: kim\npasword: x\n"
    params.language = .yaml
    var answer = TextJudgment()
    var error = TextProblem()
    error.path = "/email"
    error.severity = .error
    error.code = "email.shape"
    error.source = .rule
    error.message = "That is not an email address."
    error.range = TextRange(start: TextPosition(line: 0, character: 7), end: TextPosition(line: 0, character: 10))
    error.keyRange = TextRange(start: TextPosition(line: 0, character: 0), end: TextPosition(line: 0, character: 5))
    var name = TextProblem()
    name.path = "/pasword"
    name.severity = .warning
    name.code = "unknownName"
    name.message = "there is no field pasword; did you mean password?"
    name.range = TextRange(start: TextPosition(line: 1, character: 0), end: TextPosition(line: 1, character: 7))
    name.keyRange = name.range
    name.fix = TextReplacement(range: name.range, text: "password")
    answer.errors = [error, name]
    return (params, answer)
  }
}

/// How a text writes its values.
public enum TextLanguage: WireName, Sendable {
  /// JSON.
  case json
  /// JSON with comments and commas after the last item.
  case jsonc
  /// YAML.
  case yaml
  /// Lines `NAME=value`.
  case env

  package static let schemaName: StaticString? = "TextLanguage"

  package var wireName: StaticString {
    switch self {
    case .json: "json"
    case .jsonc: "jsonc"
    case .yaml: "yaml"
    case .env: "env"
    }
  }
}

/// The source of values that a text lacks.
package enum TextDefaults: WireName {
  /// The schema's defaults.
  case apply
  /// A member that the text lacks is absent.
  case ignore

  package var wireName: StaticString {
    switch self {
    case .apply: "apply"
    case .ignore: "ignore"
    }
  }
}

extension PositionEncoding: WireName {
  package static let schemaName: StaticString? = "PositionEncoding"

  package var wireName: StaticString {
    switch self {
    case .utf8: "utf-8"
    case .utf16: "utf-16"
    case .utf32: "utf-32"
    }
  }
}
