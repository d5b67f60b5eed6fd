import Forms
internal import SourceTexts
import Testing

/// `functions`, and the functions that depend on the form's schema.
@Suite struct `Named formulas` {
  private func diagnostics(
    _ functions: String,
    _ formula: String = "1",
    keeping kept: KeptFormulas? = nil
  ) -> [String] {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9},
        "n": {"type": "number"}, "c": {"enum": ["x", "y"]},
        "l": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"c": {"enum": ["x"]}}}}}},
        "functions": {\(functions)}, "outputs": {"o": "\(formula)"}}
      """
    let scanned = ScannedText(json: SourceText(Array(text.utf8)), limits: Form.jsonLimits)
    return Form.compile(scanned, keeping: kept).diagnostics.map { "\($0.pointer): \($0.code): \($0.message)" }
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
    (#""f": {"is": "valeus.n"}"#, "f()", "in f(): unknown name 'valeus.n'; did you mean 'values.n'?"),
    (#""f": {"is": "sise('a')"}"#, "f()", "in f(): unknown function 'sise'; did you mean 'size'?"),
    (#""f": {"parameters": ["x"], "is": "x"}"#, "f()", "f(x) takes 1 argument, and this call has 0"),
    (#""f": {"parameters": ["x", "y"], "is": "x"}"#, "f(1)", "f(x, y) takes 2 arguments, and this call has 1"),
    ("", "fold([1], '', a, x, x)", "both must have the same type"),
    ("", "fold(values.a, 0, a, x, a)", "fold() needs a list"),
    ("", "fold({'a': 1}, 0, a, x, a)", "fold() needs a list"),
    ("", "fold(values.l)", "fold() is written 'fold(list, start, a, x, value)'"),
    ("", "label(values.a)", "label() needs a field whose values are listed"),
    ("", "label('x')", "label() needs a field whose values are listed"),
    ("", "label()", "label() cannot take"),
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
    let kept = KeptFormulas()
    #expect(diagnostics(#""f": {"is": "1"}"#, "f() + 1", keeping: kept) == [])
    #expect(diagnostics(#""f": {"is": "'a'"}"#, "f() + 1", keeping: kept).count == 1)
    #expect(diagnostics("", "f() + 1", keeping: kept).count == 1)
    #expect(diagnostics(#""f": {"is": "1"}"#, "f() + 1", keeping: kept) == [])
  }
}
