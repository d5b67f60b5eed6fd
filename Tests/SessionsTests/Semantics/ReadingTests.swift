import Forms
import JSON
import Sessions
import Testing

/// How `read` reads what people type, and what the document has in `text`.
@Suite struct `Reading what people type` {
  private static let definition: JSON = [
    "read": ["number", "date"],
    "schema": [
      "properties": [
        "number": ["type": "number", "maximum": 1_000_000], "whole": ["type": ["integer", "null"]],
        "share": ["type": "number"], "price": ["type": "number"], "day": ["type": "string", "format": "date"],
        "fixed": ["type": "number"], "plain": ["type": "number"], "text": ["type": "string", "maxLength": 9],
        "pin": ["type": "integer", "writeOnly": true],
        "address": ["type": "object", "properties": ["floor": ["type": "integer"]]],
        "items": [
          "type": "array", "maxItems": 9,
          "items": [
            "type": "object",
            "properties": ["net": ["type": "number"], "at": ["type": "string", "format": "date"]],
          ],
        ],
      ]
    ],
    "fields": [
      "share": ["read": "percent"], "price": ["read": ["currency": ["code": "EUR"]]], "plain": ["read": false],
      "fixed": ["read": ["number": ["decimal": ",", "group": "."]]],
    ],
    "rules": [
      ["id": "late", "field": "day", "check": "self >= '2026-01-01'", "message": "Too early."],
      ["id": "sum", "check": "values.items.map(i, i.net).sum() < 5000.0", "message": "Too much."],
    ],
    "outputs": [
      "double": "values.number * 2.0", "shown": "formatNumber(values.number, 2)",
      "amount": "formatCurrency(values.price, 'EUR')", "date": "formatDate(values.day)",
    ],
  ]

  private func driver(_ locale: String, _ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(Self.definition, options: OpenOptions(locale: locale, values: values))
  }

  @Test(
    arguments: [
      ("de", "number", "1.234,5", 1234.5), ("en", "number", "1,234.5", 1234.5), ("de", "number", "1.234", 1234),
      ("en", "number", "1.234", 1.234), ("de", "whole", "１２", 12), ("de", "share", "12,5 %", 0.125),
      ("de", "price", "1.234,50 €", 1234.5), ("de", "day", "5.4.2026", "2026-04-05"),
      ("en", "day", "4/5/26", "2026-04-05"), ("ko", "day", "2026년 4월 5일", "2026-04-05"),
      ("en", "fixed", "1.234,5", 1234.5), ("de", "/address/floor", "3", 3), ("de", "text", "1.234", "1.234"),
    ] as [(String, String, String, JSON)]
  )
  func `the value is what the text means in the session's language`(
    _ locale: String,
    _ field: String,
    _ text: String,
    _ value: JSON
  ) throws {
    let form = try driver(locale)
    form.change(field, .string(text))
    let pointer = try #require(JSONPointer(field.hasPrefix("/") ? field : "/\(field)"))
    #expect(form.values.value(at: pointer)?.isIdentical(to: value) ?? false, "\(form.values)")
    #expect(form.isValid)
  }

  @Test(
    arguments: [
      ("de", "number", "1.5", "Bitte geben Sie eine Zahl ein, zum Beispiel 1.234,5."),
      ("en", "number", "1,5", "Enter a number, such as 1,234.5."),
      ("de", "whole", "zwei", "Bitte geben Sie eine ganze Zahl ein, zum Beispiel 1.234."),
      ("de", "price", "5 $", "Bitte geben Sie einen Betrag ein, zum Beispiel 1.234,50\u{A0}€."),
      ("de", "share", "viel", "Bitte geben Sie einen Prozentwert ein, zum Beispiel 12,5\u{A0}%."),
      ("de", "day", "31.4.2026", "Bitte geben Sie ein Datum ein, zum Beispiel 31.12.2026."),
      ("en", "day", "5.4.2026", "Enter a date, such as 12/31/2026."), ("ko", "number", "하나", "숫자를 입력해 주세요. 예: 1,234.5"),
      ("fr", "day", "5", "Saisissez une date, par exemple 31/12/2026."),
      ("es", "day", "5", "Escriba una fecha, por ejemplo 31/12/2026."),
      ("pt", "day", "5", "Digite uma data, por exemplo 31/12/2026."),
      ("it", "day", "5", "Inserire una data, ad esempio 31/12/2026."),
      ("ja", "day", "5", "日付を入力してください。例：2026/12/31"),
      ("zh", "day", "5", "请输入日期，例如 2026/12/31。"),
      ("en", "fixed", "1.5", "Enter a number, such as 1.234,5."),
    ]
  )
  func `a text that cannot be read stays one, with an example`(
    _ locale: String,
    _ field: String,
    _ text: String,
    _ message: String
  ) throws {
    let form = try driver(locale)
    form.change(field, .string(text))
    #expect(form.values[field] == .string(text) && form.codes(field) == ["type"])
    #expect(form["/fields/\(field)/errors/0/message"]?.stringValue == message)
    #expect(form["/fields/\(field)/text"] == .string(text))
    form.blur(field)
    #expect(form["/messages/\(field)"]?.stringValue == message)
  }

  @Test func `a text that is no date reads as absent, and rules wait for one`() throws {
    let form = try driver("de")
    form.change("day", "5.4.")
    #expect(form.codes("day") == ["type"] && form["/outputs/date"] == nil)
    form.change("day", "5.4.2025")
    #expect(form.codes("day") == ["late"] && form["/outputs/date"] == "5.4.2025")
    form.change("day", "5.4.2026")
    #expect(form.codes("day").isEmpty)
  }

  @Test func `the input shows what was typed, and the value when something else gives it one`() throws {
    let form = try driver("de", ["number": 1234.5, "price": 5, "day": "2026-04-05"])
    #expect(form["/fields/number/text"] == "1.234,5")
    #expect(form["/fields/price/text"] == "5,00\u{A0}€")
    #expect(form["/fields/day/text"] == "5.4.2026")
    #expect(form["/fields/share/text"] == nil && form["/fields/plain/text"] == nil && form["/fields/text/text"] == nil)
    form.change("number", "1234,5")
    #expect(form["/fields/number/text"] == "1234,5" && form["/fields/number/isDirty"] == false)
    form.change("number", "1234,50 ")
    #expect(form["/fields/number/text"] == "1234,50 ")
    form.change(["number": 7], origin: .program)
    #expect(form["/fields/number/text"] == "7")
    form.change("number", "")
    #expect(form["/fields/number/text"] == nil && form["/fields/number/isEmpty"] == true)
    form.change("number", "x")
    #expect(form["/fields/number/text"] == "x")
    form.reset()
    #expect(form["/fields/number/text"] == "1.234,5")
    form.change("number", "1234,50")
    form.reset()
    #expect(form["/fields/number/text"] == "1.234,5")
    form.change("number", "1234,50")
    form.reset(keepValues: true)
    #expect(form["/fields/number/text"] == "1234,50")
  }

  @Test func `a secret is read, and its text is nowhere`() throws {
    let form = try driver("de")
    form.change("pin", "1.234")
    #expect(form.codes("pin").isEmpty && form["/fields/pin/text"] == nil)
    form.change("pin", "geheim")
    #expect(form.codes("pin") == ["type"] && !form.kept.description.contains("geheim"))
    form.apply(.setLocale("en"))
    #expect(!form.kept.description.contains("geheim"))
  }

  @Test func `fields of rows read, too`() throws {
    let form = try driver("de", ["items": [["net": 1234.5, "at": "2026-04-05"], [:]]])
    #expect(form["/fields/items/rows/1/fields/net/text"] == "1.234,5")
    #expect(form["/fields/items/rows/1/fields/at/text"] == "5.4.2026")
    #expect(form["/fields/items/rows/2/fields/net/text"] == nil)
    form.change("/items/1/net", "2,50")
    #expect(form["/fields/items/rows/2/fields/net/text"] == "2,50")
    form.change("/items/1/net", "2,5x")
    #expect(form["/fields/items/rows/2/fields/net/text"] == "2,5x" && form.codes("items/#2/net") == ["type"])
    form.change("/items/1/net", "")
    #expect(form["/fields/items/rows/2/fields/net/text"] == nil)
    form.insert("items", ["net": "3,5"])
    #expect(form["/fields/items/rows/3/fields/net/text"] == "3,5")
    #expect(form.values["items"] == [["net": 1234.5, "at": "2026-04-05"], .null, ["net": 3.5]])
    form.apply(.setLocale("en"))
    #expect(form["/fields/items/rows/1/fields/net/text"] == "1,234.5")
    #expect(form["/fields/items/rows/1/fields/at/text"] == "4/5/2026")
    form.remove("/items/0")
    form.change(["items": [["net": 4], ["at": "1/2/2026"]]])
    #expect(form["/fields/items/rows/2/fields/net/text"] == "4")
    #expect(form["/fields/items/rows/3/fields/at/text"] == "1/2/2026")
    form.reset()
    let first = try #require(form["/fields/items/order/0"]?.stringValue)
    #expect(form["/fields/items/rows/\(first)/fields/net/text"] == "1,234.5")
  }

  @Test func `in another language values stay, and inputs show them as it writes them`() throws {
    let form = try driver("de")
    form.change("number", "1234,5")
    form.change("day", "5.4.2026")
    form.change("price", "5")
    #expect(form["/outputs/shown"] == "1.234,50" && form["/outputs/date"] == "5.4.2026")
    form.apply(.setLocale("en"))
    #expect(form.values == ["number": 1234.5, "day": "2026-04-05", "price": 5])
    #expect(form["/fields/number/text"] == "1,234.5" && form["/fields/day/text"] == "4/5/2026")
    #expect(form["/fields/price/text"] == "€5.00" && form["/outputs/amount"] == "€5.00")
    #expect(form["/outputs/shown"] == "1,234.50" && form["/outputs/date"] == "4/5/2026")
  }

  @Test func `in another language a text that could not be read is read again`() throws {
    let form = try driver("en")
    form.change("number", "12,5")
    form.change("day", "25.4.2026")
    form.change("whole", "zwei")
    #expect(form.codes("number") == ["type"] && form.codes("day") == ["type"])
    form.apply(.setLocale("de"))
    #expect(form.values == ["number": 12.5, "day": "2026-04-25", "whole": "zwei"])
    #expect(form.codes("number").isEmpty && form.codes("day").isEmpty && form.codes("whole") == ["type"])
    #expect(form["/fields/number/text"] == "12,5" && form["/fields/day/text"] == "25.4.2026")
    #expect(form.told.values == ["number": 12.5, "day": "2026-04-25"])
    #expect(
      form["/fields/whole/errors/0/message"] == "Bitte geben Sie eine ganze Zahl ein, zum Beispiel 1.234."
    )
    form.apply(.setLocale("en"))
    #expect(form.values["number"] == 12.5 && form["/fields/number/text"] == "12.5")
  }

  @Test func `a delayed text is read when it takes effect`() throws {
    let form = try SessionDriver(
      [
        "read": "number", "schema": ["properties": ["n": ["type": "number"]]], "fields": ["n": ["debounce": "1s"]],
      ],
      options: OpenOptions(locale: "en")
    )
    form.change("n", "1.5")
    #expect(form["/fields/n/text"] == nil)
    form.advance(milliseconds: 1000)
    #expect(form.values == ["n": 1.5] && form["/fields/n/text"] == "1.5")
  }

  @Test func `computed and suggested values show as the language writes them`() throws {
    let form = try SessionDriver(
      [
        "read": "number",
        "schema": ["properties": ["a": ["type": "number"], "b": ["type": "number"], "c": ["type": "number"]]],
        "fields": ["b": ["computed": "values.a * 2.0"], "c": ["suggested": "values.a * 3.0"]],
      ],
      options: OpenOptions(locale: "de")
    )
    form.change("a", "1,25")
    #expect(form["/fields/b/text"] == "2,5" && form["/fields/c/text"] == "3,75")
    form.change("c", "4,0")
    form.change("a", "2")
    #expect(form["/fields/b/text"] == "4" && form["/fields/c/text"] == "4,0")
  }

  @Test func `steps of normalize come first`() throws {
    let form = try SessionDriver(
      [
        "schema": ["properties": ["n": ["type": "number"]]],
        "fields": ["n": ["read": "number", "normalize": [["remove": "[a-z]+"]]]],
      ],
      options: OpenOptions(locale: "de")
    )
    form.change("n", "ca 1,5")
    #expect(form.values == ["n": 1.5] && form["/fields/n/text"] == "ca 1,5")
  }

  @Test func `a language that is not known reads as the form's own does`() throws {
    let form = try SessionDriver(
      ["locale": "de", "read": "number", "schema": ["properties": ["n": ["type": "number"]]]],
      options: OpenOptions(locale: "xx-YY")
    )
    form.change("n", "1,5")
    #expect(form.values == ["n": 1.5])
  }

  @Test func `a long text that cannot be read is kept once`() throws {
    let form = try driver("en")
    let long = String(repeating: "x", count: 100_000)
    form.change("number", .string(long))
    #expect(form["/fields/number/text"] == .string(long) && form.codes("number") == ["type"])
    form.change("number", "1")
    #expect(form["/fields/number/text"] == "1")
  }

  @Test func `a text that is held back is read in the language in which it was typed`() throws {
    let form = try SessionDriver(
      [
        "read": "number", "schema": ["properties": ["n": ["type": "number"]]], "fields": ["n": ["debounce": "1s"]],
      ],
      options: OpenOptions(locale: "de")
    )
    form.change("n", "1.234")
    form.apply(.setLocale("en"))
    #expect(form.values["n"] == 1234 && form["/fields/n/text"] == "1,234")
  }
}
