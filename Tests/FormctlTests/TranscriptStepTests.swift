internal import JSON
internal import JSONRPC
internal import Testing

@testable internal import formctl

struct TranscriptStepTests {
  @Test func `lines are steps, blank lines and remarks are none`() throws {
    let text = """
      # login
      {"at":0,"dir":"->","frame":{"id":1}}

      {"at":300,"dir":"<-","frame":{"id":1,"result":{}}}
      """
    let steps = try TranscriptStep.read(Array(text.utf8), file: "t")
    #expect(steps.map(\.line) == [2, 4])
    #expect(steps.map(\.at) == [0, 300])
    #expect(steps.map(\.direction) == [.sent, .received])
  }

  @Test(arguments: [
    ("{", "t:1:2: "), ("{}", "t:1: this is not a line"), ("", "t: this is not a transcript"),
    ("# remark\n", "t: this is not a "),
    (#"{"at":0,"dir":"=>","frame":{}}"#, "t:1: \"dir\""),
    (#"{"at":0.5,"dir":"->","frame":{}}"#, "t:1: \"at\""),
    ("{\"at\":5,\"dir\":\"->\",\"frame\":{}}\n{\"at\":4,\"dir\":\"->\",\"frame\":{}}", "t:2: \"at\""),
  ])
  func `a line that is none is refused with its place`(text: String, beginning: String) {
    let failure = #expect(throws: CommandFailure.self) { try TranscriptStep.read(Array(text.utf8), file: "t") }
    #expect(failure?.message.hasPrefix(beginning) == true)
  }

  @Test func `lines with an effect are for replays without a daemon`() throws {
    let text = """
      {"at":0,"dir":"->","frame":{"id":1}}
      {"at":5,"effect":{"session":1,"action":"login","run":1,"response":{}}}
      """
    #expect(try TranscriptStep.read(Array(text.utf8), file: "t").map(\.line) == [1])
  }

  @Test func `numbers of sessions are translated, everything else is compared`() {
    var comparison = FrameComparison()
    #expect(
      comparison.differences(
        expected: RPCFrame(["result": ["session": 1, "document": ["isValid": false]]]),
        actual: RPCFrame(["result": ["session": 40, "document": ["isValid": false]], "jsonrpc": "2.0"])
      ).isEmpty
    )
    #expect(
      comparison.translated(RPCFrame(["params": ["session": 1, "a": 2]])).json == ["params": ["session": 40, "a": 2]]
    )
    #expect(
      comparison.differences(
        expected: RPCFrame(["params": ["session": 1, "patch": ["isValid": true], "cause": "x"]]),
        actual: RPCFrame(["params": ["session": 40, "patch": ["isValid": false, "more": 1]]])
      ) == [
        "/params/patch/isValid: false instead of true", "/params/patch/more: not expected: 1",
        "/params/cause: missing; expected \"x\"",
      ]
    )
    #expect(
      comparison.differences(
        expected: RPCFrame(["params": ["session": 1]]),
        actual: RPCFrame(["params": ["session": 41]])
      )
        == ["/params/session: 41 instead of 1"]
    )
  }
}
