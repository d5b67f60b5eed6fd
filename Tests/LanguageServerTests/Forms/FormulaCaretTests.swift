import Testing

@testable import LanguageServer

@Suite struct `The name that a formula has before a caret` {
  @Test(
    arguments: [
      ("values.em", "values.em", 0), ("1 + values.", "values.", 4), ("fields['/add", "fields['/add", 0),
      ("fields['/a/b'].isV", "fields['/a/b'].isV", 0), ("size(val", "val", 5), ("", "", 0), ("a && ", "", 5),
      ("'text' + x", "x", 9), ("values.items.all(r, r.s", "r.s", 20), ("!x.y", "x.y", 1), ("[a, b", "b", 4),
      ("values.items[0", nil, 0), ("fields[\"x", "fields[\"x", 0), ("x // comment\n y", "y", 14),
    ] as [(String, String?, Int)]
  )
  func `it begins behind what is no name`(_ prefix: String, _ name: String?, _ start: Int) {
    let caret = FormulaCaret(Array(prefix.utf8))
    #expect(caret?.name == name)
    if let caret { #expect(caret.start == start) }
  }

  @Test(arguments: ["'text", "\"text", "12", "1.5", "// comment", "x == 'it\\'s"])
  func `there is none in texts, numbers and comments`(_ prefix: String) {
    #expect(FormulaCaret(Array(prefix.utf8))?.name == nil)
  }

  @Test(arguments: [("f(x).con", "con"), ("'abc'.si", "si"), ("values.items[0].s", "s"), ("(a + b).", "")])
  func `behind a call, a text or an element it is a member`(_ prefix: String, _ name: String) {
    let caret = FormulaCaret(Array(prefix.utf8))
    #expect(caret?.isMember == true)
    #expect(caret?.name == name)
  }

  @Test(arguments: [
    ("values.em", "values."), ("em", ""), ("fields['/add", "fields['"), ("fields['/a.b'].isV", "fields['/a.b']."),
    ("fields['a.b", "fields['"),
  ])
  func `its head is what leads to its last part`(_ prefix: String, _ head: String) {
    #expect(FormulaCaret(Array(prefix.utf8))?.head == head)
  }
}
