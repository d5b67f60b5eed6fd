import Forms
import JSON
import Sessions
import Testing

/// Named formulas, `fold` and `label` in a session.
@Suite struct `Formulas that are called` {
  private func driver(_ functions: String, _ outputs: String, locale: String? = "en") throws -> SessionDriver {
    try SessionDriver(
      text: #"""
        {"locale": "en", "schema": {"type": "object", "properties": {
          "a": {"type": "string", "maxLength": 9}, "n": {"type": "number"},
          "country": {"oneOf": [{"const": "CH", "title": "Switzerland"}, {"const": "DE"}]},
          "sizes": {"type": "array", "maxItems": 9, "items": {"enum": [1, 2]}},
          "rows": {"type": "array", "maxItems": 9, "items": {"type": "object", "properties": {
            "kind": {"enum": ["b", "s"]}, "amount": {"type": "number"}}}}}},
          "fields": {"country": {"options": {"DE": {"en": "Germany", "de": "Deutschland"}}},
            "/sizes/*": {"options": {"1": "small", "2": {"en": "large", "de": "groß"}}},
            "/rows/*/kind": {"options": {"b": {"en": "Buy", "de": "Kauf"}, "s": {"en": "Sell", "de": "Verkauf"}}}},
          "functions": {\#(functions)}, "outputs": {\#(outputs)}}
        """#,
      options: OpenOptions(locale: locale)
    )
  }

  @Test func `a call reads its arguments and what is around it`() throws {
    let form = try driver(
      """
      "twice": {"parameters": ["x"], "is": "x + x"}, "tax": {"parameters": ["rate"], "is": "round(values.n * rate, 2)"},
      "net": {"parameters": ["rate"], "is": "values.n - tax(rate)"},
      "amounts": {"parameters": ["list"], "is": "list.map(values, values.amount)[0]"},
      "mine": {"is": "row.amount + values.n"}
      """,
      """
      "text": "twice(values.a)", "net": "net(0.5)", "first": "amounts(values.rows)", "/rows/*/sum": "mine() + double(index)",
      "sums": "outputs['/rows/*/sum']",
      "captured": "[1.0, 2.0].map(values, tax(values))"
      """
    )
    form.change("a", "x")
    form.change("n", 3)
    form.change("rows", [["amount": 4], ["amount": 5]])
    #expect(
      form["/outputs"]
        == ["text": "xx", "net": 1.5, "first": 4, "sums": [7, 9], "captured": [3, 6]]
    )
  }

  @Test func `fold gathers over a list`() throws {
    let form = try driver(
      "",
      """
      "sum": "fold(values.rows, 0.0, a, r, a + r.amount)",
      "texts": "fold(values.rows, '', kinds, r, kinds == '' ? r.kind : kinds + ', ' + r.kind)",
      "balances": "fold(values.rows, [0.0], all, r, all + [all[size(all) - 1] + r.amount])",
      "nested": "fold([[1, 2], [3]], 0, a, x, a + fold(x, 0, b, y, b + y))"
      """
    )
    #expect(form["/outputs"] == ["sum": 0, "texts": "", "balances": [0], "nested": 6])
    form.change("rows", [["amount": 4, "kind": "b"], ["amount": 5, "kind": "s"]])
    #expect(form["/outputs"] == ["sum": 9, "texts": "b, s", "balances": [0, 4, 9], "nested": 6])
  }

  @Test func `label gives the text of a choice in the session's language`() throws {
    let form = try driver(
      #""both": {"parameters": ["x"], "is": "label(x) + '/' + string(x)"}"#,
      """
      "country": "label(values.country)", "named": "both(values.country)",
      "sizes": "values.sizes.map(s, label(s))", "first": "label(values.sizes[0])",
      "kinds": "values.rows.map(r, label(r.kind))", "/rows/*/kind": "label(row.kind)"
      """
    )
    form.change("country", "DE")
    form.change("sizes", [2, 1])
    form.change("rows", [["kind": "s"], ["amount": 1]])
    #expect(
      form["/outputs"] == [
        "country": "Germany", "named": "Germany/DE", "sizes": ["large", "small"], "first": "large",
        "kinds": ["Sell", ""],
      ]
    )
    form.apply(.setLocale("de"))
    #expect(form["/outputs/country"] == "Deutschland" && form["/outputs/kinds"] == ["Verkauf", ""])
    form.change("country", "CH")
    #expect(form["/outputs/country"] == "Switzerland")
    // A value that is no choice is its own label.
    form.change("country", "FR")
    #expect(form["/outputs/country"] == "FR")
    // Without a value it reads as an empty text.
    form.change("country", .null)
    #expect(form["/outputs/country"] == "")
  }
}
