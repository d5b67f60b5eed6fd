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
    #expect(names("x-pushes") == PushMethod.allCases.map(\.wireName.description))
    #expect(Set(names("methods")).count == Method.allCases.count)
    #expect(Set(names("x-pushes")).count == PushMethod.allCases.count)
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

  /// The value is one of its schema's, and reading what was written gives what is written the same.
  private static func check<Value: MemberValue>(_ value: Value) throws {
    let written = value.json
    let failures = try Schema.compile(.object(Value.schema)).failures(of: written)
    #expect(failures.isEmpty, "\(failures.map { $0.message() })")
    let bytes = Array(written.description.utf8)
    let read = try bytes.withUnsafeBufferPointer { bytes in
      let tree = try JSONTree(parsing: bytes)
      return try MessageReader.value(Value.self, tree.root, .strict)
    }
    #expect(read.json == written)
  }
}
