import Foundation
import JSON
import JSONRPC
import Testing

struct SpecificationExampleTests {
  static let vectors = ConformanceVectors.file("jsonrpc/spec_examples.json")

  @Test(.enabled(if: vectors != nil, "the folder of shared vectors is missing; set FORMD_CONFORMANCE"))
  func `the examples of the JSON-RPC specification are answered as it says`() throws {
    let examples = try #require(Self.vectors?["examples"]?.arrayValue)
    #expect(examples.count >= 11)
    for example in examples {
      let name = example["name"]?.stringValue ?? ""
      let request = try #require(example["request"]?.stringValue)
      let body = Array(request.utf8)
      let connection = SpecificationMethods()
      // In header framing, for some of the examples have newlines.
      connection.feed("Content-Length: \(body.count)\r\n\r\n")
      connection.feed(body)
      let output = connection.output()
      guard let expected = example["response"], !expected.isNull else {
        #expect(output.isEmpty, "\(name)")
        continue
      }
      let start = try #require(output.range(of: "\r\n\r\n")?.upperBound, "\(name)")
      let answer = try JSON(parsing: String(output[start...]))
      #expect(Self.comparable(answer) == Self.comparable(expected), "\(name)")
    }
  }

  /// Without `data`, and a batch as a set.
  private static func comparable(_ answer: JSON) -> Set<JSON> {
    func plain(_ message: JSON) -> JSON {
      guard var object = message.objectValue, var error = object["error"]?.objectValue else { return message }
      error["data"] = nil
      object["error"] = .object(error)
      return .object(object)
    }
    if let elements = answer.arrayValue { return Set(elements.map(plain)) }
    return [plain(answer)]
  }
}
