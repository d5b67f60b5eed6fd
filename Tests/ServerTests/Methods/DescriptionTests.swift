internal import Configuration
import FormProtocol
import Forms
import JSON
import Testing

@testable import Server

/// The answer of `form/describe` is enough to draw any form.
struct DescriptionTests {
  private static let definition: JSON = [
    "form": "order", "locale": "en", "title": ["en": "Order", "ko": "주문"],
    "schema": [
      "type": "object",
      "required": ["email"],
      "properties": [
        "email": [
          "$ref": "#/$defs/email", "title": "E-mail", "description": "Where the bill goes.", "x-autocomplete": "email",
        ],
        "count": [
          "type": "integer", "minimum": 1, "exclusiveMaximum": 9.5, "multipleOf": 2,
          "allOf": [["minimum": 2, "x-step": 2, "title": "inner"]],
        ],
        "password": ["type": "string", "writeOnly": true, "default": "hunter2", "minLength": 8],
        "color": ["oneOf": [["const": "r", "title": "Red"], ["const": "g"]]],
        "more": ["type": "object"], "list": ["type": ["array", "null"], "maxItems": 3],
        "items": [
          "type": "array", "minItems": 1, "maxItems": 50, "uniqueItems": true,
          "items": [
            "type": "object",
            "properties": ["sku": ["type": "string", "exclusiveMinimum": 0], "size": ["enum": ["S"]]],
          ],
        ],
        "payment": [
          "oneOf": [
            [
              "properties": [
                "kind": ["const": "card"], "number": ["type": "string", "maxLength": 19, "title": "Card"],
              ]
            ],
            ["properties": ["kind": ["const": "bank"], "iban": ["type": "string"]]],
          ]
        ],
      ],
      "$defs": ["email": ["type": "string", "format": "email", "maxLength": 254, "pattern": "@", "title": "address"]],
    ],
    "fields": [
      "count": ["label": ["en": "How many", "ko": "몇 개"], "help": "In pairs.", "widget": "slider"],
      "color": ["options": ["g": ["en": "Green", "ko": "초록"]]],
      "items": ["key": "sku"], "/items/*/sku": ["label": "Article"],
    ],
    "steps": [["id": "one", "label": "First", "fields": ["email"]]], "actions": ["send": ["label": "Send"]],
  ]

  private func fields(_ described: JSON) -> [String: JSON] {
    var fields: [String: JSON] = [:]
    func add(_ field: JSON) {
      fields[field["address"]?.stringValue ?? ""] = field
      for inner in field["fields"]?.arrayValue ?? [] { add(inner) }
      if let items = field["items"] { add(items) }
    }
    for field in described["fields"]?.arrayValue ?? [] { add(field) }
    return fields
  }

  private func described(_ locale: JSON? = nil) -> JSON {
    var params: JSON = ["definition": Self.definition]
    if let locale { params.merge(["locale": locale]) }
    return TestDaemon().connect().result("form/describe", params)
  }

  @Test(arguments: [
    (nil, ["100%", "1,250.5", "12/31/2026"]), ("de-CH", ["100%", "1’250.5", "31.12.2026"]),
    ("xx", ["100%", "1,250.5", "12/31/2026"]),
  ])
  func `an initial value has the text that a new session shows`(locale: String?, texts: [String?]) {
    let definition: JSON = [
      "form": "trip", "locale": "en",
      "schema": [
        "properties": [
          "share": ["type": "number", "default": 1], "rate": ["type": "number", "default": 1250.5],
          "day": ["type": "string", "format": "date", "default": "2026-12-31"],
          "none": ["type": "number"], "plain": ["type": "number", "default": 1],
          "secret": ["type": "number", "default": 1, "writeOnly": true],
        ]
      ],
      "fields": [
        "share": ["read": "percent"], "rate": ["read": "number"], "day": ["read": "date"],
        "none": ["read": "percent"], "secret": ["read": "percent"],
      ],
    ]
    var params: JSON = ["definition": definition]
    if let locale { params.merge(["locale": .string(locale)]) }
    let client = TestDaemon().connect()
    let described = client.result("form/describe", params)["fields"]?.arrayValue ?? []
    let told = described.map { $0["initialText"]?.stringValue }
    #expect(told == texts + [nil, nil, nil])
    let shown = client.result("session/open", params)["document"]?["fields"]
    #expect(told.prefix(3) == ["share", "rate", "day"].map { shown?[$0]?["text"]?.stringValue }[...])
  }

  @Test
  func `what a secret may be is told to nobody`() {
    let schema: JSON = [
      "properties": [
        "pin": [
          "writeOnly": true, "enum": ["hunter1", "hunter2"], "x-schema": ["const": "hunter1"], "x-list": ["hunter2"],
          "x-autocomplete": "off",
        ],
        "word": ["writeOnly": true, "const": "hunter3"],
        "plain": ["enum": ["a"], "x-schema": ["const": "a"]],
      ]
    ]
    let answer = TestDaemon().connect().result("form/describe", ["definition": ["schema": schema]])
    #expect(!answer.description.contains("hunter"))
    #expect(fields(answer)["pin"]?["extensions"] == ["x-autocomplete": "off"])
    #expect(fields(answer)["plain"]?["options"] == [["value": "a"]])
    #expect(fields(answer)["plain"]?["extensions"] == ["x-schema": ["const": "a"]])
  }

  @Test
  func `a field says what its schema says unconditionally`() {
    let fields = fields(described())
    #expect(
      fields["email"] == [
        "name": "email", "address": "email", "type": "string", "format": "email", "label": "E-mail",
        "help": "Where the bill goes.", "show": "blur", "isSecret": false, "isRequired": true, "maxLength": 254,
        "pattern": "@", "extensions": ["x-autocomplete": "email"],
      ]
    )
    #expect(
      fields["count"] == [
        "name": "count", "address": "count", "type": "integer", "widget": "slider", "label": "How many",
        "help": "In pairs.", "show": "blur", "isSecret": false, "isRequired": false, "minimum": 2,
        "exclusiveMaximum": 9.5, "multipleOf": 2, "extensions": ["x-step": 2],
      ]
    )
    let items = fields["items"]
    #expect(items?["minItems"] == 1 && items?["maxItems"] == 50 && items?["uniqueItems"] == true)
    #expect(items?["type"] == "array" && items?["key"] == "sku")
    #expect(fields["/items/*/sku"]?["label"] == "Article")
    #expect(
      fields["more"]?["type"] == "object" && fields["list"]?["type"] == "array" && fields["list"]?["maxItems"] == 3
    )
  }

  @Test
  func `a field of a branch has its texts and no bounds`() {
    let fields = fields(described())
    #expect(fields["/payment/number"]?["label"] == "Card" && fields["/payment/number"]?["type"] == "string")
    #expect(fields["/payment/number"]?["maxLength"] == nil)
    #expect(fields["/payment/kind"]?["options"] == [["value": "card"], ["value": "bank"]])
  }

  @Test
  func `a secret has no initial value`() {
    let password = fields(described())["password"]
    #expect(password?["isSecret"] == true && password?["minLength"] == 8 && password?["initial"] == nil)
    #expect(!described().description.contains("hunter2"))
  }

  @Test(
    arguments: [
      (nil, nil, "en", "How many", "Green"), ("ko", "ko", "ko", "몇 개", "초록"),
      ("ko-KR", "ko-KR", "ko", "몇 개", "초록"), ("fr", "fr", "en", "How many", "Green"),
    ] as [(JSON?, JSON?, JSON, JSON, JSON)]
  )
  func `texts are in the language that is closest to the one asked for`(
    _ locale: JSON?,
    _ requested: JSON?,
    _ resolved: JSON,
    _ label: JSON,
    _ green: JSON
  ) {
    let answer = described(locale)
    #expect(answer["requestedLocale"] == requested && answer["locale"] == resolved)
    let fields = fields(answer)
    #expect(fields["count"]?["label"] == label)
    #expect(fields["color"]?["options"] == [["value": "r", "label": "Red"], ["value": "g", "label": green]])
  }

  @Test
  func `a form whose texts are of no language says none`() {
    let definition: JSON = ["schema": ["properties": ["a": ["title": "A"]]]]
    let answer = TestDaemon().connect().result("form/describe", ["definition": definition, "locale": "en"])
    #expect(answer["requestedLocale"] == "en" && answer["locale"] == nil)
  }

  @Test
  func `a session's form is described in the session's language`() {
    let client = TestDaemon().connect()
    let open: JSON = ["definition": Self.definition, "locale": "ko"]
    let session = client.result("session/open", open)["session"] ?? .null
    let answer = client.result("form/describe", ["session": session])
    #expect(answer["title"] == "주문" && answer["requestedLocale"] == "ko")
    #expect(client.result("form/describe", ["session": session, "locale": "en"])["title"] == "Order")
    client.result("session/setLocale", ["session": session, "locale": "en"])
    #expect(client.result("form/describe", ["session": session])["title"] == "Order")
    #expect(client.error("form/describe", ["session": 99])["code"] == 1001)
  }

  @Test(
    arguments: [
      ([:], "/form", "required"), (["form": "login", "definition": [:]], "/definition", "value"),
      (["form": "login", "session": 1], "/session", "value"), (["definition": [:], "session": 1], "/session", "value"),
      (["definition": ["schema": [:]]], "/definition/schema", "fields"),
    ] as [(JSON, JSON, JSON)]
  )
  func `exactly one thing says which form, and it has to be right`(_ params: JSON, _ path: JSON, _ code: JSON) {
    let error = TestDaemon().connect().error("form/describe", params)
    #expect(error["code"] == -32602)
    #expect(error.at("data", "errors")?.arrayValue?.map { $0["path"] ?? .null } == [path])
    #expect(error.at("data", "errors")?.arrayValue?.map { $0["code"] ?? .null } == [code])
  }

  @Test
  func `a definition costs what it costs elsewhere, and is gone behind the answer`() {
    let daemon = TestDaemon { $0.limits[.definitionsPerConnectionMax] = 1 }
    let client = daemon.connect()
    let params: JSON = ["definition": Self.definition]
    for _ in 0..<3 { #expect(client.result("form/describe", params) != .null) }
    client.result("session/open", params)
    let error = client.error("form/describe", params)
    #expect(error["code"] == 1012 && error.at("data", "limit") == "definitionsPerConnectionMax")
  }

  @Test
  func `others are served while a definition compiles`() {
    let daemon = TestDaemon()
    daemon.holdsOffloadedWork = true
    let (client, other) = (daemon.connect(), daemon.connect())
    #expect(client.request("form/describe", ["definition": Self.definition]).isEmpty)
    #expect(other.result("server/ping") != .null)
    daemon.doOffloadedWork()
    #expect(client.messages().map { $0.at("result", "form") } == ["order"])
  }

  @Test
  func `a description that nobody reads is not made`() {
    let client = TestDaemon().connect()
    #expect(client.notify("form/describe", ["definition": Self.definition]).isEmpty)
    #expect(client.result("server/stats")["notificationsIgnored"] == 1)
  }
}
