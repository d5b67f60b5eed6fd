import Forms
import JSON
import Sessions
import Testing

/// Texts of errors that are written once: for all fields and for the form, with labels.
@Suite struct `Texts of errors` {
  private static let text = #"""
    {"form": "t", "locale": "en", "title": {"en": "Party", "ko": "잔치"},
     "schema": {"type": "object", "required": ["host"], "minProperties": 3, "properties": {
       "host": {"type": "string", "minLength": 3, "maxLength": 9},
       "place": {"type": "string", "minLength": 3, "maxLength": 9},
       "nick": {"type": "string", "minLength": 3, "maxLength": 9, "title": "Nickname"},
       "count": {"type": "integer"},
       "tags": {"type": "array", "maxItems": 3, "uniqueItems": true, "items": {"anyOf": [{"maxLength": 2}]}},
       "extra": {"type": "object", "properties": {"note": {"type": "string", "minLength": 3, "maxLength": 9}}},
       "rows": {"type": "array", "maxItems": 5, "items": {"type": "object", "required": ["n"], "properties": {
         "n": {"type": "integer", "maximum": 9}}}}}},
     "messages": {"required": {"en": "{label} is missing.", "ko": "{label} 없음"}, "minLength": "{label}: {limit} letters.",
       "maximum": "{label} over {limit}.", "even": "Not used: the rule has a text.", "odd": "{label} is odd.",
       "type": "{label} is no number.", "duplicate": "{label} twice.", "fault": "{label} is a riddle."},
     "fields": {"": {"messages": {"minProperties": "{label}: {limit}, please.", "whole": "{label} is whole."}},
       "host": {"label": {"en": "Host", "ko": "주인"}}, "place": {"messages": {"minLength": "Too short, {label}."}},
       "count": {"coerce": true, "label": "Count"}, "/extra/note": {"label": "Note"},
       "/rows/*/n": {"label": "Number", "unique": true}},
     "rules": [{"id": "even", "field": "count", "check": "self % 2 == 0", "message": "{label} must be even."},
       {"id": "odd", "field": "/rows/*/n", "check": "self % 2 == 0"},
       {"id": "row", "field": "/rows/*/n", "check": "self != 6", "message": "{label} {number}, not 6."},
       {"id": "ratio", "field": "/rows/*/n", "check": "self == 8 || 8 / self >= 0"},
       {"id": "whole", "check": "values.place != 'none'"},
       {"id": "asked", "check": "values.place != 'none'", "message": "Not the {label}!"}],
     "checks": [{"id": "free", "field": "nick", "run": {"provider": {"name": "p", "arguments": {"nick": "self"}}}, "failureMessage": "{label} unchecked.",
       "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "{label} is taken."}]}]}
    """#

  private func driver(_ values: JSONObject, _ locale: String = "en") throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(locale: locale, values: values, show: .always))
  }

  @Test func `come from the field, then from the definition, with the field's label`() throws {
    let rows: JSON = [["n": 1], [:], ["n": 12], ["n": 6], ["n": 8], ["n": 8], ["n": 0]]
    let form = try driver(["place": "x", "nick": "x", "count": 3, "extra": ["note": "x"], "rows": rows])
    #expect(
      form["/messages"] == [
        "host": "Host is missing.", "place": "Too short, place.", "nick": "Nickname: 3 letters.",
        "count": "Count must be even.", "/extra/note": "Note: 3 letters.",
        "rows": "This may have at most 5 items.",
        "/rows/#1/n": "Number is odd.", "/rows/#2/n": "Number is missing.", "/rows/#3/n": "Number over 9.",
        "/rows/#4/n": "Number 4, not 6.", "/rows/#6/n": "Number twice.", "/rows/#7/n": "Number is a riddle.",
      ]
    )
    form.change("count", "x")
    #expect(form.message("count") == "Count is no number.")
  }

  @Test func `are not for values inside of a field's value`() throws {
    let form = try driver(["host": "kim", "place": "home", "tags": ["abc", ["x"]]])
    form.change("extra", "x")
    #expect(form.message("extra") == "extra is no number.")
    form.change("tags", [1, 1])
    #expect(form.message("tags")?.contains("equal") == true)
  }

  @Test func `an element without a label has the label of its list`() throws {
    let form = try SessionDriver(
      text: #"""
        {"schema": {"properties": {"words": {"type": "array", "maxItems": 3, "items": {
           "type": "string", "minLength": 3, "maxLength": 9}}}},
         "messages": {"minLength": "{label}: {limit} letters.", "maxLength": "{label} too long."},
         "fields": {"words": {"label": "Words"}}, "rules": [{"id": "x", "field": "/words/*", "check": "self != 'xxx'", "message": "{label} x"}]}
        """#,
      options: OpenOptions(values: ["words": ["a", "xxx"]], show: .always)
    )
    #expect(form["/messages"] == ["/words/#1": "Words: 3 letters.", "/words/#2": "Words x"])
  }

  @Test func `a member of the form that is no field has a text, too`() throws {
    let form = try SessionDriver(
      text: #"""
        {"title": "T", "schema": {"properties": {"a": {"type": "string", "maxLength": 9}}, "additionalProperties": false},
         "messages": {"additionalProperties": "Not in {label}."}}
        """#,
      options: OpenOptions(values: ["zz": 1])
    )
    #expect(form["/errors/0/message"] == "Not in T.")
  }

  @Test func `the form's own errors have texts, too`() throws {
    let form = try driver(["place": "none"])
    let messages = form["/errors"]?.arrayValue?.map { $0["message"] }
    #expect(messages == ["Party: 3, please.", "Party is whole.", "Not the Party!"])
    form.apply(.setLocale("ko"))
    let korean = form["/errors"]?.arrayValue?.map { $0["message"] }
    #expect(korean == ["잔치: 3, please.", "잔치 is whole.", "Not the 잔치!"])
  }

  @Test func `a label is in the language of the session`() throws {
    let form = try driver(["nick": "x"], "ko")
    #expect(form.message("host") == "주인 없음" && form.message("nick") == "Nickname: 3 letters.")
    form.apply(.setLocale("en"))
    #expect(form.message("host") == "Host is missing.")
  }

  @Test func `texts of checks have the label`() throws {
    let form = try driver([:])
    form.change("nick", "kim")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    #expect(form.message("nick") == "Nickname is taken.")
    form.change("nick", "lee")
    form.answer(form.onlyEffect, EffectResponse(kind: .refused))
    #expect(form.message("nick") == "Nickname unchecked.")
  }

  private static let own: JSON = [
    "schema": [
      "required": ["a"],
      "properties": [
        "a": ["type": "string"], "b": ["type": "integer"],
        "rows": ["type": "array", "items": ["required": ["n"], "properties": ["n": ["type": "integer"], "m": [:]]]],
      ],
    ],
    "rules": [
      ["id": "r", "field": "/rows/*/m", "check": "self != 1"], ["id": "s", "field": "/rows/*/m", "check": "self != 1"],
      ["id": "whole", "check": "values.b != 1"],
    ],
    "fields": ["b": ["coerce": true]],
  ]

  @Test(arguments: [
    ("en", "This is required.", "Enter a whole number.", "This is not valid."),
    ("ko-KR", "필수 항목입니다.", "정수를 입력해 주세요.", "올바르지 않은 값입니다."),
    ("de-AT", "Diese Angabe ist erforderlich.", "Bitte geben Sie eine ganze Zahl ein.", "Dieser Wert ist ungültig."),
    ("fr", "Ce champ est obligatoire.", "Saisissez un nombre entier.", "Cette valeur n’est pas valide."),
    ("es", "Este campo es obligatorio.", "Escriba un número entero.", "Este valor no es válido."),
    ("pt", "Este campo é obrigatório.", "Digite um número inteiro.", "Este valor não é válido."),
    ("it", "Questo campo è obbligatorio.", "Inserire un numero intero.", "Questo valore non è valido."),
    ("ja", "必須項目です。", "整数を入力してください。", "正しい値ではありません。"), ("zh-CN", "此项为必填项。", "请输入整数。", "此值无效。"),
    ("nl", "This is required.", "Enter a whole number.", "This is not valid."),
  ])
  func `are built in, in the session's language`(_ locale: String, _ required: String, _ type: String, _ rule: String)
    throws
  {
    let values: JSONObject = ["rows": [["m": 1]]]
    let form = try SessionDriver(Self.own, options: OpenOptions(locale: locale, values: values, show: .always))
    form.change("b", "x")
    let text: (String) -> JSON = { .string($0) }
    #expect(
      form["/messages"] == [
        "a": text(required), "b": text(type), "/rows/#1/n": text(required), "/rows/#1/m": text(rule),
      ]
    )
    let row = form["/fields/rows/rows/1/fields/m/errors"]?.arrayValue?.map { $0["message"] }
    #expect(row == [text(rule), text(rule)])
    #expect(
      form["/fields/a/errors"] == [
        ["code": "required", "severity": "error", "source": "schema", "message": text(required), "params": [:]]
      ]
    )
    form.change("b", 1)
    #expect(form["/errors/0/message"] == text(rule))
    form.apply(.setLocale("en"))
    #expect(form.message("a") == "This is required." && form["/fields/a/errors/0/message"] == "This is required.")
    form.apply(.setLocale(locale))
    #expect(form.message("a") == required && form["/fields/a/errors/0/message"] == text(required))
  }

  @Test func `a text does not multiply a parameter without end`() throws {
    let label = String(repeating: "L", count: 3_000)
    let names = String(repeating: "{label}", count: 9)
    let form = try SessionDriver([
      "schema": ["properties": ["a": ["type": "string", "minLength": 3]]], "messages": ["minLength": .string(names)],
      "fields": ["a": ["label": .string(label), "show": "always"]],
    ])
    form.change("a", "x")
    #expect(form.message("a") == String(repeating: label, count: 4) + String(repeating: "{label}", count: 5))
  }

  @Test(arguments: ["nl", "fi", "", "ko"], [true, false])
  func `all built-in texts of a session are in one language, the form's own if it says one`(
    locale: String,
    saysLanguage: Bool
  ) throws {
    let form = try SessionDriver(
      text: """
        {\(saysLanguage ? "\"locale\": \"de\", " : "")"title": {"fi": "Lomake"}, "schema": {"required": ["a"],
           "properties": {"a": {"type": "string", "maxLength": 9},
             "b": {"type": "string", "minLength": 5, "maxLength": 9}}}}
        """,
      options: OpenOptions(locale: locale, values: ["b": "x"])
    )
    let texts = ["a", "b"].map { form["/fields/\($0)/errors/0/message"]?.stringValue }
    let expected =
      saysLanguage
      ? ["Diese Angabe ist erforderlich.", "Bitte geben Sie mindestens 5 Zeichen ein."]
      : locale == "ko"
        ? ["필수 항목입니다.", "5자 이상 입력해주세요."]
        : ["This is required.", "This must have at least 5 characters."]
    #expect(texts == expected)
  }
}
