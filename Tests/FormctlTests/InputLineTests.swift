internal import JSON
internal import Testing

@testable internal import formctl

struct InputLineTests {
  @Test(
    arguments: [
      ("email=kim@example.com", .change(field: "email", value: "kim@example.com")),
      ("  email=a=b  ", .change(field: "email", value: "a=b")),
      ("email=", .change(field: "email", value: "")),
      ("message= two words", .change(field: "message", value: " two words")),
      ("count:=3", .change(field: "count", value: 3)),
      ("tags:=[\"a\"]", .change(field: "tags", value: ["a"])),
      ("gone:=null", .change(field: "gone", value: .null)),
      ("/items/0/qty:=2", .change(field: "/items/0/qty", value: 2)),
      ("focus email", .focus("email")), ("blur  email\r", .blur("email")), ("tap login", .tap("login")),
      ("step profile", .step("profile")), ("locale ko", .locale("ko")),
      ("reset", .reset), ("wait", .wait), ("show", .show), ("help", .help), ("?", .help), ("quit", .quit),
      ("exit", .quit),
      ("", .nothing), ("   ", .nothing), ("# a remark", .nothing),
    ] as [(String, InputLine)]
  )
  func `a line says what the user did`(line: String, expected: InputLine) throws {
    #expect(try InputLine(line) == expected)
  }

  @Test(arguments: [
    "tap", "tap a b", "step", "step a b", "locale", "blur", "focus", "jump", "count:=", "count:={", "=x", "two words=x",
  ])
  func `a line that says nothing is refused with what to write`(line: String) {
    let fault = #expect(throws: InputLine.Fault.self) { try InputLine(line) }
    #expect(fault?.description.isEmpty == false)
  }
}
