import Forms
import JSON
import Sessions
import Testing

/// The length of a text, for the schema and for formulas.
@Suite struct `The length of texts` {
  @Test func `Length: minLength and size count code points, graphemes what people call characters`() throws {
    let form = try SessionDriver(
      text: #"""
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 5, "maxLength": 20}}},
         "outputs": {"size": "size(values.a)", "graphemes": "graphemes(values.a)"}}
        """#
    )
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    form.change("a", .string(family))
    #expect(form.isValid)
    #expect(form["/outputs"] == ["size": 5, "graphemes": 1])
    form.change("a", "e\u{301}")
    #expect(form.codes("a") == ["minLength"])
    #expect(form["/outputs"] == ["size": 2, "graphemes": 1])
  }

  @Test func `Length: NFC before rules where the field asks for it, never for secrets unless asked`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9},
          "plain": {"type": "string", "maxLength": 9}, "secret": {"type": "string", "maxLength": 9, "writeOnly": true},
          "asked": {"type": "string", "maxLength": 9, "writeOnly": true}}},
         "fields": {"a": {"normalize": ["nfc"]}, "asked": {"normalize": ["nfc"]}},
         "outputs": {"a": "size(values.a)", "plain": "size(values.plain)", "secret": "size(values.secret) == 2",
           "asked": "size(values.asked) == 1"}}
        """
    )
    form.change(["a": "e\u{301}", "plain": "e\u{301}", "secret": "e\u{301}", "asked": "e\u{301}"])
    #expect(form["/outputs"] == ["a": 1, "plain": 2, "secret": true, "asked": true])
  }

  @Test func `Length: text functions work on code points, not on Swift's characters`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
         "outputs": {"has": "values.a.contains('@')"}}
        """
    )
    form.change("a", "@\u{301}a")
    #expect(form["/outputs/has"] == true)
  }
}
