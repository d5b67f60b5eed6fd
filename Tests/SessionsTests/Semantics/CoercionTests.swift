import Forms
import JSON
import Sessions
import Testing

/// How `coerce` reads texts.
@Suite struct `Coercion` {
  private static let definition: JSON = [
    "coerce": true,
    "schema": [
      "properties": [
        "whole": ["type": "integer", "maximum": 1000], "number": ["type": ["number", "null"]],
        "truth": ["type": "boolean"], "text": ["type": "string", "maxLength": 9], "any": [:],
        "either": ["type": ["integer", "string"]],
        "kept": ["type": "integer"], "exact": ["type": "integer"],
      ]
    ],
    "fields": ["kept": ["emptyAs": "keep"], "exact": ["coerce": false]],
    "outputs": ["double": "values.number * 2.0", "next": "values.whole + 1", "is": "values.truth"],
  ]

  @Test(
    arguments: [
      ("0", 0), ("5", 5), ("-5", -5), ("007", 7), ("1e3", 1000), ("1E+3", 1000), ("5.0", 5), ("50e-1", 5), (" 7 ", 7),
      ("\u{3000}7\n", 7), ("-0", 0), ("-0.0", 0), ("0e99", 0), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)), ("9007199254740993", 9_007_199_254_740_993),
      ("9007199254740993.0", 9_007_199_254_740_993), ("0.9007199254740993e16", 9_007_199_254_740_993),
      ("1e18", .integer(1_000_000_000_000_000_000)), ("1e19", .real(1e19)),
      ("123456789012345e9", .real(123456789012345e9)),
      ("5.5", .real(5.5)), (".5", .real(0.5)), ("-.5", .real(-0.5)), ("1e-3", .real(0.001)),
      ("0.1234567890123456789", .real(0.1234567890123456789)), ("1e308", .real(1e308)),
    ] as [(String, JSON)]
  )
  func `a text that writes a number is read as one`(_ text: String, _ expected: JSON) throws {
    let form = try SessionDriver(Self.definition)
    for field in ["whole", "number"] {
      form.change(field, .string(text))
      #expect(form.values[field].map { $0.isIdentical(to: expected) } ?? false, "\(form.values)")
    }
    #expect(form.codes("number").isEmpty)
  }

  @Test(arguments: [
    "five", "1,000", "1.000,5", "5.", ".", "-", "+5", "- 5", "5 5", "0x10", "1e", "1e+", "e5", "1e1.5", "NaN", "inf",
    "Infinity", "1e309", "1_000", "٣", "5\u{301}", "12345678901234567890", "9223372036854775808",
    "1234567890123456e9", "1e99999999999999999999", "5\0", "12345678901234567.5", "0.99999999999999999999",
    "5.0000000000000000001", "1e-400", "-1e-400", String(repeating: "1", count: 101),
  ])
  func `a text that cannot be read as a number stays one and is a wrong type`(_ text: String) throws {
    let form = try SessionDriver(Self.definition)
    form.change(["whole": .string(text), "number": .string(text)])
    #expect(form.values == ["whole": .string(text), "number": .string(text)])
    #expect(form.codes("whole") == ["type"] && form.codes("number") == ["type"])
    #expect(form["/outputs/next"] == nil && form["/outputs/double"] == nil)
  }

  @Test func `a fraction in a field of whole numbers is read and the schema judges it`() throws {
    let form = try SessionDriver(Self.definition)
    form.change("whole", "5.5")
    #expect(form.values == ["whole": 5.5] && form.codes("whole") == ["type"])
    #expect(form["/fields/whole/errors/0/message"] == "Enter a whole number.")
    form.change("whole", "1e30")
    #expect(form.codes("whole") == ["maximum"])
  }

  @Test(
    arguments: [
      ("true", true), ("on", true), ("false", false), ("off", false), (" on\n", true), ("yes", "yes"), ("1", "1"),
      ("TRUE", "TRUE"),
    ] as [(String, JSON)]
  )
  func `a text is read as a Boolean`(_ text: String, _ expected: JSON) throws {
    let form = try SessionDriver(Self.definition)
    form.change("truth", .string(text))
    #expect(form.values == ["truth": expected])
    #expect(form.codes("truth") == (expected.boolValue == nil ? ["type"] : []))
    #expect(form["/outputs/is"] == .bool(expected == true))
  }

  @Test func `nothing but white space is empty`() throws {
    let form = try SessionDriver(Self.definition)
    form.change(["whole": " ", "truth": "", "kept": " "])
    #expect(form.values == ["kept": " "])
    #expect(form.codes("kept") == ["type"])
  }

  @Test func `only texts are read, and only where the schema asks for a number or a truth`() throws {
    let form = try SessionDriver(Self.definition)
    form.change(["whole": true, "number": .null, "truth": 1, "text": 5, "any": "5", "either": "5", "exact": "5"])
    #expect(
      form.values == ["whole": true, "number": .null, "truth": 1, "text": 5, "any": "5", "either": "5", "exact": "5"]
    )
    form.change("text", "5")
    #expect(form.values["text"] == "5")
  }

  @Test func `a text that is read as the value that stands is no edit`() throws {
    let form = try SessionDriver(Self.definition, options: OpenOptions(values: ["whole": "5"]))
    #expect(form.values == ["whole": 5])
    form.change("whole", "5.0")
    #expect(form.patches.isEmpty && form["/isDirty"] == false)
    form.change("whole", "6")
    #expect(form["/outputs/next"] == 7 && form.told.values.isEmpty)
  }

  @Test(arguments: [("en", "Enter a number."), ("ko", "숫자를 입력해 주세요."), ("fi", "Enter a number.")])
  func `what cannot be read is said in words for people`(_ locale: String, _ message: String) throws {
    let form = try SessionDriver(Self.definition, options: OpenOptions(locale: locale))
    form.change("number", "five")
    #expect(form["/fields/number/errors/0/message"] == .string(message))
    #expect(form["/fields/number/errors/0/params/expected"] == ["null", "number"])
    // A field that does not read texts reports the schema's error.
    form.change("exact", "five")
    #expect(form["/fields/exact/errors/0/message"] != nil)
    #expect(form["/fields/exact/errors/0/message"] != .string(message))
  }

  @Test func `a form's own text for a wrong type comes first`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"n": {"type": "number"}}}, "fields": {"n": {"coerce": true, "messages": {"type": "How many?"}}}}
        """
    )
    form.change("n", "x")
    #expect(form["/fields/n/errors/0/message"] == "How many?")
  }

  @Test func `texts are read at every depth, in rows, in whole values, defaults and initial values`() throws {
    let form = try SessionDriver(
      text: """
        {"coerce": true, "schema": {"properties": {
           "box": {"type": "object", "properties": {"n": {"type": "integer", "default": "3"}}},
           "list": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}, "on": {"type": "boolean"}}}},
           "plain": {"type": "array", "items": {"type": "integer"}}}},
         "fields": {"list": {"key": "n"}}}
        """,
      options: OpenOptions(values: ["list": [["n": "1", "on": "off"]], "plain": ["1", "x"]])
    )
    #expect(form.values == ["box": ["n": 3], "list": [["n": 1, "on": false]], "plain": [1, "x"]])
    #expect(form["/isDirty"] == false)
    form.change(["/box": ["n": "4"], "/list/0/n": "1.5", "/plain/1": "2"])
    form.insert("list", ["n": " 7 "])
    form.insert("plain", "8")
    #expect(
      form.values == ["box": ["n": 4], "list": [["n": 1.5, "on": false], ["n": 7]], "plain": [1, 2, 8]]
    )
    // The key of a row is compared after it is read.
    form.change(["list": [["n": "7", "on": "on"], ["n": "1.50"]]])
    #expect(form.values["list"] == [["n": 7, "on": true], ["n": 1.5]])
    #expect(form.order("list") == ["4", "1"])
  }

  @Test func `what a text that is read will take is told before`() throws {
    let form = try SessionDriver(Self.definition)
    form.change(["whole": "5", "number": "five"])
    let forecast = form.session.valueBytes(after: .set(field: 0, to: "1e2"), at: form.now)
    form.change("whole", "1e2")
    #expect(form.session.valueBytes == forecast)
  }
}
