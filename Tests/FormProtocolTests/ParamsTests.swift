import FormProtocol
import JSON
import JSONRPC
import Testing

/// Reads params out of a text; the problems as `path code`.
func problems(_ text: String?, _ read: (JSONNode?) throws(InvalidParams) -> Void) throws -> [String] {
  let bytes = Array((text ?? "null").utf8)
  return try bytes.withUnsafeBufferPointer { buffer in
    let tree = try JSONTree(parsing: buffer)
    do throws(InvalidParams) {
      try read(text == nil ? nil : tree.root)
      return []
    } catch {
      return error.problems.map { "\($0.path) \($0.code)" }
    }
  }
}

struct ParamsTests {
  @Test(
    arguments: [
      (#"{"field":"a","value":1}"#, []),
      (#"{"session":3,"field":"a","value":null,"origin":"autofill","composing":true,"commit":false}"#, []),
      (#"{"values":{}}"#, []),
      (nil, ["/field required", "/value required"]),
      ("[]", [" type", "/field required", "/value required"]),
      ("3", [" type", "/field required", "/value required"]),
      (#"{"field":"a"}"#, ["/value required"]),
      (#"{"value":1}"#, ["/field required"]),
      (#"{"field":1,"value":1}"#, ["/field type"]),
      (#"{"field":"a","value":1,"session":"1"}"#, ["/session type"]),
      (#"{"field":"a","value":1,"session":1.0}"#, ["/session type"]),
      (#"{"field":"a","value":1,"origin":"robot"}"#, ["/origin value"]),
      (#"{"field":"a","value":1,"commit":1,"composing":"no"}"#, ["/composing type", "/commit type"]),
      (#"{"field":"a","value":1,"vlaue":1}"#, ["/vlaue unknown"]),
      (#"{"field":"a","value":1,"a/b~c":1}"#, ["/a~1b~0c unknown"]),
      (#"{"field":"a","value":1,"values":{}}"#, ["/values value"]),
      (#"{"values":[]}"#, ["/values type"]),
    ] as [(String?, [String])]
  )
  func `field change takes one field or several, and nothing else`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try FieldChangeParams(node) } == expected)
  }

  @Test(
    arguments: [
      (#"{"form":"login"}"#, []),
      (#"{"definition":{},"locale":"ko","values":{},"show":"always","watch":["","/a~1b"]}"#, []),
      (nil, ["/form required"]),
      (#"{"form":"login","definition":{}}"#, ["/definition value"]),
      (#"{"form":null}"#, ["/form type"]),
      (#"{"form":"l","show":"never"}"#, ["/show value"]),
      (#"{"form":"l","show":1}"#, ["/show type"]),
      (#"{"form":"l","watch":"a"}"#, ["/watch type"]),
      (#"{"form":"l","watch":["a",1]}"#, ["/watch/0 value", "/watch/1 type"]),
      (#"{"form":"l","values":[],"locale":1}"#, ["/locale type", "/values type"]),
    ] as [(String?, [String])]
  )
  func `session open takes a form or a definition`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try SessionOpenParams(node) } == expected)
  }

  @Test(
    arguments: [
      (#"{"action":"login"}"#, []), (#"{"action":"login","await":true,"session":1}"#, []),
      (#"{"await":1}"#, ["/action required", "/await type"]), (#"{"action":1}"#, ["/action type"]),
    ] as [(String?, [String])]
  )
  func `action tap needs an action`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try ActionTapParams(node) } == expected)
  }

  @Test(
    arguments: [
      (#"{"field":"email"}"#, []), (#"{"field":"email","value":1}"#, ["/value unknown"]), (nil, ["/field required"]),
    ] as [(String?, [String])]
  )
  func `focus and blur need a field`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try FieldFocusParams(node) } == expected)
  }

  @Test(
    arguments: [
      (#"{"field":"items"}"#, []), (#"{"field":"items","at":0,"value":null}"#, []),
      (##"{"field":"items","at":"#7","values":[{},null]}"##, []), (nil, ["/field required"]),
      (#"{"field":"items","at":-1}"#, ["/at value"]), (#"{"field":"items","at":"7"}"#, ["/at value"]),
      (#"{"field":"items","at":"-"}"#, ["/at value"]), (#"{"field":"items","at":0.5}"#, ["/at type"]),
      (#"{"field":"items","at":null}"#, ["/at type"]),
      (#"{"field":"items","value":1,"values":[2]}"#, ["/values value"]),
      (#"{"field":"items","values":[]}"#, ["/values value"]), (#"{"field":"items","values":{}}"#, ["/values type"]),
    ] as [(String?, [String])]
  )
  func `field insert takes one value, several or none, and where they go`(_ text: String?, _ expected: [String]) throws
  {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try FieldInsertParams(node) } == expected)
  }

  @Test(
    arguments: [
      (##"{"field":"/items/#7","to":0}"##, []), (##"{"field":"/items/0","to":"#7"}"##, []),
      (nil, ["/field required", "/to required"]), (#"{"field":"/items/0","to":"first"}"#, ["/to value"]),
      (#"{"field":"/items/0","to":[0]}"#, ["/to type"]),
    ] as [(String?, [String])]
  )
  func `field move needs a row and where the row goes`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try FieldMoveParams(node) } == expected)
  }

  @Test(
    arguments: [
      (0, .position(0)), (12, .position(12)), ("#1", .identity(1)),
      ("#9007199254740991", .identity(9_007_199_254_740_991)), ("#0", nil), ("#07", nil), ("#+7", nil), ("#-7", nil),
      ("#", nil), ("# 7", nil), ("7", nil), ("", nil), ("#99999999999999999999", nil), (-1, nil), (true, nil),
      ([:], nil),
    ] as [(JSON, RowReference?)]
  )
  func `a row is a position, or an identity as the daemon writes it`(_ written: JSON, _ expected: RowReference?) {
    let row = try? MessageReader.value(RowReference.self, written, .strict)
    #expect(row == expected)
    if let row { #expect(row.json == written) }
  }

  @Test(
    arguments: [
      (#"{"field":"email","message":"No."}"#, []), (#"{"field":"email"}"#, ["/message required"]),
      (#"{"field":"email","message":{}}"#, ["/message type"]),
    ] as [(String?, [String])]
  )
  func `field fail needs a field and what is wrong`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try FieldFailParams(node) } == expected)
  }

  @Test(
    arguments: [
      (nil, []), ("{}", []), (#"{"x":1}"#, ["/x unknown"]), ("[]", [" type"]),
    ] as [(String?, [String])]
  )
  func `a method without params takes none`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try ServerPingParams(node) } == expected)
  }

  @Test(
    arguments: [
      (#"{"form":"l","values":{},"checks":true,"locale":"ko"}"#, []), (nil, ["/form required"]),
      (#"{"form":"l","checks":1}"#, ["/checks type"]), (#"{"definition":1}"#, ["/definition type"]),
    ] as [(String?, [String])]
  )
  func `form validate takes a form or a definition`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try FormValidateParams(node) } == expected)
  }

  @Test(
    arguments: [(#"{"name":"p"}"#, []), (nil, ["/name required"]), (#"{"name":1}"#, ["/name type"])]
      as [(String?, [String])]
  )
  func `a provider needs a name`(_ text: String?, _ expected: [String]) throws {
    #expect(try problems(text) { node throws(InvalidParams) in _ = try ProviderRegisterParams(node) } == expected)
  }

  @Test
  func `a stranger cannot make the list of problems long`() throws {
    let members = (0..<100).map { "\"x\($0)\":1" }.joined(separator: ",")
    let found = try problems("{\(members)}") { node throws(InvalidParams) in _ = try ServerPingParams(node) }
    #expect(found.count == InvalidParams.problemsMax)
  }

  @Test
  func `every method is found by its name and by nothing else`() {
    for method in Method.allCases {
      var name = method.wireName.description
      #expect(name.withUTF8 { Method(utf8: $0) } == method)
      name += "x"
      #expect(name.withUTF8 { Method(utf8: $0) } == nil)
    }
    var empty = ""
    #expect(empty.withUTF8 { Method(utf8: $0) } == nil)
  }
}
