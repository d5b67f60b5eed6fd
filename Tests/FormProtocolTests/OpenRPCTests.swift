import FormProtocol
import Foundation
import JSON
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

  @Test(arguments: Method.allCases)
  func `every method's example has the params that its description names`(_ method: Method) throws {
    let description = method.description
    #expect(description.name == method.rawValue)
    let example = try #require(description.example.params.objectValue)
    for param in description.params where param.isRequired { #expect(example[param.name] != nil) }
    for member in example { #expect(description.params.contains { $0.name == member.name }) }
  }

  @Test(arguments: Method.allCases)
  func `every method's example is of the types that its description names`(_ method: Method) throws {
    let description = method.description
    for member in description.example.params.objectValue ?? [:] {
      let param = try #require(description.params.first { $0.name == member.name })
      #expect(Self.fits(member.value, param.schema), "\(method.rawValue) \(member.name)")
    }
    if let result = description.result { #expect(Self.fits(description.example.result, result), "\(method.rawValue)") }
  }

  @Test
  func `every push's example has its required params`() {
    for push in Pushes.all {
      for param in push.params where param.isRequired { #expect(push.example[param.name] != nil, "\(push.name)") }
    }
  }

  /// The part of JSON Schema that the descriptions use.
  private static func fits(_ value: JSON, _ schema: JSON) -> Bool {
    if let type = schema["type"]?.stringValue, type != value.typeName { return false }
    if let types = schema["type"]?.arrayValue, !types.contains(.string(value.typeName)) { return false }
    if let choices = schema["enum"]?.arrayValue, !choices.contains(value) { return false }
    for name in schema["required"]?.arrayValue ?? [] where value[name.stringValue ?? ""] == nil { return false }
    for property in schema["properties"]?.objectValue ?? [:] {
      if let member = value[property.name], !fits(member, property.value) { return false }
    }
    if let items = schema["items"] {
      for element in value.arrayValue ?? [] where !fits(element, items) { return false }
    }
    return true
  }
}
