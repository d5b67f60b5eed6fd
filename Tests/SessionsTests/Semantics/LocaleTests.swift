import Forms
import JSON
import Sessions
import Testing

/// A session that changes its language while it is open.
@Suite struct `Another language` {
  private static let text = """
    {"locale": "en", "schema": {"type": "object", "required": ["name"], "properties": {
       "name": {"type": "string", "minLength": 3, "maxLength": 20}, "code": {"type": "string", "minLength": 4, "maxLength": 9},
       "same": {"type": "string", "maxLength": 9}}},
     "fields": {"code": {"messages": {"minLength": {"en": "{limit} at least", "ko": "{limit}자 이상"}}}},
     "rules": [{"id": "form", "check": "values.name != 'x'", "message": {"en": "Not x.", "ko": "x는 안 됩니다."}},
       {"id": "same.r", "field": "same", "check": "self != 'x'", "message": "OK?"}],
     "actions": {"go": {"scope": "none", "outcomes": [{"success": "1", "message": {"en": "Done.", "ko": "했습니다."}}]},
       "say": {"scope": "none", "outcomes": [{"success": "1", "messageExpression": "form.locale + '!'"}]}},
     "outputs": {"language": "form.locale", "shown": "messages.name"}}
    """

  private func driver() throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(locale: "en"))
  }

  @Test func `every text comes anew, and what has none does not`() throws {
    let form = try driver()
    form.tap("go")
    form.blur("name")
    form.change("code", "abc")
    form.blur("code")
    form.change("same", "x")
    form.blur("same")
    #expect(form.kept["messages"] == ["name": "This is required.", "code": "4 at least", "same": "OK?"])
    form.apply(.setLocale("ko"))
    #expect(form.kept["messages"] == ["name": "필수 항목입니다.", "code": "4자 이상", "same": "OK?"])
    #expect(form["/fields/name/errors"]?.arrayValue?.first?["message"] == "필수 항목입니다.")
    #expect(form["/fields/code/errors"]?.arrayValue?.first?["message"] == "4자 이상")
    #expect(form["/actions/go/message"] == "했습니다.")
    #expect(form["/outputs"] == ["language": "ko", "shown": "필수 항목입니다."])
    #expect(form.patches.last?["fields"]?["same"] == nil && form.patches.last?["messages"]?["same"] == nil)
    #expect(form.session.locale == "ko")
  }

  @Test func `the document is that of a session opened in it`() throws {
    let form = try driver()
    form.change("name", "x")
    form.change("code", "a")
    form.apply(.setLocale("ko"))
    let other = try SessionDriver(text: Self.text, options: OpenOptions(locale: "ko"))
    other.change("name", "x")
    other.change("code", "a")
    #expect(form.kept == other.kept && form["/errors"]?.arrayValue?.first?["message"] == "x는 안 됩니다.")
  }

  @Test func `the same again, or one with the same texts, tells nothing but its name`() throws {
    let form = try driver()
    form.blur("name")
    form.apply(.setLocale("en"))
    #expect(form.session.revision == 1)
    form.apply(.setLocale("en-GB"))
    #expect(form.patches.last == ["outputs": ["language": "en-GB"]])
  }

  @Test func `a message that is shown while its field is edited is translated where it stands`() throws {
    let form = try driver()
    form.change("code", "abc")
    form.blur("code")
    form.focus("code")
    form.apply(.setLocale("ko"))
    #expect(form.message("code") == "4자 이상")
  }

  @Test func `what a formula of an outcome said stays as it was said`() throws {
    let form = try driver()
    form.tap("say")
    form.apply(.setLocale("ko"))
    #expect(form["/actions/say/message"] == "en!")
    form.tap("say")
    #expect(form["/actions/say/message"] == "ko!")
  }

  private static let named = """
    {"locale": "en", "schema": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 20},
       "count": {"type": "integer"}, "pick": {"type": "string", "maxLength": 9}}},
     "texts": {"greeting": {"en": "Hello {name}, {count} times.", "ko": "{name}님, {count}번 안녕하세요."}, "a": "only {x}",
       "b": {"de": "eins", "fr": "un"}},
     "rules": [{"id": "few", "field": "count", "check": "self < 5", "messageExpression": "text('greeting', {'name': 'Too', 'count': self})"}],
     "outputs": {"greeting": "text('greeting', {'name': values.name, 'count': values.count})",
       "a": "text('a', {'x': [true, 1.5]})", "b": "text('b')", "picked": "text(values.pick)"}}
    """

  @Test func `a formula names a text, fills it, and gives it in the session's language`() throws {
    let form = try SessionDriver(
      text: Self.named,
      options: OpenOptions(values: ["name": "Kim", "count": 7, "pick": "b"])
    )
    #expect(form["/outputs/greeting"] == "Hello Kim, 7 times.")
    #expect(form["/outputs/a"] == "only [true,1.5]")
    #expect(form["/outputs/b"] == "eins", "neither English nor the form's default: the first")
    #expect(form["/outputs/picked"] == "eins")
    form.apply(.setLocale("ko-KR"))
    #expect(form["/outputs/greeting"] == "Kim님, 7번 안녕하세요.")
    #expect(form["/fields/count/errors"]?.arrayValue?.first?["message"] == "Too님, 7번 안녕하세요.")
    #expect(form.patches.last?["outputs"] == ["greeting": "Kim님, 7번 안녕하세요."])
    form.apply(.setLocale("fr-CA"))
    #expect(form["/outputs/greeting"] == "Hello Kim, 7 times." && form["/outputs/b"] == "un")
  }

  @Test func `what is absent is left out of a text, and a name that only the run tells may lead nowhere`() throws {
    let form = try SessionDriver(text: Self.named)
    #expect(form["/outputs/greeting"] == "Hello ,  times.")
    #expect(form["/outputs/picked"] == nil)
    form.change("pick", "c")
    #expect(form["/outputs/picked"] == nil)
    #expect(form.faults.last?.pointer == "/outputs/picked")
  }
}
