import Foundation
import JSON
import JSONRPC
import Testing

/// One text that is refused, and how. The numbers follow the table "Bad input" of protocol/wire.md.
struct BadInput: Sendable, CustomTestStringConvertible {
  var name: String
  var text: [UInt8]
  var code: Int64
  var id: JSON = .null
  var data: JSON

  init(_ name: String, _ text: String, _ code: Int64, id: JSON = .null, data: JSON) {
    self.init(name, Array(text.utf8), code, id: id, data: data)
  }

  init(_ name: String, _ text: [UInt8], _ code: Int64, id: JSON = .null, data: JSON) {
    self.name = name
    self.text = text
    self.code = code
    self.id = id
    self.data = data
  }

  var testDescription: String { name }
}

struct BadInputTests {
  static let limits = RPCLimits(textBytesMax: 4000, json: JSONLimits(depthMax: 64, nodesMax: 500), batchMax: 50)

  static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  static let cases: [BadInput] = [
    BadInput("cut off", #"{"jsonrpc":"2.0""#, -32700, data: ["reason": "truncated"]),
    BadInput("not JSON", "hello", -32700, data: ["reason": "syntax"]),
    BadInput("invalid UTF-8", [0x22, 0xff, 0x22], -32700, data: ["reason": "utf8"]),
    BadInput("a NUL", Array(#"{"jsonrpc":"2.0","id":1}"#.utf8) + [0], -32700, data: ["reason": "nul"]),
    BadInput(
      "bytes behind the text",
      #"{"jsonrpc":"2.0","id":1,"method":"get_data"} x"#,
      -32700,
      data: ["reason": "trailing"]
    ),
    BadInput("a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d], -32700, data: ["reason": "syntax"]),
    BadInput(
      "65 deep",
      #"{"jsonrpc":"2.0","id":5,"method":"get_data","params":\#(nested(64))}"#,
      -32600,
      id: 5,
      data: ["reason": "depth"]
    ),
    BadInput("3,000 deep", nested(1999), -32600, data: ["reason": "depth"]),
    BadInput(
      "too many values",
      #"{"jsonrpc":"2.0","id":"n","method":"sum","params":[\#(String(repeating: "0,", count: 600))0]}"#,
      -32600,
      id: "n",
      data: ["reason": "nodes"]
    ),
    BadInput(
      "a key twice",
      #"{"jsonrpc":"2.0","id":7,"method":"get_data","method":"sum"}"#,
      -32600,
      id: 7,
      data: ["reason": "duplicateKey"]
    ),
    BadInput(
      "half of a surrogate pair in a value",
      #"{"jsonrpc":"2.0","id":7,"method":"sum","params":{"a":[{"b":"x\ud83d"}]}}"#,
      -32600,
      id: 7,
      data: ["reason": "surrogate"]
    ),
    BadInput(
      "half of a surrogate pair in a name, before the id",
      #"{"jsonrpc":"2.0","params":{"\udc00":1},"method":"sum","id":"q"}"#,
      -32600,
      id: "q",
      data: ["reason": "surrogate"]
    ),
    BadInput(
      "half of a surrogate pair in the id",
      #"{"jsonrpc":"2.0","id":"\ud83d","method":"sum"}"#,
      -32600,
      data: ["reason": "surrogate"]
    ),
    BadInput(
      "an integer of 65 bits",
      #"{"jsonrpc":"2.0","id":8,"method":"sum","params":[18446744073709551616]}"#,
      -32600,
      id: 8,
      data: ["reason": "integerRange"]
    ),
    BadInput(
      "such an id",
      #"{"jsonrpc":"2.0","id":18446744073709551616,"method":"sum"}"#,
      -32600,
      data: ["reason": "integerRange"]
    ),
    BadInput(
      "a real that overflows",
      #"{"jsonrpc":"2.0","id":"r","method":"sum","params":[1e999]}"#,
      -32600,
      id: "r",
      data: ["reason": "realRange"]
    ),
    BadInput(
      "an id that is an overflowing real",
      #"{"jsonrpc":"2.0","method":"sum","id":1e999}"#,
      -32600,
      data: ["reason": "realRange"]
    ),
    BadInput(
      "an id behind nested ones",
      #"{"params":[{"id":1},"\"id\":2",1e999],"jsonrpc":"2.0","id":"\u0041"}"#,
      -32600,
      id: "A",
      data: ["reason": "realRange"]
    ),
    BadInput(
      "a NUL in a key",
      #"{"jsonrpc":"2.0","id":4,"method":"sum","\u0000":1}"#,
      -32600,
      id: 4,
      data: ["reason": "nulInKey"]
    ),
    BadInput(
      "params that are a string",
      #"{"jsonrpc":"2.0","id":4,"method":"sum","params":"x"}"#,
      -32600,
      id: 4,
      data: ["reason": "params"]
    ),
    BadInput("a scalar", "3", -32600, data: ["reason": "notAnObject"]),
    BadInput("a string", #""x""#, -32600, data: ["reason": "notAnObject"]),
    BadInput("null", "null", -32600, data: ["reason": "notAnObject"]),
    BadInput("an empty batch", "[]", -32600, data: ["reason": "emptyBatch"]),
    BadInput("no version", #"{"id":1,"method":"get_data"}"#, -32600, id: 1, data: ["reason": "version"]),
    BadInput(
      "version 1.0",
      #"{"jsonrpc":"1.0","id":1,"method":"get_data"}"#,
      -32600,
      id: 1,
      data: ["reason": "version"]
    ),
    BadInput(
      "a number as version",
      #"{"jsonrpc":2.0,"id":1,"method":"get_data"}"#,
      -32600,
      id: 1,
      data: ["reason": "version"]
    ),
    BadInput("id null", #"{"jsonrpc":"2.0","id":null,"method":"get_data"}"#, -32600, data: ["reason": "id"]),
    BadInput("a fractional id", #"{"jsonrpc":"2.0","id":1.5,"method":"get_data"}"#, -32600, data: ["reason": "id"]),
    BadInput(
      "an id with a fraction of zero",
      #"{"jsonrpc":"2.0","id":1.0,"method":"get_data"}"#,
      -32600,
      data: ["reason": "id"]
    ),
    BadInput("a boolean id", #"{"jsonrpc":"2.0","id":true,"method":"get_data"}"#, -32600, data: ["reason": "id"]),
    BadInput("an object as id", #"{"jsonrpc":"2.0","id":{},"method":"get_data"}"#, -32600, data: ["reason": "id"]),
    BadInput("no method", #"{"jsonrpc":"2.0","id":1}"#, -32600, id: 1, data: ["reason": "method"]),
    BadInput("a number as method", #"{"jsonrpc":"2.0","id":1,"method":1}"#, -32600, id: 1, data: ["reason": "method"]),
    BadInput(
      "result and error",
      #"{"jsonrpc":"2.0","id":"formd:1","result":1,"error":{}}"#,
      -32600,
      id: "formd:1",
      data: ["reason": "method"]
    ),
    BadInput("result without id", #"{"jsonrpc":"2.0","result":1}"#, -32600, data: ["reason": "method"]),
    BadInput(
      "51 in a batch",
      "[" + [String](repeating: "1", count: 51).joined(separator: ",") + "]",
      -32010,
      data: ["limit": "batchMax", "value": 50]
    ),
    BadInput(
      "4,001 bytes",
      "1" + String(repeating: " ", count: 4000),
      -32007,
      data: ["limit": "textBytesMax", "value": 4000]
    ),
  ]

  @Test(arguments: cases)
  func `bad input has exactly one answer and the connection goes on`(_ sample: BadInput) throws {
    for headers in [false, true] {
      let connection = SpecificationMethods(limits: Self.limits)
      func send(_ text: [UInt8]) {
        connection.feed(headers ? Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text : text + [0x0a])
      }
      send(sample.text)
      let output = connection.output()
      let answer = try Self.only(output, headers: headers)
      #expect(answer["error"]?["code"] == .integer(sample.code))
      #expect(answer["id"] == sample.id)
      for member in sample.data.objectValue ?? [:] {
        #expect(answer["error"]?["data"]?[member.name] == member.value)
      }
      #expect(connection.badTexts == 1)
      #expect(!connection.hasEnded)
      send(Array(#"{"jsonrpc":"2.0","id":99,"method":"get_data"}"#.utf8))
      #expect(try Self.only(connection.output(), headers: headers)["result"] == ["hello", 5])
      #expect(connection.unanswered == 0)
    }
  }

  /// The one message of an output.
  private static func only(_ output: String, headers: Bool) throws -> JSON {
    if headers {
      let parts = output.split(separator: "\r\n\r\n", omittingEmptySubsequences: true)
      try #require(parts.count == 2, "\(output)")
      return try JSON(parsing: String(parts[1]))
    }
    #expect(output.hasSuffix("\n"))
    return try JSON(parsing: String(output.dropLast()))
  }

  @Test(arguments: [
    (#"{"id":7,oops"#, 8), ("[1, 2,, 3]", 6), ("[1] x", 4), ("hello", 0), (#"{"a":tru}"#, 5), (#"{"a" 1}"#, 5),
  ])
  func `syntax errors say where`(_ text: String, _ offset: Int64) throws {
    let connection = SpecificationMethods()
    connection.feed(text + "\n")
    #expect(try connection.lines().first?["error"]?["data"]?["offset"] == .integer(offset))
  }

  @Test
  func `depth and size say where in the value`() throws {
    let connection = SpecificationMethods(limits: Self.limits)
    connection.feed(#"{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":\#(Self.nested(64))}}"# + "\n")
    let path = try #require(try connection.lines().first?["error"]?["data"]?["path"]?.stringValue)
    #expect(path.hasPrefix("/params/a/0/0"))
  }

  @Test(arguments: [
    "Content-Type: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 1\r\nContent-Length: 1\r\n\r\n",
  ])
  func `a header block that cannot be read is answered, and then nothing is read`(_ block: String) throws {
    let connection = SpecificationMethods()
    connection.feed(block + "Content-Length: 2\r\n\r\n{}")
    let output = connection.output()
    #expect(output.hasPrefix("Content-Length: "))
    #expect(output.contains("-32700"))
    #expect(output.components(separatedBy: "jsonrpc").count == 2)
    #expect(connection.hasEnded)
    connection.feed("Content-Length: 2\r\n\r\n{}")
    #expect(connection.output().isEmpty)
  }

  @Test
  func `unknown members of an envelope are ignored`() throws {
    let connection = SpecificationMethods()
    connection.feed(#"{"jsonrpc":"2.0","id":1,"method":"get_data","trace":1,"result":2}"# + "\n")
    #expect(try connection.lines().first?["result"] == ["hello", 5])
  }
}
