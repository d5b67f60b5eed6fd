public import JSON

/// One error or warning of a document.
public struct FormError: Hashable, Sendable {
  /// The address of the field that has the error; nil for the form as a whole.
  public let field: String?
  /// Where the field stands in the values.
  private let fieldPointer: JSONPointer
  /// The error as it stands in the document.
  public let json: JSON

  /// A view of that error; nil stands for the form as a whole.
  package init(_ json: JSON, of field: FormDocument.Field?) {
    self.init(json, field: field?.address, at: field?.pointer ?? .root)
  }

  private init(_ json: JSON, field: String?, at pointer: JSONPointer) {
    self.field = field
    fieldPointer = pointer
    self.json = json
  }

  /// What is wrong: the id of a rule or a check, or a keyword of JSON Schema.
  public var code: String { json["code"]?.stringValue ?? "" }

  /// Where in the values; the root for the form as a whole. In a list this is a position, in ``field`` it is a row's identity.
  public var path: JSONPointer {
    let inside = json["path"]?.stringValue.flatMap(JSONPointer.init(_:)) ?? .root
    return JSONPointer(tokens: fieldPointer.tokens + inside.tokens)
  }

  /// Whether this is a warning: the value is accepted all the same.
  public var isWarning: Bool { json["severity"]?.stringValue == "warning" }

  /// Whether a server, or another program, said it of the value that it was sent. Such an error blocks nothing.
  public var isOfServer: Bool { json["source"]?.stringValue == "server" }

  /// The text for the user.
  public var message: String? { json["message"]?.stringValue }

  /// What the text speaks of, such as the length that is allowed, by name.
  public var params: JSONObject { json["params"]?.objectValue ?? [:] }

  /// Why the alternative that the value comes closest to does not hold, where the value is none of several: each with its code and its
  /// place, and no text.
  public var causes: [FormError] {
    (params["causes"]?.arrayValue ?? []).map { FormError($0, field: path.address, at: path) }
  }

  /// The error with its field.
  public var jsonWithField: JSON {
    guard let field, case .object(let members) = json else { return json }
    var object: JSONObject = ["field": .string(field)]
    for member in members { object[member.name] = member.value }
    return .object(object)
  }
}
