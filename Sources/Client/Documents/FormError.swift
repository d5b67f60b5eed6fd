public import JSON

/// One error or warning of a document.
public struct FormError: Hashable, Sendable {
  /// The address of the field that has the error; nil for the form as a whole.
  public let field: String?
  /// The pointer to the field in the values.
  private let fieldPointer: JSONPointer
  /// The error in the document.
  public let json: JSON

  /// A view of that error; a nil field means the form as a whole.
  package init(_ json: JSON, of field: FormDocument.Field?) {
    self.init(json, field: field?.address, at: field?.pointer ?? .root)
  }

  private init(_ json: JSON, field: String?, at pointer: JSONPointer) {
    self.field = field
    fieldPointer = pointer
    self.json = json
  }

  /// The code of the error: the id of a rule or a check, or a keyword of JSON Schema.
  public var code: String { json["code"]?.stringValue ?? "" }

  /// The pointer into the values; the root for the form as a whole. In a list this is a position, and ``field`` has a
  /// row's identity.
  public var path: JSONPointer {
    let inside = json["path"]?.stringValue.flatMap(JSONPointer.init(_:)) ?? .root
    return JSONPointer(tokens: fieldPointer.tokens + inside.tokens)
  }

  /// Whether this is a warning, so that the value is accepted.
  public var isWarning: Bool { json["severity"]?.stringValue == "warning" }

  /// Whether a server, or another program, reported it for a value that it received. Such an error blocks nothing.
  public var isOfServer: Bool { json["source"]?.stringValue == "server" }

  /// The text for the user.
  public var message: String? { json["message"]?.stringValue }

  /// The parameters of the text, such as the allowed length, by name.
  public var params: JSONObject { json["params"]?.objectValue ?? [:] }

  /// The reasons why the closest alternative does not hold, if the value matches none of several alternatives. Each has
  /// its code and its location, and no text.
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
