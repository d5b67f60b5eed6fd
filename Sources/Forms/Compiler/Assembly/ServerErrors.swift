internal import CEL
internal import JSON
internal import Texts

/// `serverErrors(body)` reads the errors of a server's answer, in common shapes, as a map from addresses to texts.
/// `fieldErrors` of an outcome takes such a map. A text about no particular value is at `''`. A text that the answer
/// gives with a code is `{message, code}`.
///
/// The shapes: problem details with `errors` (RFC 9457, section 3), JSON:API ("Errors"), and the shapes of Laravel,
/// Rails, Django REST framework and FastAPI.
struct ServerErrors {
  /// In the order in which the answer names them.
  private var addressed: [(address: String, errors: [JSON])] = []
  private var indexByAddress: [UTF8Key: Int] = [:]

  /// The function for formulas.
  static let function = Function(
    "serverErrors(body)",
    .others,
    "the errors in a server's answer, by address: for \"fieldErrors\"",
    examples: [
      "serverErrors({'errors': {'email': ['Taken.']}})": #"{"email": ["Taken."]}"#,
      "serverErrors({'email': [{'message': 'Taken.', 'code': 'taken'}]})":
        #"{"email": [{"message": "Taken.", "code": "taken"}]}"#,
    ],
    overloads: [
      Overload(
        id: "server_errors",
        name: "serverErrors",
        parameters: [.dyn],
        result: .map(.string, .list(.dyn)),
        cost: .content([0]),
        resultSize: .argument(0),
        implementation: .unary { body in
          guard let body = body.json else { return .error(.noSuchOverload) }
          return Value(ServerErrors.read(body))
        }
      )
    ]
  )

  /// An object of address to texts, or to `{message, code}`; empty when the body has no known shape.
  static func read(_ body: JSON) -> JSON {
    var errors = ServerErrors()
    errors.read(body)
    return .object(
      JSONObject(uncheckedMembers: errors.addressed.map { .init(name: $0.address, value: .array($0.errors)) })
    )
  }

  private mutating func read(_ body: JSON) {
    guard case .object(let members) = body else { return readList(body) }
    if let errors = members["errors"] {
      if case .object(let fields) = errors { readFields(fields, below: []) } else { readList(errors) }
    } else if let detail = members["detail"] {
      readList(detail)
    } else {
      // Fields have lists of texts, or fields of their own. A text is about the whole object.
      for member in members where member.value.stringValue == nil {
        readField(member.value, at: Self.names(member.name, below: []))
      }
      if addressed.isEmpty { add(Self.text(of: members), Self.code(of: members), at: "") }
    }
  }

  /// A list whose elements are texts, or objects that name their address; or one text.
  private mutating func readList(_ list: JSON) {
    switch list {
    case .string(let text): add(text, nil, at: "")
    case .array(let elements):
      for element in elements {
        if case .object(let members) = element {
          add(Self.text(of: members), Self.code(of: members), at: Self.address(in: members))
        } else {
          readList(element)
        }
      }
    default: break
    }
  }

  /// Fields with texts, and with fields below them.
  private mutating func readFields(_ fields: JSONObject, below names: [String]) {
    for field in fields { readField(field.value, at: Self.names(field.name, below: names)) }
  }

  private mutating func readField(_ value: JSON, at names: [String]) {
    switch value {
    case .string(let text): add(text, nil, at: Self.address(of: names))
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        // A list of rows has an object for each row, and an empty object for a row without errors.
        let isRow = element.objectValue.map { !Self.isError($0) } ?? false
        readField(element, at: isRow ? names + ["\(index)"] : names)
      }
    case .object(let members) where Self.isError(members):
      add(Self.text(of: members), Self.code(of: members), at: Self.address(of: names))
    case .object(let fields): readFields(fields, below: names)
    default: break
    }
  }

  private mutating func add(_ text: String?, _ code: JSON?, at address: String) {
    guard let text, !text.isEmpty else { return }
    let index = indexByAddress[UTF8Key(text: address)] ?? addressed.count
    if index == addressed.count {
      indexByAddress[UTF8Key(text: address)] = index
      addressed.append((address, []))
    }
    addressed[index].errors.append(code.map { ["message": .string(text), "code": $0] } ?? .string(text))
  }

  // MARK: Names

  /// Whether an object is one error, `{message, code}`, and not fields with texts.
  private static func isError(_ members: JSONObject) -> Bool {
    members["message"]?.stringValue != nil && code(of: members) != nil
  }

  /// The code in an object, for programs. It is never a text for people.
  private static func code(of members: JSONObject) -> JSON? {
    members["code"].flatMap { $0.stringValue?.isEmpty == false || $0.integerValue != nil ? $0 : nil }
  }

  /// The text in an object.
  private static func text(of members: JSONObject) -> String? {
    ["detail", "msg", "message", "title", "error"].lazy.compactMap { members[$0]?.stringValue }.first { !$0.isEmpty }
  }

  /// The address that an object names: RFC 9457's `pointer`, JSON:API's `source`, FastAPI's `loc`; empty if it names
  /// none.
  private static func address(in members: JSONObject) -> String {
    if let pointer = members["pointer"]?.stringValue {
      return String(pointer.utf8.first == UInt8(ascii: "#") ? pointer.dropFirst() : pointer[...])
    }
    if let source = members["source"]?.objectValue {
      guard let pointer = source["pointer"]?.stringValue else { return source["parameter"]?.stringValue ?? "" }
      for head in ["/data/attributes", "/data/relationships", "/data"] where pointer.hasPrefix(head + "/") {
        return String(pointer.dropFirst(head.count))
      }
      return pointer == "/data" ? "" : pointer
    }
    guard let parts = members["loc"]?.arrayValue else { return "" }
    let names = parts.compactMap { $0.stringValue ?? $0.integerValue.map { "\($0)" } }
    return address(of: Array(["body", "query", "path", "form"].contains(names.first) ? names.dropFirst() : names[...]))
  }

  /// A single name is used unchanged, because it may be a path by itself (`items.0.sku`); several become a JSON
  /// Pointer.
  private static func address(of names: [String]) -> String {
    names.count > 1 ? JSONPointer(tokens: names).description : names.first ?? ""
  }

  /// A name below others. Django's `non_field_errors` and Rails' `base` mean the whole object.
  private static func names(_ name: String, below names: [String]) -> [String] {
    ["non_field_errors", "__all__", "base"].contains(name) ? names : names + [name]
  }
}
