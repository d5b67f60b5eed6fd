import JSON
import JSONSchema
import Testing

/// Failures as data: locations, parameters, texts.
@Suite struct FailureTests {
  private func failures(_ schema: JSON, _ instance: JSON, format: Bool = false) throws -> [Failure] {
    try Schema.compile(schema, options: CompileOptions(assertsFormat: format)).failures(of: instance)
  }

  @Test func `a failure names the keyword and all three places`() throws {
    let schema: JSON = [
      "$id": "https://example.com/order", "properties": ["a/b": ["$ref": "#/$defs/short"]],
      "$defs": ["short": ["maxLength": 3]],
    ]
    let failure = try #require(try failures(schema, ["a/b": "abcd"]).first)
    #expect(failure.keyword == .maxLength)
    #expect(failure.kind == .invalid)
    #expect(failure.instanceLocation.tokens == ["a/b"])
    #expect(failure.keywordLocation.description == "/properties/a~1b/$ref/maxLength")
    #expect(failure.absoluteKeywordLocation == "https://example.com/order#/$defs/short/maxLength")
    #expect(failure.parameters == .count(limit: 3, actual: 4))
  }

  @Test func `failures stand in the order in which the keywords were written`() throws {
    let one = try failures(["pattern": "x", "minLength": 9, "enum": ["xx"]], "y")
    #expect(one.map(\.keyword) == [.pattern, .minLength, .enum])
    let other = try failures(["enum": ["xx"], "minLength": 9, "pattern": "x"], "y")
    #expect(other.map(\.keyword) == [.enum, .minLength, .pattern])
  }

  @Test(
    arguments: [
      (["required": ["x"]], [:], #"{"missing":"x"}"#, #""x" is required."#, #"필수 항목이 없습니다: "x"."#),
      (
        ["dependentRequired": ["a": ["b"]]], ["a": 1], #"{"property":"a","missing":"b"}"#,
        #""b" is required when "a" is given."#, #""a" 항목이 있으면 "b" 항목이 필수입니다."#
      ),
      (
        ["minLength": 8], "abc", #"{"limit":8,"actual":3}"#, "This must have at least 8 characters.",
        "8자 이상 입력해주세요."
      ),
      (["maxLength": 1], "abc", #"{"limit":1,"actual":3}"#, "This may have at most 1 character.", "1자 이하로 입력해주세요."),
      (
        ["type": ["string", "null"]], 1, #"{"expected":["null","string"],"actual":"integer"}"#,
        "This must be null or a text.", "다음 형식이어야 합니다: null, 문자열."
      ),
      (["maximum": 10], 11, #"{"limit":10}"#, "This must be at most 10.", "10 이하여야 합니다."),
      (
        ["enum": ["a", "b"]], "c", #"{"allowed":["a","b"]}"#, #"This must be "a" or "b"."#,
        #"다음 중 하나여야 합니다: "a", "b"."#
      ),
      (["const": 1], 2, #"{"allowed":[1]}"#, "This must be 1.", "다음 값이어야 합니다: 1."),
      (
        ["additionalProperties": false], ["x": 1], #"{"property":"x"}"#, #""x" is not expected here."#,
        #"허용되지 않는 항목입니다: "x"."#
      ),
      (
        ["uniqueItems": true], [1, 2, 1.0], #"{"first":0,"second":2}"#,
        "No two items may be equal; items 1 and 3 are.", "같은 항목이 있으면 안 됩니다. 1번째와 3번째 항목이 같습니다."
      ),
      (
        ["oneOf": [true, true]], 1, #"{"matches":[0,1]}"#,
        "This matches more than one of the alternatives that exclude each other: 1 and 2.",
        "서로 배타적인 조건 중 둘 이상에 맞습니다: 1번째, 2번째."
      ),
      (["format": "email"], "x", #"{"format":"email"}"#, "This is not an email address.", "이메일 형식이 아닙니다."),
    ] as [(JSON, JSON, String, String, String)]
  )
  func `parameters and texts`(schema: JSON, instance: JSON, parameters: String, english: String, korean: String) throws
  {
    let found = try failures(schema, instance, format: true)
    #expect(found.map { JSON.object($0.parameters.object).description } == [parameters])
    #expect(found.map { $0.message() } == [english])
    #expect(found.map { $0.message(locale: "ko-KR") } == [korean])
  }

  @Test(
    arguments: [
      (["type": "integer"], "12", #"This must be a whole number, not "12"."#, #"다음 형식이어야 합니다: 정수. 현재 값: "12"."#),
      (["type": "string"], [1], "This must be a text, not a list.", "다음 형식이어야 합니다: 문자열. 현재 값: 목록."),
      (["enum": ["S", "M"]], "L", #"This must be "S" or "M", not "L"."#, #"다음 중 하나여야 합니다: "S", "M". 현재 값: "L"."#),
      (
        ["enum": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]], 0, "This must be 1, 2, 3, 4, 5, 6, 7, 8 or one of 2 more, not 0.",
        "다음 중 하나여야 합니다: 1, 2, 3, 4, 5, 6, 7, 8 외 2개. 현재 값: 0."
      ),
      (["pattern": "^A"], "b", #""b" does not match the pattern ^A."#, #"다음 패턴에 맞지 않습니다: ^A 현재 값: "b"."#),
      (["format": "email"], "b", #""b" is not an email address."#, #"이메일 형식이 아닙니다. 현재 값: "b"."#),
      (["minimum": 3], 2, "This must be at least 3, not 2.", "3 이상이어야 합니다. 현재 값: 2."),
      (["minLength": 3], "ab", "This must have at least 3 characters, not 2.", "3자 이상 입력해주세요. 현재 값: 2자."),
      (["maxItems": 1], [1, 2], "This may have at most 1 item, not 2.", "최대 1개까지 가능합니다. 현재 값: 2개."),
      (["minProperties": 1], [:], "This must have at least 1 member, not 0.", "항목이 1개 이상이어야 합니다. 현재 값: 0개."),
      (
        ["contains": ["const": 1]], [2], "At least 1 item must be of the required kind, not 0.",
        "조건에 맞는 항목이 1개 이상이어야 합니다. 현재 값: 0개."
      ),
      (["not": ["const": "x"]], "x", #""x" is excluded by "not"."#, #""not"이 금지하는 값입니다. 현재 값: "x"."#),
      (["items": false], [1], "Item 1 is not expected here.", "허용되지 않는 항목입니다: 1번째."),
      (false, 1, "Nothing is allowed here.", "여기에는 아무 값도 허용되지 않습니다."),
      (
        ["const": "a"], .string(String(repeating: "b", count: 100)),
        #"This must be "a", not ""# + String(repeating: "b", count: 59) + #"…"."#,
        #"다음 값이어야 합니다: "a". 현재 값: ""# + String(repeating: "b", count: 59) + #"…"."#
      ),
    ] as [(JSON, JSON, String, String)]
  )
  func `texts say what was found if that is asked for`(schema: JSON, instance: JSON, english: String, korean: String)
    throws
  {
    let compiled = try Schema.compile(schema, options: CompileOptions(assertsFormat: true))
    let found = compiled.evaluate(instance, telling: .foundValues).failures
    #expect(found.map { $0.message() } == [english])
    #expect(found.map { $0.message(locale: "ko") } == [korean])
    // Every text names what it is about in the standard's formats, too.
    let output = compiled.evaluate(instance, telling: .foundValues).output(.basic)
    #expect(output["errors"]?.arrayValue?.first?["error"]?.stringValue == english)
  }

  @Test(
    arguments: [
      (["required": ["x"]], [:], "This is required.", "필수 항목입니다."),
      (["dependentRequired": ["a": ["b"]]], ["a": 1], "This is required when a is given.", "a 항목이 있으면 필수입니다."),
      (["pattern": "^A"], "b", "This does not have the required form.", "형식이 올바르지 않습니다."),
      (
        ["enum": [1, 2, 3, 4, 5, 6, 7, 8, 9]], 0, "This must be one of the allowed values.", "허용된 값 중 하나여야 합니다."
      ),
      (["minLength": 3], "ab", "This must have at least 3 characters.", "3자 이상 입력해주세요."),
      (["not": true], 1, "This is not allowed.", "허용되지 않는 값입니다."),
    ] as [(JSON, JSON, String, String)]
  )
  func `a text beside the value names nothing that stands there`(
    schema: JSON,
    instance: JSON,
    english: String,
    korean: String
  ) throws {
    let found = try failures(schema, instance)
    #expect(found.map { $0.messageBesideValue() } == [english])
    #expect(found.map { $0.messageBesideValue(locale: "ko-KR") } == [korean])
  }

  @Test(
    arguments: [
      (
        "de", ["enum": ["S", "M"]], "L", #"Erwartet wird "S" oder "M". Gefunden: "L"."#, #"Erwartet wird "S" oder "M"."#
      ),
      (
        "de-CH", ["type": ["integer", "null"]], [1], "Erwartet wird null oder eine ganze Zahl. Gefunden: eine Liste.",
        nil
      ),
      ("fr", ["maxLength": 1], "ab", "Saisissez au plus 1 caractère. Valeur trouvée\u{A0}: 2 caractères.", nil),
      ("es", ["minItems": 2], [1], "La lista debe tener al menos 2 elementos. Valor actual: 1 en total.", nil),
      ("pt-BR", ["format": "email"], "x", #"O valor não é um endereço de e-mail válido. Valor atual: "x"."#, nil),
      (
        "it", ["pattern": "^A"], "b", #"Il valore non corrisponde al modello ^A. Valore attuale: "b"."#,
        "Il formato non è corretto."
      ),
      ("ja", ["enum": [1, 2, 3]], 9, "1、2または3のいずれかでなければなりません。現在の値：9。", "1、2または3のいずれかでなければなりません。"),
      ("ja", ["minLength": 3], "ab", "3文字以上で入力してください。現在の値：2文字。", nil),
      ("zh-Hans", ["oneOf": [true, true]], 1, "同时符合多个互斥的条件：第1个和第2个。", "同时符合多个互斥的条件。"),
      ("zh", ["required": ["x"]], [:], #""x"为必填项。"#, "此项为必填项。"),
    ] as [(String, JSON, JSON, String, String?)]
  )
  func `texts are in the language of the locale`(
    locale: String,
    schema: JSON,
    instance: JSON,
    named: String,
    beside: String?
  ) throws {
    let compiled = try Schema.compile(schema, options: CompileOptions(assertsFormat: true))
    #expect(compiled.evaluate(instance, telling: .foundValues).failures.map { $0.message(locale: locale) } == [named])
    guard let beside else { return }
    #expect(compiled.failures(of: instance).map { $0.messageBesideValue(locale: locale) } == [beside])
  }

  @Test func `what is writeOnly is never found wherever that is written`() throws {
    let schema = try Schema.compile([
      "properties": [
        "pin": ["type": "string", "minLength": 9, "pattern": "^x"],
        "card": ["properties": ["number": ["maxLength": 3]], "required": ["owner"]],
        "keys": ["items": ["writeOnly": true, "maxLength": 2]], "open": ["maxLength": 1],
      ], "if": ["required": ["hidden"]], "then": ["properties": ["pin": ["$ref": "#/$defs/secret"]]],
      "anyOf": [["properties": ["card": ["properties": ["number": ["writeOnly": true]]]]], true],
      "$defs": ["secret": ["writeOnly": true]],
    ])
    let value: JSON = [
      "pin": "hunter2", "card": ["number": "hunter2"], "keys": ["hunter2"], "open": "seen by all",
    ]
    let texts = schema.evaluate(value, telling: [.foundValues, .allAlternatives]).failures.map { $0.message() }
    #expect(texts.count == 6)
    #expect(!texts.contains { $0.contains("hunter2") || $0.contains("7") })
    #expect(texts.contains("This may have at most 1 character, not 11."))
    let whole = try Schema.compile(["writeOnly": true, "maxLength": 1])
    #expect(
      whole.evaluate("hunter2", telling: .foundValues).failures.map { $0.message() } == [
        "This may have at most 1 character."
      ]
    )
  }

  @Test func `lengths count code points`() throws {
    // The same word composed (3) and decomposed (8).
    #expect(try failures(["minLength": 8], "\u{B2C9}\u{B124}\u{C784}").count == 1)
    #expect(try failures(["minLength": 8], "\u{1102}\u{1175}\u{11A8}\u{1102}\u{1166}\u{110B}\u{1175}\u{11B7}").isEmpty)
  }

  @Test func `every keyword has a text in both languages`() {
    for keyword in Keyword.allCases {
      let failure = Failure(
        kind: .invalid,
        keyword: keyword,
        instanceLocation: .root,
        keywordLocation: .root,
        absoluteKeywordLocation: "#",
        parameters: .none,
        causes: []
      )
      #expect(failure.message(locale: "en").hasSuffix("."))
      #expect(failure.message(locale: "ko").unicodeScalars.contains { $0.value >= 0xac00 })
    }
  }

  @Test func `allOf ref then and else are transparent`() throws {
    let schema: JSON = [
      "allOf": [["$ref": "#/$defs/named"]], "if": ["required": ["a"]], "then": ["required": ["b"]],
      "else": ["required": ["c"]], "$defs": ["named": ["required": ["name"]]],
    ]
    #expect(
      try failures(schema, ["a": 1]).map(\.keywordLocation.description) == ["/allOf/0/$ref/required", "/then/required"]
    )
    #expect(
      try failures(schema, [:]).map(\.keywordLocation.description) == ["/allOf/0/$ref/required", "/else/required"]
    )
  }

  @Test(arguments: ["anyOf", "oneOf"])
  func `alternatives report once where they stand with the causes of the closest one inside`(keyword: String) throws {
    let found = try failures([keyword: [["minimum": 7, "multipleOf": 2], ["minimum": 5]]], 3)
    #expect(found.map(\.keyword.rawValue) == [keyword])
    #expect(found.first?.causes.map(\.keywordLocation.description) == ["/\(keyword)/1/minimum"])
  }

  @Test(arguments: ["anyOf", "oneOf"])
  func `of alternatives the one that the value is meant for is reported as it stands`(keyword: String) throws {
    // The only one that admits the type.
    let byType = try failures([keyword: [["type": "string"], ["minimum": 5]]], 3)
    #expect(byType.map(\.keywordLocation.description) == ["/\(keyword)/1/minimum"])
    // The one whose constants the members have, through references and allOf, too.
    let byConstant = try failures(
      [
        keyword: [
          ["properties": ["kind": ["const": "a"]], "required": ["x"]],
          ["allOf": [["$ref": "#/$defs/b"]], "required": ["y", "z"]],
        ],
        "$defs": ["b": ["properties": ["kind": ["enum": ["b", "c"]]]]],
      ],
      ["kind": "c"]
    )
    #expect(byConstant.map(\.keywordLocation.description) == ["/\(keyword)/1/required", "/\(keyword)/1/required"])
    // If the constants of two branches fit, neither branch is chosen.
    let byNone = try failures(
      [
        keyword: [
          ["properties": ["k": ["const": 1]], "required": ["x"]],
          ["properties": ["k": ["const": 1]], "required": ["y"]],
        ]
      ],
      ["k": 1]
    )
    #expect(byNone.map(\.keyword.rawValue) == [keyword])
  }

  @Test(arguments: ["anyOf", "oneOf"])
  func `what a branch that does not hold names is not reported as unevaluated`(keyword: String) throws {
    let schema: JSON = [
      keyword: [
        ["properties": ["kind": ["const": "card"], "number": [:]], "required": ["number"]],
        ["properties": ["kind": ["const": "bank"], "iban": [:]], "required": ["iban", "bic"]],
      ], "unevaluatedProperties": false,
    ]
    func locations(_ value: JSON) throws -> [String] {
      try failures(schema, value).map { "\($0.keyword.rawValue)\($0.instanceLocation)" }
    }
    #expect(try locations(["kind": "card"]) == ["required"])
    #expect(try locations(["kind": "card", "x": 1]) == ["required", "unevaluatedProperties/x"])
    // Meant for neither.
    #expect(try locations(["kind": "cash"]) == [keyword])
  }

  @Test func `no failure carries a value of the instance that was not asked for`() throws {
    let secret = "hunter2secret"
    let schema: JSON = [
      "minLength": 50, "maxLength": 1, "pattern": "^x$", "enum": ["a"], "const": "b", "type": "integer",
      "not": ["type": "string"], "anyOf": [["minLength": 40], ["pattern": "q"]], "format": "email",
    ]
    for failure in try failures(schema, .string(secret), format: true) {
      #expect(!"\(failure)".contains(secret))
      #expect(!failure.message().contains(secret))
    }
  }
}
