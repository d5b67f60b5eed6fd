internal import Client
internal import JSON
internal import Testing

struct RemoteErrorTests {
  private func description(_ code: Int64, _ message: String, _ data: JSON? = nil) throws -> String {
    var error: JSONObject = ["code": .integer(code), "message": .string(message)]
    error["data"] = data
    return try #require(RemoteError(answer: ["id": 1, "error": .object(error)])).description
  }

  @Test(
    arguments: [
      (
        1003, "Unknown form", ["form": "logn", "closest": "login"], #"Unknown form "logn" (1003); did you mean login?"#
      ),
      (1004, "Unknown field", ["field": "emial"], #"Unknown field "emial" (1004)"#),
      (1005, "Unknown action", ["action": "로그인"], #"Unknown action "로그인" (1005)"#),
      (1001, "Unknown session", ["session": 7], "Unknown session 7 (1001)"),
      (-32601, "Method not found", ["method": "x"], #"Method not found "x" (-32601)"#),
      (1006, "Unknown provider", ["name": "stock"], #"Unknown provider "stock" (1006)"#),
      (1010, "The daemon is ending", nil, "The daemon is ending (1010)"),
      (-32007, "The text is too large", ["limit": 64], "The text is too large (-32007); the limit is 64"),
      (
        1012, "A limit of this connection is reached", ["limit": "sessionsPerConnectionMax", "value": 1000],
        "A limit of this connection is reached (1012); the limit is sessionsPerConnectionMax = 1000"
      ),
      (
        1011, "The daemon is at its limit", ["limit": "sessionsMax", "value": 5, "retryAfterMs": 1000],
        "The daemon is at its limit (1011); the limit is sessionsMax = 5; try again in 1000 ms"
      ),
      (
        -32600, "Invalid Request", ["reason": "depth", "path": "/params/value"],
        "Invalid Request [depth at /params/value] (-32600)"
      ),
      (-32700, "Parse error", ["reason": "syntax", "offset": 8], "Parse error [syntax at byte 8] (-32700)"),
      (
        -32602, "Invalid params",
        ["errors": [["path": "/a", "code": "type", "expected": "a text"], ["code": "required"]]],
        "Invalid params (-32602)\n  /a: expected a text\n  required"
      ),
      (
        -32602, "Invalid params",
        ["errors": [["path": "/definition/x", "expected": "did you mean y?", "message": "there is no x"]]],
        "Invalid params (-32602)\n  /definition/x: there is no x\n    did you mean y?"
      ),
    ] as [(Int64, String, JSON?, String)]
  )
  func `an error names what it is about, once`(code: Int64, message: String, data: JSON?, text: String) throws {
    #expect(try description(code, message, data) == text)
  }

  @Test func `an unknown method is named once`() throws {
    let data: JSON = ["method": "server/inf", "closest": "server/info"]
    let error = try #require(
      RemoteError(answer: ["error": ["code": -32601, "message": "Method not found", "data": data]])
    )
    #expect(
      ClientError.refused(method: "server/inf", error).description
        == #"Method not found "server/inf" (-32601); did you mean server/info?"#
    )
  }

  @Test func `an answer with a result has no error`() {
    #expect(RemoteError(answer: ["id": 1, "result": [:]]) == nil)
  }
}
