import FormProtocol
import Foundation
import JSON
import JSONSchema
import Testing

struct OpenRPCTests {
  private static let file: URL = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.appendingPathComponent("protocol/openrpc.json")
  }()

  @Test
  func `protocol openrpc json is what the code says (FORMD_REWRITE=1 rewrites it)`() throws {
    if ProcessInfo.processInfo.environment["FORMD_REWRITE"] == "1" {
      try Data(OpenRPCDocument.text.utf8).write(to: Self.file)
    }
    let written = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(written == OpenRPCDocument.text)
  }

  @Test
  func `the document reads back as it was`() throws {
    #expect(try JSON(parsing: OpenRPCDocument.text) == OpenRPCDocument.json)
  }

  @Test
  func `the document has every method and every push, by the name on the wire`() {
    func names(_ member: String) -> [String] {
      (OpenRPCDocument.json[member]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }
    #expect(names("methods") == Method.allCases.map(\.wireName.description))
    #expect(Set(names("methods")).count == Method.allCases.count)
    let pushes = names("x-notifications") + names("x-requests")
    #expect(Set(pushes) == Set(PushMethod.allCases.map(\.wireName.description)))
    #expect(pushes.count == PushMethod.allCases.count)
    #expect(names("x-requests") == [PushMethod.providerEvaluate.wireName.description])
  }

  /// protocol/kept-sessions.md, "Several daemons".
  @Test
  func `a call about a session fails if the session moves to another daemon meanwhile`() {
    let error: JSON = ["$ref": "#/components/errors/RequestCancelled"]
    let names = (OpenRPCDocument.json["methods"]?.arrayValue ?? [])
      .filter { $0["errors"]?.arrayValue?.contains(error) ?? false }.compactMap { $0["name"]?.stringValue }
    let waiting = Method.allCases.filter(\.meansOnlySession).map(\.wireName.description)
    #expect(waiting.contains("field/change") && waiting.contains("session/get"))
    #expect(Set(names).isSuperset(of: waiting + ["session/attach", "server/endSession"]))
  }

  /// OpenRPC 1.3.2, "Method Object".
  @Test
  func `required params come before optional ones`() {
    for method in OpenRPCDocument.json["methods"]?.arrayValue ?? [] {
      let isRequired = (method["params"]?.arrayValue ?? []).map { $0["required"] == true }
      #expect(isRequired == isRequired.sorted { $0 && !$1 }, "\(method["name"] ?? .null)")
    }
  }

  @Test
  func `every reference leads to a part of the document, and every named schema is referred to`() throws {
    let references = Self.references(in: OpenRPCDocument.json)
    for reference in references {
      let pointer = try #require(JSONPointer(String(reference.dropFirst())))
      #expect(OpenRPCDocument.json.value(at: pointer) != nil, "\(reference)")
    }
    func unused(_ part: String) -> [String] {
      let names = OpenRPCDocument.json["components"]?[part]?.objectValue?.names ?? []
      return names.filter { !references.contains("#/components/\(part)/\($0)") }
    }
    #expect(unused("schemas") == [])
    // They answer no request of a known method.
    #expect(unused("errors") == ["MethodNotFound", "Disconnected"])
  }

  @Test
  func `the parts of documents, updates and descriptions have names`() {
    let names = OpenRPCDocument.json["components"]?["schemas"]?.objectValue?.names ?? []
    #expect(
      Set(names).isSuperset(of: [
        "Document", "FieldState", "RowState", "StepState", "ActionState", "LookupState", "FormError", "Event", "Update",
        "FormDescription", "FieldDescription", "RpcError", "ErrorData", "UnknownFieldData", "Limits",
      ])
    )
  }

  @Test
  func `no object is described where it is used`() {
    func objects(in schema: JSON, isTop: Bool) -> [JSON] {
      let inside =
        (schema.objectValue ?? [:]).flatMap { objects(in: $0.value, isTop: false) }
        + (schema.arrayValue ?? []).flatMap { objects(in: $0, isTop: false) }
      return !isTop && schema["properties"] != nil && schema["type"] == "object" ? [schema] + inside : inside
    }
    for schema in OpenRPCDocument.json["components"]?["schemas"]?.objectValue ?? [:] {
      #expect(objects(in: schema.value, isTop: true).isEmpty, "\(schema.name)")
    }
    for method in OpenRPCDocument.json["methods"]?.arrayValue ?? [] {
      let name = method["name"]?.stringValue ?? ""
      #expect(objects(in: method["params"] ?? .null, isTop: false).isEmpty, "\(name)")
      #expect(objects(in: method["result"] ?? .null, isTop: false).isEmpty, "\(name)")
    }
  }

  private static func references(in json: JSON) -> Set<String> {
    let own = json["$ref"]?.stringValue.map { [$0] } ?? []
    let inside = (json.objectValue?.map(\.value) ?? []) + (json.arrayValue ?? [])
    return inside.reduce(into: Set(own)) { $0.formUnion(references(in: $1)) }
  }

  @Test(arguments: Method.allCases)
  func `a method's example is what its schemas say, and reads back as it was written`(_ method: Method) throws {
    func check<Params: Call>(_ type: Params.Type) throws {
      #expect(Params.method == method)
      let (params, answer) = Params.example
      try Self.check(params)
      if !Params.isNotification { try Self.check(answer) }
    }
    try check(method.call)
  }

  @Test(arguments: PushMethod.allCases)
  func `a push's example is what its schema says, and reads back as it was written`(_ push: PushMethod) throws {
    func check<Params: Push>(_ type: Params.Type) throws {
      #expect(Params.push == push)
      try Self.check(Params.pushExample)
    }
    try check(push.push)
  }

  /// Compiles a schema that refers to schemas of the document.
  static func compile(_ schema: JSONObject) throws -> Schema {
    var schema = schema
    schema["components"] = OpenRPCDocument.json["components"]
    return try Schema.compile(.object(schema))
  }

  /// The value is one of its schema's, and reading what was written gives what is written the same.
  private static func check<Value: MemberValue>(_ value: Value) throws {
    let written = value.json
    let failures = try compile(Value.schema).failures(of: written)
    #expect(failures.isEmpty, "\(failures.map { $0.message() })")
    let bytes = Array(written.description.utf8)
    let read = try bytes.withUnsafeBufferPointer { bytes in
      let tree = try JSONTree(parsing: bytes)
      return try MessageReader.value(Value.self, tree.root, .strict)
    }
    #expect(read.json == written)
  }
}
