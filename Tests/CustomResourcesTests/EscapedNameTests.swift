import Testing

@testable import CustomResources

@Suite struct EscapedNameTests {
  @Test(
    arguments: [
      ("name", "name"), ("foo-bar", "foo__dash__bar"), ("a.b/c", "a__dot__b__slash__c"),
      ("a__b", "a__underscores__b"), ("a___b", "a__underscores___b"), ("_a_b", "_a_b"), ("namespace", "__namespace__"),
      ("in", "__in__"), ("while", "__while__"), ("internal", "internal"), ("-a", "__dash__a"),
      ("", nil), ("1a", nil), ("a b", nil), ("ä", nil), ("$ref", nil),
    ] as [(String, String?)]
  )
  func `a name is written as an identifier`(name: String, escaped: String?) {
    #expect(EscapedName.escape(name) == escaped)
  }
}
