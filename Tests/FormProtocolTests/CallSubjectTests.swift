import FormProtocol
import JSON
import Testing

struct CallSubjectTests {
  private func subject(_ params: String) throws -> CallSubject {
    try Array(params.utf8).withUnsafeBufferPointer { bytes in
      let tree = try JSONTree(parsing: bytes)
      return CallSubject(tree.root)
    }
  }

  @Test(arguments: [
    (#"{"session": 3, "field": "email", "value": "kim"}"#, "email"),
    (#"{"action": "login", "await": true}"#, "login"),
    (#"{"step": "firm"}"#, "firm"),
    (#"{"values": {"a": 1, "b": 2}}"#, "a, b"),
    (#"{"values": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7}}"#, "a, b, c, d, e and 2 more"),
    (#"{"form": "login"}"#, nil),
    (#"{"field": 7}"#, nil),
    ("[1]", nil),
  ])
  func `a call is about what it names`(_ params: String, _ cell: String?) throws {
    #expect(try subject(params).cell == cell)
  }

  @Test
  func `the session and the form are told`() throws {
    #expect(try subject(#"{"session": 3, "field": "email"}"#).session == 3)
    #expect(try subject(#"{"form": "login"}"#).form == "login")
  }
}
