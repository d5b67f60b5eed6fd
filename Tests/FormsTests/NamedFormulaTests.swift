import Forms
internal import SourceTexts
import Testing

/// `functions`, and the functions that depend on the form's schema.
@Suite struct `Named formulas` {
  private func diagnostics(
    _ functions: String,
    _ formula: String = "1",
    cache: FormulaCache? = nil
  ) -> [String] {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9},
        "n": {"type": "number"}, "c": {"enum": ["x", "y"]},
        "l": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"c": {"enum": ["x"]}}}}}},
        "functions": {\(functions)}, "outputs": {"o": "\(formula)"}}
      """
    let scanned = ScannedText(json: SourceText(Array(text.utf8)), limits: Form.jsonLimits)
    return Form.compile(scanned, cache: cache).diagnostics.map { "\($0.pointer): \($0.code): \($0.message)" }
  }

  @Test(arguments: [
    ("f(values.n)", #""f": {"parameters": ["x"], "is": "x * 2.0"}"#),
    ("f() + f()", #""f": {"is": "values.n"}"#),
    ("g(values.n)", #""g": {"parameters": ["x"], "is": "f(f(x))"}, "f": {"parameters": ["x"], "is": "x + 1.0"}"#),
    // Typed at each use.
    ("f(values.a) + string(f(values.n))", #""f": {"parameters": ["x"], "is": "x + x"}"#),
    ("f(values.l, values.n)", #""f": {"parameters": ["l", "k"], "is": "l.map(k, k.c).size() > 0 && k > 1.0"}"#),
    ("f(values.n)", #""f": {"parameters": ["x"], "is": "math.abs(x) > 0.0 && type(x) == double && has(values.a)"}"#),
  ])
  func `a call has the type of the formula with its arguments`(formula: String, functions: String) {
    #expect(diagnostics(functions, formula) == [])
  }

  @Test(arguments: [
    (#""f": {"parameters": ["x"], "is": "x + 1.0"}"#, "f(values.a)", "in f(): '+' cannot take (string, double)"),
    (
      #""f": {"parameters": ["x"], "is": "g(1, x) * 2.0"}, "g": {"parameters": ["n", "y"], "is": "y + 1.0"}"#,
      "f(values.a)", "in g(): '+' cannot take (string, double)"
    ),
    (
      #""f": {"is": "[g(), h()].size() + 'a'"}, "g": {"is": "h()"}, "h": {"is": "1"}"#, "f()",
      "in f(): '+' cannot take (int, string)"
    ),
    (#""f": {"is": "x + 1"}"#, "[1, 2].map(x, f())", "in f(): unknown name 'x'; a function does not see the variables"),
    (#""g": {"parameters": ["x"], "is": "x"}"#, "values.n.g()", "g() is not called on a value; write g(values.n)"),
    (#""gross": {"parameters": ["x"], "is": "x"}"#, "gros(2)", "unknown function 'gros'; did you mean 'gross'?"),
    (#""f": {"is": "valeus.n"}"#, "f()", "in f(): unknown name 'valeus.n'; did you mean 'values.n'?"),
    (#""f": {"is": "sise('a')"}"#, "f()", "in f(): unknown function 'sise'; did you mean 'size'?"),
    (#""f": {"parameters": ["x"], "is": "x"}"#, "f()", "f(x) takes 1 argument, and this call has 0"),
    (#""f": {"parameters": ["x", "y"], "is": "x"}"#, "f(1)", "f(x, y) takes 2 arguments, and this call has 1"),
    ("", "fold([1], '', a, x, x)", "both must have the same type"),
    ("", "fold(values.a, 0, a, x, a)", "fold() needs a list"),
    ("", "fold({'a': 1}, 0, a, x, a)", "fold() needs a list"),
    ("", "fold(values.l)", "fold() is written 'fold(list, start, a, x, body)'"),
    ("", "label(values.a)", "label() needs a field whose values are listed"),
    ("", "label('x')", "label() needs a field whose values are listed"),
    ("", "label()", "label() cannot take (); it takes (dyn)"),
    ("", "text()", "text() cannot take (); it takes (string) or (string, map(string, dyn))"),
    ("", "fold([1], 0, a, a)", "fold() is written 'fold(list, start, a, x, body)'"),
    ("", "cel.bind(1)", "cel.bind() is written 'cel.bind(x, value, body)'"),
  ])
  func `what does not fit is reported at the call`(functions: String, formula: String, message: String) {
    let found = diagnostics(functions, formula)
    #expect(found.count == 1 && found[0].contains("/outputs/o: ") && found[0].contains(message), "\(found)")
  }

  @Test(arguments: [
    (#""f": {"is": "1 +"}"#, "/functions/f/is: expression"), (#""f": {"is": 1}"#, "/functions/f/is: wrongType"),
    (#""f": {"parameters": ["x"]}"#, "/functions/f: missingKey"), (#""f": "1""#, "/functions/f: wrongType"),
    (#""f": {"parameters": "x", "is": "1"}"#, "/functions/f/parameters: wrongType"),
    (#""f": {"parameters": [1], "is": "1"}"#, "/functions/f/parameters: wrongType"),
    (#""f": {"parameters": ["x", "x"], "is": "1"}"#, "/functions/f/parameters/1: functionName"),
    (#""f": {"parameters": ["x y"], "is": "1"}"#, "/functions/f/parameters/0: functionName"),
    (#""f": {"parameters": ["true"], "is": "1"}"#, "/functions/f/parameters/0: functionName"),
    (#""size": {"is": "1"}"#, "/functions/size: functionName"),
    (#""map": {"is": "1"}"#, "/functions/map: functionName"),
    (#""text": {"is": "1"}"#, "/functions/text: functionName"),
    (#""if": {"is": "1"}"#, "/functions/if: functionName"),
    (#""a-b": {"is": "1"}"#, "/functions/a-b: functionName"),
    (#""f": {"is": "f()"}"#, "/functions/f/is: recursion: a function cannot call itself: f -> f"),
    (#""f": {"is": "g()"}, "g": {"is": "f()"}"#, "/functions/f/is: recursion: a function cannot call itself: f -> g"),
  ])
  func `what is no function is reported once, and not its calls`(functions: String, expected: String) {
    let found = diagnostics(functions, functions.hasPrefix(#""f""#) && !functions.contains("param") ? "f() == 1" : "1")
    #expect(found.count == 1 && found.first?.hasPrefix(expected) ?? false, "\(found)")
  }

  @Test func `what no formula calls is a warning`() {
    let functions = #""f": {"is": "g()"}, "g": {"is": "1"}, "h": {"is": "i()"}, "i": {"is": "values.nope + 1"}"#
    let cache = FormulaCache()
    for _ in 1...2 {
      #expect(
        diagnostics(functions, "f()", cache: cache).map { $0.prefix { $0 != ";" } } == [
          #"/functions/h: unusedFunction: no formula calls "h", so its types are not checked"#,
          #"/functions/i: unusedFunction: no formula calls "i", so its types are not checked"#,
        ]
      )
    }
  }

  @Test(arguments: [
    (
      #""functions": {\#((0...1000).map { #""f\#($0)": {"is": "1"}"# }.joined(separator: ", "))}"#,
      #""functions" has 1001 members, and at most 1000 are allowed"#
    ),
    (#""functions": [1]"#, #""functions" must be an object of at most 1000 members, and this is an array"#),
    (
      #""functions": {"f": {"is": "1", "parameters": [\#((0...20).map { #""p\#($0)""# }.joined(separator: ", "))]}}"#,
      #""parameters" of the function "f" has 21 names, and at most 20 are allowed"#
    ),
    (#""rules": {}"#, #""rules" must be an array of at most 10000 elements, and this is an object"#),
  ])
  func `too many parts are told with their number`(part: String, message: String) {
    let text = #"{"form": "t", "schema": {"type": "object", "properties": {"a": {}}}, \#(part)}"#
    #expect(Form.compile(Array(text.utf8)).diagnostics.map(\.message) == [message])
  }

  @Test func `formulas that double their size with each level are refused`() {
    let levels = (1...40).map { #""f\#($0)": {"is": "f\#($0 - 1)() + f\#($0 - 1)()"}"# }
    let found = diagnostics(#""f0": {"is": "1"}, "# + levels.joined(separator: ", "), "f40()")
    #expect(found.first?.contains("with the formulas that it calls") ?? false, "\(found)")
  }

  @Test func `many calls of a large formula are charged`() {
    let outputs = (0..<200).map { #""o\#($0)": "f()""# }.joined(separator: ", ")
    let sum = Array(repeating: "1", count: 450).joined(separator: " + ")
    let text = #"""
      {"form": "t", "schema": {"type": "object", "properties": {"a": {}}},
        "functions": {"g": {"is": "\#(sum)"}, "f": {"is": "[g(), g(), g(), g(), g(), g(), g(), g(), g(), g()]"}},
        "outputs": {\#(outputs)}}
      """#
    #expect(Form.compile(Array(text.utf8)).outcome == .tooCostly)
  }

  @Test func `a changed function changes its calls`() {
    let cache = FormulaCache()
    #expect(diagnostics(#""f": {"is": "1"}"#, "f() + 1", cache: cache) == [])
    #expect(diagnostics(#""f": {"is": "'a'"}"#, "f() + 1", cache: cache).count == 1)
    #expect(diagnostics("", "f() + 1", cache: cache).count == 1)
    #expect(diagnostics(#""f": {"is": "1"}"#, "f() + 1", cache: cache) == [])
  }
}
