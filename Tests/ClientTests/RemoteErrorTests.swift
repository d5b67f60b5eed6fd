internal import Client
internal import JSON
internal import JSONRPC
internal import Testing

struct RemoteErrorTests {
  @Test(
    arguments: [
      (
        1003, "Unknown form", ["form": "logn", "closest": "login"], #"Unknown form "logn" (1003); did you mean login?"#
      ),
      (1004, "Unknown field", ["field": "emial"], #"Unknown field "emial" (1004)"#),
      (1005, "Unknown action", ["action": "로그인"], #"Unknown action "로그인" (1005)"#),
      (1008, "Unknown step", ["step": "firm", "reason": "hidden"], #"Unknown step "firm", which is hidden (1008)"#),
      (
        1004, "Unknown field", ["field": "/items/#1", "reason": "removed"],
        #"Unknown field "/items/#1", which was removed (1004)"#
      ),
      (1001, "Unknown session", ["session": 7], "Unknown session 7 (1001)"),
      (1002, "Unknown connection", ["connection": 7], "Unknown connection 7 (1002)"),
      (-32601, "Method not found", ["method": "x"], #"Method not found "x" (-32601)"#),
      (1006, "Unknown provider", ["name": "stock"], #"Unknown provider "stock" (1006)"#),
      (
        1014, "The session is in use at another daemon", ["instance": "5f0c9a3e"],
        #"The session is in use at another daemon "5f0c9a3e" (1014)"#
      ),
      (
        1015, "This user does not have the needed role", ["role": "operator"],
        #"This user does not have the needed role "operator" (1015)"#
      ),
      (1010, "The daemon is ending", nil, "The daemon is ending (1010)"),
      (
        -32007, "The text is too large", ["limit": "textBytesMax", "value": 64],
        "The text is too large (-32007); the limit is textBytesMax = 64"
      ),
      (
        1012, "This connection has reached a limit", ["limit": "sessionsPerConnectionMax", "value": 1000],
        "This connection has reached a limit (1012); the limit is sessionsPerConnectionMax = 1000"
      ),
      (
        1011, "The daemon has reached a limit", ["limit": "sessionsMax", "value": 5, "retryAfterMs": 1000],
        "The daemon has reached a limit (1011); the limit is sessionsMax = 5; try again in 1000 ms"
      ),
      (
        -32600, "Invalid Request", ["reason": "depth", "path": "/params/value"],
        "Invalid Request [depth at /params/value] (-32600)"
      ),
      (-32700, "Parse error", ["reason": "syntax", "offset": 8], "Parse error [syntax at byte 8] (-32700)"),
      (
        -32602, "Invalid params",
        [
          "errors": [
            ["path": "/a", "code": "type", "expected": "a text"], ["path": "", "code": "required", "expected": "b"],
          ]
        ],
        "Invalid params (-32602)\n  /a: expected a text\n  expected b"
      ),
      (
        -32602, "Invalid params",
        [
          "errors": [
            ["path": "/definition/x", "code": "unknown", "expected": "did you mean y?", "message": "there is no x"]
          ]
        ],
        "Invalid params (-32602)\n  /definition/x: there is no x\n    did you mean y?"
      ),
      // A later daemon has more reasons than this program knows, and more limits.
      (
        1012, "This connection has reached a limit", ["limit": "moodMax", "value": 5],
        "This connection has reached a limit (1012); the limit is 5"
      ),
      (-32600, "Invalid Request", ["reason": "mood"], "Invalid Request [mood] (-32600)"),
      // Data of an unexpected shape are left out, and the error is still reported.
      (1004, "Unknown field", ["field": 1], "Unknown field (1004)"),
      (1004, "Unknown field", "email", "Unknown field (1004)"),
    ] as [(Int, String, JSON?, String)]
  )
  func `an error names what it is about, once`(code: Int, message: String, data: JSON?, text: String) {
    #expect(RemoteError(RPCError(code: code, message: message, data: data)).description == text)
  }

  @Test func `an unknown method is named once`() {
    let data: JSON = ["method": "server/inf", "closest": "server/info"]
    let error = RemoteError(RPCError(code: -32601, message: "Method not found", data: data))
    #expect(
      ClientError.refused(method: "server/inf", error).description
        == #"Method not found "server/inf" (-32601); did you mean server/info?"#
    )
  }
}
