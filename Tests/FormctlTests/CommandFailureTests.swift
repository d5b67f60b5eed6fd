internal import JSON
internal import Testing

@testable internal import formctl

struct CommandFailureTests {
  @Test func `a file that is no JSON is refused with its place, once`() {
    let failure = #expect(throws: CommandFailure.self) {
      try Console.parseJSON(Array("{\"email\": oops}".utf8), from: "-")
    }
    #expect(failure?.message == "-:1:11: error: this is not JSON")
  }
}
