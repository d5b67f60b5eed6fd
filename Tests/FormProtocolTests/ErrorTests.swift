import FormProtocol
import JSON
import JSONRPC
import JSONSchema
import Testing

struct ErrorTests {
  /// One error of each kind that has data.
  private static let errors: [RPCError] = [
    .parse(["reason": "syntax", "offset": 8]),
    .invalidRequest(reason: "depth", ["path": "/params"]),
    .shutDown,
    .methodNotFound("server/pong", closest: "server/ping"),
    .invalidParams([InvalidParams.Problem(path: "/field", code: .type, expected: "string")]),
    .textTooLarge(limit: 4096),
    .batchTooLarge(limit: 50),
    .sessionClosed,
    .unknownSession(7),
    .unknownForm("logn", closest: "login"),
    .unknownField("emial", closest: "email"),
    .goneRow("/items/#7/quantity", .removed),
    .goneRow("/items/#7", .moved),
    .unknownAction("logon", closest: "login"),
    .unknownStep("acount", closest: "account"),
    .hiddenStep("company"),
    .unknownProvider("stock"),
    .duplicateProvider("stock"),
    .overloaded(.sessionsMax, 100_000),
    .quotaExceeded(.sessionsPerConnectionMax, 1000),
    .notStored("the disk is full"),
    .notCopied("the folder does not exist"),
    .olderForm("login"),
    .attachedElsewhere("5f0c2f6b9d3e4a17"),
    .unknownConnection(7),
    .wrongToken("stock"),
    .detached,
    .roleNeeded(.operator),
  ]

  @Test(arguments: errors)
  func `an error's data are what the OpenRPC document says of its code`(_ error: RPCError) throws {
    let data = try #require(error.data)
    #expect(try MessageReader.value(ErrorData.self, data, .strict).json == data)
    let described = OpenRPCDocument.json["components"]?["errors"]?.objectValue?.first {
      $0.value["code"]?.integerValue == Int64(error.code)
    }
    var schema = try #require(described?.value["data"]?.objectValue)
    schema["unevaluatedProperties"] = false
    #expect(try OpenRPCTests.compile(schema).failures(of: data).isEmpty)
  }

  @Test
  func `every error with data is one of these`() {
    let withData =
      RPCErrorCode.allCases.filter { $0.dataMembers.schema != nil }.map(\.rawValue)
      + FormErrorCode.allCases.filter { $0.dataMembers.schema != nil }.map(\.rawValue)
    #expect(Set(Self.errors.map(\.code)) == Set(withData))
  }

  @Test
  func `a text and a batch that are too large name the limit as the configuration does`() throws {
    func limit(of error: RPCError) throws -> ErrorData {
      try MessageReader.value(ErrorData.self, try #require(error.data), .strict)
    }
    let text = try limit(of: .textTooLarge(limit: 4096))
    #expect(text.limit == .textBytesMax && text.value == 4096)
    let batch = try limit(of: .batchTooLarge(limit: 50))
    #expect(batch.limit == .batchMax && batch.value == 50)
  }

  @Test
  func `no two errors share a code`() {
    let codes = RPCErrorCode.allCases.map(\.rawValue) + FormErrorCode.allCases.map(\.rawValue)
    #expect(Set(codes).count == codes.count)
  }

  @Test
  func `the document lists every reason once`() throws {
    let reasons = try #require(ErrorReason.schema["enum"]?.arrayValue).compactMap(\.stringValue)
    #expect(Set(reasons).count == reasons.count)
    #expect(
      Set(reasons).isSuperset(of: ["syntax", "truncated", "headerSyntax", "emptyBatch", "shutDown", "sessionClosed"])
    )
  }

  @Test
  func `a reason of a later daemon is kept, and a limit that is not known is left out`() throws {
    let data: JSON = ["reason": "mood", "limit": "moodMax", "value": 3]
    let read = try MessageReader.value(ErrorData.self, data, .lenient)
    #expect(read.reason?.name == "mood" && read.limit == nil && read.value == 3)
  }
}
