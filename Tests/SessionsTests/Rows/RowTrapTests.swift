import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// Earlier bugs in rows.
struct RowTrapTests {
  @Test func `errors that a keyword around has left in a row inside of another go with it`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"mode": {"type": "string"},
           "orders": {"type": "array", "items": {"properties": {"lines": {"type": "array", "items": {"properties": {"x": {"type": "string"}}}}}}}},
           "if": {"properties": {"mode": {"const": "s"}}, "required": ["mode"]},
           "then": {"properties": {"orders": {"items": {"properties": {"lines": {"items": {"properties": {"x": {"minLength": 5}}}}}}}}}},
         "checks": [{"id": "ck", "field": "orders", "run": {"provider": {"name": "p", "arguments": {"n": "size(self)"}}}, "outcomes": [{"valid": true}]}]}
        """,
      options: OpenOptions(
        values: ["mode": "s", "orders": [["lines": [["x": "abc"], ["x": "d"]]], ["lines": [["x": "abc"]]]]]
      )
    )
    #expect(form.codes("/orders/#1/lines/#2/x") == ["minLength"])
    form.remove("/orders/#1")
    #expect(form["/fields/orders/isValid"] == false)
    form.change("orders", [])
    #expect(form.order("orders") == [])
  }

  @Test func `rows that go while they are to be computed are left alone`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"t": {"type": "string"}, "orders": {"type": "array", "items": {"properties": {
           "lines": {"type": "array", "items": {"properties": {"x": {"type": "string"}}}}}}}}},
         "fields": {"/orders/*/lines/*": {"visible": "form.isDirty"}}}
        """,
      options: OpenOptions(values: ["orders": .array(Array(repeating: ["lines": [[:], [:], [:]]], count: 4))])
    )
    form.change(["t": "x", "orders": []])
    #expect(form.values["orders"] == [])
  }

  /// A list that a change of the country puts back to its two rows, a second after the change.
  private static let late = """
    {"schema": {"properties": {"country": {"type": "string"}, "orders": {"type": "array", "default": [{}, {}],
       "items": {"properties": {"lines": {"type": "array", "items": {"properties": {"x": {"type": "string"}}}}}}}}},
     "fields": {"country": {"debounce": "1s"}, "orders": {"resetOn": ["country"]}}}
    """

  @Test func `a row that moves in a list that a due timer makes shorter is the last one then`() throws {
    let form = try SessionDriver(text: Self.late)
    form.insert("orders", [:], [:], [:], [:])
    form.change("country", "KR")
    form.passWithoutTimers(milliseconds: 1_000)
    form.move("/orders/#1", to: 5)
    #expect(form.order("orders") == ["2", "1"])
  }

  @Test func `no row is put into a row that a due timer takes away`() throws {
    let form = try SessionDriver(text: Self.late)
    let row = form.insert("orders", [:])[0]
    form.change("country", "KR")
    form.passWithoutTimers(milliseconds: 1_000)
    #expect(form.insert("/orders/#\(row)/lines", [:]) == [])
    #expect(form.order("orders") == ["1", "2"])
  }

  @Test func `rows far from where they were last are found`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"l": {"type": "array", "items": {"properties": {"a": {"type": "integer"}}}}}},
         "outputs": {"last": "values.l[size(values.l) - 1].a"}}
        """,
      options: OpenOptions(values: ["l": .array((1...3).map { ["a": .integer($0)] })])
    )
    for number in 1...200 { form.insert("l", at: 0, ["a": .integer(Int64(number))]) }
    form.move("/l/#2", to: 0)
    form.change("/l/#3/a", 7)
    #expect(form["/outputs/last"] == 7)
    #expect(form.order("l").first == "2" && form.order("l").suffix(2) == ["1", "3"])
    form.remove("/l/#1")
    #expect(form.order("l").suffix(2) == ["4", "3"])
  }

  @Test func `a session with an error of a keyword is freed`() throws {
    weak var session: Session?
    do {
      let form = try SessionDriver(
        text: """
          {"schema": {"properties": {"a": {}, "b": {}, "l": {"type": "array", "uniqueItems": true, "items": {"properties": {"x": {}}, "anyOf": [{"required": ["y"]}]}}},
             "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}}
          """,
        options: OpenOptions(values: ["l": [["x": 1], ["x": 1]]])
      )
      #expect(!form.isValid && form.codes("l") == ["uniqueItems"])
      session = form.session
    }
    #expect(session == nil)
  }

  @Test func `a row that changed and changed back is told when it changes again`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"properties": {"l": {"type": "array", "items": {"properties": {"a": {"maxLength": 3}}}}}}}"#,
      options: OpenOptions(values: ["l": [["a": "x"]]])
    )
    form.change(["/l/#1/a": "y", "/l/0/a": "x"])
    form.change("/l/#1/a", "too long")
    #expect(form["/fields/l/rows/1/isValid"] == false)
  }

  @Test func `texts of rows in another language are told`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"items": {"type": "array", "items": {"properties": {"a": {"type": "string"}}}}}},
         "rules": [{"id": "r", "field": "/items/*/a", "when": "form.locale == 'en'", "check": "false", "severity": "warning",
           "message": {"en": "no", "ko": "nee"}}, {"id": "s", "field": "/items/*/a", "check": "false", "message": {"en": "never", "ko": "nooit"}}]}
        """,
      options: OpenOptions(locale: "en", values: ["items": [["a": "x"]]], show: .always)
    )
    #expect(form.codes("/items/#1/a") == ["s", "r"] && form["/messages"] == ["/items/#1/a": "never"])
    form.apply(.setLocale("ko"))
    #expect(form.codes("/items/#1/a") == ["s"] && form["/messages"] == ["/items/#1/a": "nooit"])
  }

  @Test func `what a list began with counts as long as it is kept`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"properties": {"l": {"type": "array", "items": {"type": "string"}}}}}"#,
      options: OpenOptions(values: ["l": [.string(String(repeating: "x", count: 10_000))]])
    )
    form.change("l", [])
    #expect(form.session.valueBytes > 10_000)
    form.reset()
    #expect(form.session.valueBytes > 20_000)
  }

  @Test func `a reset while a row is edited leaves nobody editing`() throws {
    let form = try SessionDriver(
      text:
        #"{"schema": {"properties": {"items": {"type": "array", "minItems": 2, "items": {"properties": {"a": {}}}}}}}"#
    )
    form.insert("items", [:])
    form.focus("/items/0/a")
    form.reset()
    form.insert("items", [:], [:])
    form.change("/items/0/a", "x")
    form.blur("/items/0/a")
    form.remove("/items/1")
    #expect(form["/messages/items"] != nil)
  }

  @Test(arguments: ["*", "nothing", "lines"])
  func `a key is a member of the row that holds no others`(_ key: String) throws {
    let compilation = Form.compile(
      try JSON(
        parsing:
          #"{"form": "t", "schema": {"properties": {"p": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "q": {"type": "array", "items": {"properties": {"lines": {"type": "array", "items": {}}, "a": {}}}}}}, "fields": {"p": {"key": "\#(key)"}}}"#
      )
    )
    #expect(compilation.form == nil && compilation.diagnostics.contains { $0.code == "unknownField" })
  }
}
