internal import FormProtocol
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
      (##"items+={"sku":"A=1"}"##, .insert(list: "items", value: ["sku": "A=1"])),
      ("items+=", .insert(list: "items", value: nil)),
      ("tags+=\"swift\"", .insert(list: "tags", value: "swift")), ("items-=#2", .remove(row: "/items/#2")),
      ("/orders/#1/lines-= 0 ", .remove(row: "/orders/#1/lines/0")),
      ("/items/#2/sku=B", .change(field: "/items/#2/sku", value: "B")), ("a-b=c", .change(field: "a-b", value: "c")),
      ("move /items/#2 0", .move(row: "/items/#2", to: .position(0))),
      ("move /items/0  #5", .move(row: "/items/0", to: .identity(5))),
      ("toggle extras  gift wrap", .toggle(field: "extras", value: "gift wrap")),
      ("toggle sizes :=3", .toggle(field: "sizes", value: 3)),
      ("fail email That is taken.", .fail(field: "email", message: "That is taken.")),
      ("focus email", .focus("email")), ("blur  email\r", .blur("email")), ("tap login", .tap("login")),
      ("step profile", .step("profile")), ("locale ko", .locale("ko")),
      (##"context {"role": "a=b"}"##, .context(["role": "a=b"])), ("context=x", .change(field: "context", value: "x")),
      ("undo", .undo), ("redo", .redo), ("reset", .reset(field: nil)),
      ("reset email", .reset(field: "email")), ("wait", .wait), ("show", .show),
      ("help", .help), ("?", .help), ("quit", .quit),
      ("exit", .quit),
      ("", .nothing), ("   ", .nothing), ("# a remark", .nothing),
    ] as [(String, InputLine)]
  )
  func `a line says what the user did`(line: String, expected: InputLine) throws {
    #expect(try InputLine(line) == expected)
  }

  @Test(arguments: ["password:=hunter2", "password:={\"a\": hunter2}", "tags+=hunter2", "password:='hunter2'"])
  func `an invalid value is not quoted: it may be a secret`(line: String) {
    let error = #expect(throws: InputLine.SyntaxError.self) { try InputLine(line) }
    #expect(error?.description.contains("hunter2") == false, "\(String(describing: error))")
  }

  @Test(arguments: [
    "tap", "tap a b", "step", "step a b", "locale", "blur", "focus", "jump", "count:=", "count:={", "=x", "+=1",
    "tags+=swift", "items-=", "items-=two",
    "items-=#", "items-=1 2", "move", "move /items/#2", "move /items/#2 first", "fail", "fail email", "toggle",
    "toggle a",
    "toggle a :=x", "undo a", "two words=x",
  ])
  func `a line that says nothing is refused with what to write`(line: String) {
    let error = #expect(throws: InputLine.SyntaxError.self) { try InputLine(line) }
    #expect(error?.description.isEmpty == false)
  }
}
