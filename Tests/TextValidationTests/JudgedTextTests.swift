import DataLanguages
import Forms
import JSON
internal import SourceTexts
import Testing
import TextValidation

/// A form with rows, alternatives, a default, and a member that only its rule judges.
private func form() throws -> Form {
  let definition = #"""
    {"form": "t", "locale": "en", "messages": {"minLength": "{label} needs {limit} letters."},
     "schema": {"type": "object", "required": ["name", "address"], "additionalProperties": false, "properties": {
       "name": {"type": "string", "minLength": 2},
       "port": {"type": "integer", "minimum": 1024, "default": 1},
       "debug": {"type": "boolean"},
       "address": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}, "street": {"type": "string"}}},
       "items": {"type": "array", "items": {"type": "object", "required": ["sku"], "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}}}},
       "contact": {"anyOf": [{"type": "object", "required": ["mail"], "properties": {"kind": {"const": 1}}}, {"type": "object", "required": ["phone"], "properties": {"kind": {"const": 1}}}]}}},
     "rules": [{"id": "r", "field": "name", "check": "values.name != 'root'", "message": {"en": "Not root.", "ko": "안 됩니다."}}]}
    """#
  let compilation = Form.compile(Array(definition.utf8))
  return try #require(compilation.form, "\(compilation.diagnostics)")
}

/// An error in few words: its location in the values, its code, the text of its range, and the text of its name.
private func told(_ error: TextError, _ text: ScannedText) -> String {
  func written(_ range: Range<Int>) -> String { String(decoding: text.source.bytes[range], as: UTF8.self) }
  return "\(error.pointer) \(error.code) \(written(error.range))" + (error.keyRange.map { " [\(written($0))]" } ?? "")
    + (error.fix.map { " -> \($0.text)" } ?? "")
}

private func judge(
  _ source: String,
  _ language: DataLanguage = .json,
  locale: String? = nil,
  appliesDefaults: Bool = true,
  errorsMax: Int = .max
) throws -> (TextVerdict, [String]) {
  let text = ScannedText(SourceText(source), language: language)
  let verdict = try form().judge(
    text,
    language: language,
    locale: locale,
    appliesDefaults: appliesDefaults,
    errorsMax: errorsMax
  )
  return (verdict, verdict.errors.map { told($0, text) })
}

@Suite struct `A form's judgement of a text` {
  @Test(arguments: [DataLanguage.json, .yaml])
  func `passes over what names the form or the schema, unless the form has such a field`(_ language: DataLanguage)
    throws
  {
    let source = #"{"$form": "t", "$schema": 7, "name": "ab", "port": 2000, "address": {"city": "x", "$form": "t"}}"#
    let (verdict, errors) = try judge(source, language)
    #expect(verdict.isValid && errors.isEmpty, "\(errors)")
    let definition = #"{"form": "t", "schema": {"type": "object", "properties": {"$schema": {"type": "string"}}}}"#
    let own = try #require(Form.compile(Array(definition.utf8)).form)
    let text = ScannedText(SourceText(source), language: language)
    #expect(own.judge(text, language: language).errors.map(\.code) == ["type"])
  }

  @Test func `has the ranges of values and of names`() throws {
    let (verdict, errors) = try judge(
      #"{"name": "é", "port": 80, "address": {"city": 7}, "items": [{"sku": "a"}, {"count": 1.5}]}"#
    )
    #expect(!verdict.isValid && !verdict.isTruncated)
    #expect(
      Set(errors) == [
        #"/name minLength "é" ["name"]"#, #"/port minimum 80 ["port"]"#, #"/address/city type 7 ["city"]"#,
        #"/items/1/sku required {"#, #"/items/1/count type 1.5 ["count"]"#,
      ]
    )
  }

  @Test func `has the name of the object for a missing member`() throws {
    let (_, errors) = try judge(#"{"name": "kim", "address": {}, "port": 2000}"#)
    #expect(errors == [#"/address/city required "address" ["address"]"#])
    let (_, top) = try judge(#"{"port": 2000, "address": {"city": "x"}}"#)
    #expect(top == ["/name required {"])
  }

  @Test func `says the words in the language that is asked for`() throws {
    let (verdict, errors) = try judge(#"{"name": "root", "address": {"city": "x"}, "port": 2000}"#, locale: "ko")
    #expect(errors == [#"/name r "root" ["name"]"#] && verdict.errors.first?.message == "안 됩니다.")
  }

  @Test func `has the form's texts with labels`() throws {
    let (verdict, _) = try judge(#"{"name": "a", "address": {"city": "x"}, "port": 2000}"#)
    #expect(verdict.errors.map(\.message) == ["name needs 2 letters."])
  }

  @Test func `knows the name that was meant`() throws {
    let (verdict, errors) = try judge(
      #"{"nmae": "kim", "address": {"city": "x", "sreet": "y"}, "items": [{"sku": "a", "cuont": 2}], "port": 2000}"#
    )
    #expect(!verdict.isValid)
    #expect(
      Set(errors) == [
        #"/name required {"#, #"/nmae additionalProperties "nmae" ["nmae"] -> "name""#,
        #"/address/sreet unknownName "sreet" ["sreet"] -> "street""#,
        #"/items/0/cuont unknownName "cuont" ["cuont"] -> "count""#,
      ]
    )
    #expect(verdict.errors.filter(\.isWarning).map(\.code) == ["unknownName", "unknownName"])
  }

  @Test func `says why the closest alternative does not hold`() throws {
    let (verdict, errors) = try judge(
      #"{"name": "kim", "address": {"city": "x"}, "port": 2000, "contact": {"kind": 2}}"#
    )
    #expect(errors.count == 1 && errors[0].hasPrefix(#"/contact anyOf {"kind": 2} ["contact"]"#))
    let causes = try #require(verdict.errors.first?.causes)
    #expect(
      Set(causes.map { "\($0.pointer) \($0.code)" }).isSubset(of: [
        "/contact/mail required", "/contact/phone required", "/contact/kind const",
      ])
    )
    #expect(!causes.isEmpty && causes.allSatisfy { !$0.range.isEmpty })
  }

  @Test func `lets defaults stand in, or not`() throws {
    let source = #"{"name": "kim", "address": {"city": "x"}}"#
    #expect(try judge(source).1 == ["/port minimum {"])
    let (ignoring, errors) = try judge(source, appliesDefaults: false)
    #expect(errors.isEmpty && ignoring.isValid)
  }

  @Test func `tells no more than is asked for`() throws {
    let (verdict, errors) = try judge("{}", errorsMax: 1)
    #expect(errors.count == 1 && verdict.isTruncated && !verdict.isValid)
    #expect(try !judge(#"{"name": "kim", "address": {"city": "x"}, "port": 80}"#, errorsMax: 1).0.isTruncated)
  }
}

@Suite struct `A broken text` {
  @Test(
    arguments: [
      (#"{"name": "root", "address": {"city": }, "port": 2000}"#, ["missingValue", "r"]),
      (#"{"name": "root" "address": {"city": "x"}, "port": 2000}"#, ["missingComma", "r"]),
      (#"{"name": "root", "por"#, ["unclosed", "r"]),
      (#"{"na"#, ["unclosed"]), ("", ["missingValue"]), ("[1]", ["type"]), ("5", ["type"]),
      ("{\"name\": \"root\"}}", ["trailing", "r"]),
    ]
  )
  func `is judged as far as it can be read`(_ source: String, _ codes: [String]) throws {
    let (verdict, _) = try judge(source)
    #expect(!verdict.isValid)
    let found = verdict.errors.map(\.code)
    #expect(Set(codes).isSubset(of: found) && found.first == codes.first)
    #expect(!found.contains("required"))
  }

  /// A value that is being typed, and the errors once it is complete.
  @Test(arguments: [(#"{"port": 102"#, "}", "minimum"), (#"{"name": "a"#, "\"}", "minLength")])
  func `is not judged by a value that ends with it`(_ typed: String, _ end: String, _ code: String) throws {
    #expect(try judge(typed).0.errors.map(\.code) == ["unclosed"])
    #expect(try judge(typed + end).0.errors.map(\.code).contains(code))
  }

  @Test func `has the fix of its slip`() throws {
    let (verdict, _) = try judge(#"{"name": "kim" "address": {"city": "x"}, "port": 2000}"#)
    #expect(verdict.errors.map(\.fix) == [TextError.Fix(range: 14..<14, text: ",")])
  }
}

@Suite struct `A line of YAML that cannot be read` {
  private func form() throws -> Form {
    let definition = #"""
      {"form": "t", "locale": "en",
       "schema": {"type": "object", "required": ["name", "port"], "additionalProperties": false, "properties": {
         "name": {"type": "string", "minLength": 2}, "repeat": {"type": "string"}, "kind": {"type": "string"},
         "port": {"type": "integer", "minimum": 1024},
         "address": {"type": "object", "required": ["city"], "additionalProperties": false, "properties": {
           "city": {"type": "string"}, "street": {"type": "string", "maxLength": 5}}},
         "place": {"type": "object", "required": ["city"], "properties": {
           "city": {"type": "string"}, "street": {"type": "string"}}},
         "tags": {"type": "array", "minItems": 2, "items": {"type": "string"}},
         "items": {"type": "array", "minItems": 2, "items": {"type": "object", "required": ["sku"], "properties": {
           "sku": {"type": "string"}, "count": {"type": "integer", "maximum": 5}}}}},
         "if": {"properties": {"kind": {"const": "a"}}}, "then": {"properties": {"repeat": {"minLength": 8}}}},
       "fields": {"port": {"required": "values.kind != 'b'"}},
       "rules": [{"id": "same", "field": "name", "check": "values.name == values.repeat", "message": "Not the same."},
         {"id": "sum", "check": "outputs.total >= 3", "message": "Too few."},
         {"id": "short", "field": "/items/*/sku", "check": "size(self) < 3", "message": "Too long."}],
       "outputs": {"total": "values.items.map(i, i.count).sum()"}}
      """#
    let compilation = Form.compile(Array(definition.utf8))
    return try #require(compilation.form, "\(compilation.diagnostics)")
  }

  private static let whole = "name: kim\nrepeat: kim\nkind: b\nport: 80\n"

  @Test(
    arguments: [
      // What the line would have said is not missed: a member, a row, a value that rules and the schema read.
      ("name: kim\nrepeat kim\n", ["syntax"]),
      ("name: kim\nkind 'b\nrepeat: kim\nport: 2000\n", ["syntax"]),
      ("address:\n  street: 'x'\n  city 'y\n" + whole, ["syntax", "minimum /port"]),
      ("address:\n  city: [y\n" + whole, ["syntax", "minimum /port"]),
      ("address: [\n  city: y\n" + whole, ["syntax"]),
      ("tags:\n- a\n- 'b\n" + whole, ["syntax", "minimum /port"]),
      ("tags:\n- [a\n" + whole, ["syntax", "minimum /port"]),
      ("tags:\n  - {a\n" + whole, ["syntax", "minimum /port"]),
      ("items:\n- sku: A\n  count: 9\n- sku: 'B\n" + whole, ["syntax", "maximum /items/0/count", "minimum /port"]),
      ("items:\n- sku: A\n- count: 'x\n" + whole, ["syntax", "minimum /port"]),
      ("items:\n- sku: 'A'\n  count 'x\n- sku: B\n" + whole, ["syntax", "minimum /port"]),
      ("items:\n- sku: 'A'\n  [b\n- count: 1\n" + whole, ["syntax", "required /items/1/sku", "minimum /port"]),
      // Values below the line may belong into it, and not where they are found.
      ("items:\n- sku: A\n- sku: 'B\n  count: 9\n" + whole, ["syntax", "minimum /port"]),
      ("address:\n  street: x\nother: 'y\n  town: z\n" + whole, ["syntax", "minimum /port"]),
      // What can be read is judged.
      ("place:\n  street: [7]\n  city 'y\n" + whole, ["type /place/street", "syntax", "minimum /port"]),
      ("adress:\n  city: x\n" + whole + "tags ['\n", ["syntax", "additionalProperties /adress", "minimum /port"]),
      ("items:\n- sku: ABC\n- sku: [\n" + whole, ["syntax", "short /items/0/sku", "minimum /port"]),
    ]
  )
  func `explains the errors that it may cause`(_ source: String, _ expected: [String]) throws {
    let text = ScannedText(SourceText(source), language: .yaml)
    let verdict = try form().judge(text, language: .yaml)
    let told = verdict.errors.map {
      $0.source == nil ? $0.code : "\($0.code) \($0.pointer.tokens.isEmpty ? "/" : "\($0.pointer)")"
    }
    #expect(Set(told) == Set(expected), "\(source)")
    #expect(!verdict.isValid)
  }

  @Test func `of a text without such a line nothing is left out`() throws {
    let text = ScannedText(SourceText(Self.whole + "items:\n- count: 9\ntags: [a]\naddress: {}\n"), language: .yaml)
    let codes = try form().judge(text, language: .yaml).errors.map(\.code).sorted()
    #expect(codes == ["maximum", "minItems", "minItems", "minimum", "required", "required"])
  }

  @Test func `is as in JSON: no rule speaks of a value that could not be read`() throws {
    for source in [
      #"{"name": "kim", "repeat": , "port": 2000, "items": [{"sku": "A", "count": 3}, {"sku": "B"}]}"#,
      #"{"name": "kim", "port": 2000, "items": [{"sku": "A", "count": 3}, {"sku": "B"}], "rep"#,
    ] {
      let text = ScannedText(SourceText(source), language: .json)
      #expect(try form().judge(text, language: .json).errors.allSatisfy { $0.source == nil }, "\(source)")
    }
  }
}

@Suite struct `Texts of other languages` {
  @Test func `are judged where they stand: YAML`() throws {
    let (verdict, errors) = try judge("name: é\nport: 80 # low\naddress:\n  sreet: y\nitems:\n- cuont: x\n", .yaml)
    #expect(!verdict.isValid)
    #expect(
      Set(errors) == [
        "/name minLength é [name]", "/port minimum 80 [port]", "/address/city required address [address]",
        "/address/sreet unknownName sreet [sreet] -> street", "/items/0/sku required c",
        "/items/0/cuont unknownName cuont [cuont] -> count",
      ]
    )
    let nothing = try judge("# nothing\n", .yaml).0.errors.map(\.code)
    #expect(nothing == ["required", "minimum", "required"] || Set(nothing) == ["required", "minimum"])
  }

  @Test(arguments: [
    ("code: 8000", "/code type 8000 [code] -> \"8000\""), ("code: 0800", "/code type 0800 [code] -> \"0800\""),
    ("code: 1.10", "/code type 1.10 [code] -> \"1.10\""), ("code: true", "/code type true [code] -> \"true\""),
    ("code: 0x1F", "/code type 0x1F [code] -> \"0x1F\""),
    ("kind: 1.0", "/kind enum 1.0 [kind] -> \"1.0\""), ("kind: 2.0", "/kind enum 2.0 [kind]"),
    ("rows:\n- {code: 8000}", "/rows/0/code type 8000 [code] -> \"8000\""), ("tags: [a, 7]", "/tags/1 type 7 -> \"7\""),
    ("n: x", "/n type x [n]"), ("code: [8000]", "/code type [8000] [code]"),
    ("code: !!int 8000", "/code type !!int 8000 [code]"),
    ("code: &a 8000", "/code type &a 8000 [code]"), ("pin: 1234", "/pin type 1234 [pin]"),
  ])
  func `a word that YAML reads as no text is told to stand in quotes where a text is wanted`(
    _ source: String,
    _ expected: String
  ) throws {
    let definition = #"""
      {"form": "t", "locale": "en", "schema": {"type": "object", "properties": {
         "code": {"type": "string", "maxLength": 9}, "kind": {"enum": ["1.0", "1.1"]}, "n": {"type": "integer"},
         "pin": {"type": "string", "maxLength": 9, "writeOnly": true}, "tags": {"type": "array", "items": {"type": "string"}},
         "rows": {"type": "array", "items": {"properties": {"code": {"type": "string"}}}}}}}
      """#
    let form = try #require(Form.compile(Array(definition.utf8)).form)
    let text = ScannedText(SourceText(source), language: .yaml)
    let errors = form.judge(text, language: .yaml).errors
    #expect(errors.map { told($0, text) } == [expected])
    #expect(
      errors.allSatisfy { $0.message.contains("In YAML, write it in quotes: \"") == ($0.fix != nil) },
      "\(errors)"
    )
    #expect(!form.judge(text, language: .yaml, locale: "ko").errors.contains { $0.message.contains("In YAML") })
    for error in errors {
      guard let fix = error.fix else { continue }
      var bytes = Array(source.utf8)
      bytes.replaceSubrange(fix.range, with: fix.text.utf8)
      #expect(form.judge(ScannedText(SourceText(bytes), language: .yaml), language: .yaml).isValid)
    }
  }

  @Test func `are judged where they stand: an environment, whose texts are numbers and truths, too`() throws {
    let source = "name=kim\nport=80\ndebug=on\n"
    let (_, errors) = try judge(source, .env)
    #expect(Set(errors) == ["/port minimum 80 [port]", "/address/city required n"])
    #expect(try judge("name=kim\nport=x\ndebug=maybe\n", .env).1.contains("/debug type maybe [debug]"))
    #expect(try judge("nmae=kim\n", .env).1.contains("/nmae additionalProperties nmae [nmae] -> name"))
  }

  @Test func `are judged where they stand: JSON with comments`() throws {
    let source = "{ // why\n \"name\": \"kim\", \"address\": {\"city\": \"x\",}, \"port\": 2000,}"
    #expect(try judge(source, .jsonc).0.isValid)
    #expect(try !judge(source, .json).0.isValid)
  }
}

@Suite struct `A broken text of a form with secrets` {
  private static let secret = "hunter2"

  private func verdict(_ source: [UInt8], _ language: DataLanguage, of form: Form) -> TextVerdict {
    let text = ScannedText(SourceText(source), language: language)
    return form.judge(text, language: language, locale: "en")
  }

  /// A form with a secret, with names of its own only or with any.
  private func form(isOpen: Bool) throws -> Form {
    let definition = """
      {"form": "t", "schema": {"type": "object", "additionalProperties": \(isOpen), "properties": {
        "email": {"type": "string", "maxLength": 2}, "age": {"type": "integer"},
        "password": {"type": "string", "maxLength": 3, "writeOnly": true}}}}
      """
    return try #require(Form.compile(Array(definition.utf8)).form)
  }

  @Test(
    arguments: [
      (#"{"password": hunter2}"#, DataLanguage.json), (#"{"password": 'hunter2'}"#, .json),
      (#"{"password": "hunter2}"#, .json), (#"{"password": hunter2", "age": 1}"#, .json),
      (#"{"password": my hunter2: 1}"#, .json), (#"{"password": a, hunter2: 1, hunter2: 2}"#, .json),
      (#"{"password": -hunter2}"#, .json), (#"{"password": "a"hunter2"}"#, .json), ("hunter2", .json),
      ("password: *hunter2\n", .yaml), ("password: !hunter2 a\n", .yaml), ("password: \"hunter2\n", .yaml),
      ("password: a\nhunter2: 1\nhunter2: 2\n", .yaml), ("password='hunter2\n", .env),
      ("password='a'hunter2\n", .env), ("password=a\nhunter2=1\nhunter2=2\n", .env),
    ]
  )
  func `has no text of the input in what is said of it`(_ source: String, _ language: DataLanguage) throws {
    for form in [try form(isOpen: true), try form(isOpen: false)] {
      let verdict = verdict(Array(source.utf8), language, of: form)
      #expect(!verdict.isValid && !verdict.errors.isEmpty)
      #expect(!"\(verdict.errors)".contains(Self.secret), "\(verdict.errors)")
    }
  }

  @Test(arguments: [
    (#"{"email": "kim", "password": "hunter2", "age": 5}"#, DataLanguage.json),
    ("email: kim\npassword: \"hunter2\"\nage: 5\n", .yaml), ("email=kim\npassword='hunter2'\nage=5\n", .env),
  ])
  func `has none wherever a character is missing or too much`(_ source: String, _ language: DataLanguage) throws {
    let form = try form(isOpen: false)
    let bytes = Array(source.utf8)
    for position in bytes.indices {
      var texts = [Array(bytes[..<position])]
      texts.append(Array(bytes[..<position] + bytes[(position + 1)...]))
      for byte in Array(##"'":,{}[]\#*&!- x0"##.utf8) + [10] {
        texts.append(Array(bytes[..<position] + [byte] + bytes[position...]))
      }
      for text in texts {
        let found = ScannedText(SourceText(text), language: language)
        guard found.problemCount > 0 else { continue }
        let errors = verdict(text, language, of: form).errors
        let words = "\(errors)"
        let written = String(decoding: text, as: UTF8.self)
        #expect(!words.contains("hunter") && !words.contains("unter2"), "\(written): \(words)")
      }
    }
  }

  @Test func `keeps the corrections that have no text of the input`() throws {
    let errors = verdict(Array(#"{"age": 1 "password": hunter2}"#.utf8), .json, of: try form(isOpen: true)).errors
    #expect(errors.map(\.code) == ["missingComma", "unknownWord"])
    #expect(errors.map(\.fix) == [TextError.Fix(range: 9..<9, text: ","), nil])
  }
}
