import Forms
import JSON
import Sessions
import Testing

/// The steps of `normalize` that write other characters.
@Suite struct `Steps of normalize` {
  private func normalized(_ text: String, by steps: String) throws -> JSON? {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 100000}}}, "fields": {"a": {"normalize": \(steps)}}}
        """
    )
    form.change("a", .string(text))
    return form.values["a"]
  }

  @Test(
    arguments: [
      ("Ａ１２－３", #"["nfkc"]"#, "A12-3"), ("ｶﾞ", #"["nfkc"]"#, "ガ"), ("ﬁ ²", #"["nfkc"]"#, "fi 2"),
      ("e\u{301}", #"["nfkc"]"#, "é"), ("abc", #"["nfkc"]"#, "abc"),
      ("０90-１", #"["nfkc", {"remove": "[^0-9]"}]"#, "0901"),
      ("0041 79", #"[{"replace": ["^00", "+"]}]"#, "+41 79"), ("a, b,c", #"[{"replace": [", *", "; "]}]"#, "a; b; c"),
      ("aaa", #"[{"replace": ["a", "b"]}, {"replace": ["b", "cc"]}]"#, "cccccc"),
      ("a", #"[{"replace": ["a", "\\1$0"]}]"#, "\\1$0"),
      ("xyz", #"[{"replace": ["q*", "-"]}]"#, "xyz"), ("x-y", #"[{"replace": ["-", ""]}]"#, "xy"),
    ]
  )
  func `write what stands beside them`(_ text: String, _ steps: String, _ expected: String) throws {
    #expect(try normalized(text, by: steps)?.stringValue == expected)
  }

  @Test func `a step that would make a text far longer is left out`() throws {
    let long = String(repeating: "x", count: 28)
    #expect(try normalized("a", by: #"[{"replace": ["a", "\#(long)"]}]"#) == "a")
    #expect(try normalized("ab", by: #"[{"replace": ["a", "\#(long)"]}, "upper"]"#) == .string(long.uppercased() + "B"))
  }

  @Test func `what replaces nothing is absent when nothing is left`() throws {
    #expect(try normalized("--", by: #"[{"replace": ["-", ""]}]"#) == nil)
  }

  @Test(
    arguments: [
      ("１２", 12), ("－７", -7), ("０．５", .real(0.5)), ("１ｅ３", 1000), ("1２3", 123), ("　７　", 7), ("＋５", "＋５"),
      ("１，０００", "１，０００"),
    ] as [(String, JSON)]
  )
  func `coerce reads full-width digits`(_ text: String, _ value: JSON) throws {
    let form = try SessionDriver(["coerce": true, "schema": ["properties": ["n": ["type": "number"]]]])
    form.change("n", .string(text))
    #expect(form.values["n"]?.isIdentical(to: value) ?? false)
  }

  @Test func `the memory that a replacement needs is known before`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 100000}, "b": {"type": "string", "maxLength": 9}}},
         "fields": {"a": {"debounce": "1s", "normalize": [{"replace": ["x", "0123456789"]}]}}}
        """
    )
    let text = String(repeating: "x", count: 100)
    let expected = form.session.valueBytes(after: .set(field: 0, to: .string(text)), at: form.now)
    form.change("a", .string(text))
    form.advance(milliseconds: 1000)
    #expect(form.values["a"]?.stringValue?.utf8.count == 1000)
    #expect(form.session.valueBytes <= expected)
  }
}
