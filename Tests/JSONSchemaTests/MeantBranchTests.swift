import JSON
import JSONSchema
import Testing

/// If no alternative holds, the first error names the mistake that a person would correct. The fragments have the
/// shapes of schemas that are much used. Each value has the mistake that the name says.
@Suite struct MeantBranchTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var schema: String
    var value: String
    /// The keyword and the location of the first thing to mend.
    var first: String

    init(_ name: String, _ schema: String, _ value: String, _ first: String) {
      (testDescription, self.schema, self.value, self.first) = (name, schema, value, first)
    }
  }

  private static let step = """
    {"$defs": {"step": {"type": "object", "properties": {"name": {"type": "string"}, "uses": {"type": "string"}, "with": {"type": "object"}, \
    "run": {"type": "string"}, "shell": {"type": "string"}}, "oneOf": [{"required": ["uses"]}, {"required": ["run"]}]}}, \
    "properties": {"steps": {"type": "array", "items": {"$ref": "#/$defs/step"}}}}
    """
  private static let stepByBranch = """
    {"items": {"oneOf": [{"type": "object", "properties": {"uses": {"type": "string"}, "with": {"type": "object"}}, "required": ["uses"], \
    "additionalProperties": false}, {"type": "object", "properties": {"run": {"type": "string"}, "shell": {"enum": ["bash", "sh"]}}, \
    "required": ["run"], "additionalProperties": false}]}}
    """
  private static let ports = """
    {"properties": {"ports": {"type": "array", "items": {"oneOf": [{"type": "integer"}, {"type": "string", "pattern": "^[0-9]+:[0-9]+$"}, \
    {"type": "object", "properties": {"target": {"type": "integer"}, "published": {"type": ["string", "integer"]}}, \
    "additionalProperties": false}]}}}}
    """
  private static let author = """
    {"properties": {"author": {"oneOf": [{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, \
    "url": {"type": "string", "minLength": 8}}}, {"type": "string"}]}}}
    """
  private static let lintRule = """
    {"$defs": {"severity": {"anyOf": [{"enum": ["off", "warn", "error"]}, {"type": "integer", "minimum": 0, "maximum": 2}]}}, \
    "additionalProperties": {"anyOf": [{"$ref": "#/$defs/severity"}, {"type": "array", "minItems": 1, \
    "prefixItems": [{"$ref": "#/$defs/severity"}, {"type": "object", "properties": {"max": {"type": "integer"}}}]}]}}
    """
  private static let parameter = """
    {"items": {"oneOf": [{"properties": {"in": {"enum": ["body"]}, "schema": {"type": "object"}}, "required": ["name", "in", "schema"]}, \
    {"properties": {"in": {"enum": ["query", "header"]}, "type": {"enum": ["string", "integer"]}}, "required": ["name", "in", "type"]}, \
    {"properties": {"in": {"enum": ["path"]}, "required": {"enum": [true]}}, "required": ["name", "in", "required"]}]}}
    """
  private static let referenceOr = """
    {"$defs": {"ref": {"type": "object", "required": ["$ref"], "properties": {"$ref": {"type": "string"}}}, "schema": {"type": "object", \
    "properties": {"type": {"enum": ["object", "string", "array"]}, "items": {"$ref": "#/$defs/either"}, \
    "properties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/either"}}, "maxLength": {"type": "integer"}}}, \
    "either": {"oneOf": [{"$ref": "#/$defs/schema"}, {"$ref": "#/$defs/ref"}]}}, "$ref": "#/$defs/either"}
    """
  private static let script = """
    {"additionalProperties": {"properties": {"script": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"anyOf": [{"type": "string"}, \
    {"type": "array", "items": {"type": "string"}}]}}]}}}}
    """
  private static let preset = """
    {"properties": {"presets": {"items": {"oneOf": [{"type": "string"}, {"type": "array", "minItems": 1, "maxItems": 3, \
    "prefixItems": [{"type": "string"}, {"type": "object", "properties": {"loose": {"type": "boolean"}}}]}]}}}}
    """
  private static let geometry = """
    {"$defs": {"position": {"type": "array", "minItems": 2, "items": {"type": "number"}}}, "oneOf": [{"type": "object", \
    "required": ["type", "coordinates"], "properties": {"type": {"enum": ["Point"]}, "coordinates": {"$ref": "#/$defs/position"}}}, \
    {"type": "object", "required": ["type", "coordinates"], "properties": {"type": {"enum": ["LineString"]}, "coordinates": {"type": "array", \
    "minItems": 2, "items": {"$ref": "#/$defs/position"}}}}, {"type": "object", "required": ["type", "coordinates"], \
    "properties": {"type": {"enum": ["Polygon"]}, "coordinates": {"type": "array", "items": {"type": "array", "minItems": 4, \
    "items": {"$ref": "#/$defs/position"}}}}}]}
    """
  private static let security = """
    {"additionalProperties": {"oneOf": [{"required": ["type", "name", "in"], "properties": {"type": {"const": "apiKey"}, \
    "name": {"type": "string"}, "in": {"enum": ["header", "query"]}}}, {"required": ["type", "scheme"], "properties": {"type": {"const": "http"}, \
    "scheme": {"type": "string"}}}, {"required": ["type", "flows"], "properties": {"type": {"const": "oauth2"}, "flows": {"type": "object"}}}]}}
    """
  private static let mark = """
    {"properties": {"mark": {"anyOf": [{"enum": ["bar", "line", "point"]}, {"type": "object", "required": ["type"], \
    "properties": {"type": {"enum": ["bar", "line", "point"]}, "size": {"type": "number", "minimum": 0}}, "additionalProperties": false}]}}}
    """
  private static let avro = """
    {"$defs": {"type": {"oneOf": [{"enum": ["null", "string", "int", "long"]}, {"type": "array", "items": {"$ref": "#/$defs/type"}}, \
    {"type": "object", "required": ["type", "name", "fields"], "properties": {"type": {"const": "record"}, "fields": {"type": "array", \
    "items": {"type": "object", "required": ["name", "type"], "properties": {"name": {"type": "string"}, "type": {"$ref": "#/$defs/type"}}}}}}, \
    {"type": "object", "required": ["type", "items"], "properties": {"type": {"const": "array"}, "items": {"$ref": "#/$defs/type"}}}, \
    {"type": "object", "required": ["type", "name", "symbols"], "properties": {"type": {"const": "enum"}, "symbols": {"type": "array", \
    "items": {"type": "string"}}}}]}}, "$ref": "#/$defs/type"}
    """
  private static let entry = """
    {"$defs": {"one": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "array", "minItems": 1, "items": {"type": "string", \
    "minLength": 1}}]}}, "properties": {"entry": {"anyOf": [{"type": "object", "additionalProperties": {"$ref": "#/$defs/one"}}, \
    {"$ref": "#/$defs/one"}]}}}
    """
  private static let ast = """
    {"$defs": {"e": {"oneOf": [{"type": "object", "properties": {"op": {"enum": ["+", "-"]}, "left": {"$ref": "#/$defs/e"}, \
    "right": {"$ref": "#/$defs/e"}}, "required": ["op", "left", "right"]}, {"type": "object", "properties": {"value": {"type": "number"}}, \
    "required": ["value"]}, {"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-z]+$"}}, "required": ["name"]}]}}, \
    "$ref": "#/$defs/e"}
    """
  private static let intrinsic = """
    {"$defs": {"text": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["Ref"], "properties": {"Ref": {"type": "string"}}, \
    "additionalProperties": false}, {"type": "object", "required": ["Fn::Join"], "properties": {"Fn::Join": {"type": "array", "minItems": 2, \
    "maxItems": 2}}, "additionalProperties": false}]}}, "properties": {"BucketName": {"$ref": "#/$defs/text"}}}
    """
  private static let versioned = """
    {"oneOf": [{"properties": {"version": {"const": 1}, "plugins": {"type": "array", "items": {"type": "string"}}}, "required": ["version"]}, \
    {"properties": {"version": {"const": 2}, "plugins": {"type": "object", "additionalProperties": {"type": "object", \
    "properties": {"enabled": {"type": "boolean"}}}}}, "required": ["version"]}]}
    """
  private static let nullable = """
    {"properties": {"address": {"anyOf": [{"type": "object", "properties": {"zip": {"type": "string", "maxLength": 5}}}, {"type": "null"}]}}}
    """
  private static let nestedKind = """
    {"items": {"oneOf": [{"properties": {"spec": {"properties": {"kind": {"const": "http"}, "port": {"type": "integer"}}, "required": ["kind"]}}}, \
    {"properties": {"spec": {"properties": {"kind": {"const": "exec"}, "command": {"type": "array"}}, "required": ["kind"]}}}]}}
    """
  private static let probe = """
    {"oneOf": [{"required": ["httpGet"], "properties": {"httpGet": {"type": "object", "required": ["port"], "properties": {"port": \
    {"anyOf": [{"type": "integer", "maximum": 65535}, {"type": "string", "maxLength": 15}]}}}}}, {"required": ["exec"], "properties": {"exec": \
    {"type": "object", "properties": {"command": {"type": "array", "items": {"type": "string"}}}}}}, {"required": ["tcpSocket"]}]}
    """
  private static let task = """
    {"items": {"anyOf": [{"type": "object", "required": ["block"], "properties": {"block": {"type": "array", "items": {"type": "object", \
    "properties": {"when": {"type": ["string", "boolean"]}}}}}}, {"type": "object", "required": ["hosts", "tasks"], "properties": \
    {"hosts": {"type": "string"}, "tasks": {"type": "array"}, "become": {"type": "boolean"}}}]}}
    """

  static let cases: [Case] = [
    Case("workflow: a step does nothing", step, #"{"steps": [{"name": "x"}]}"#, "required /steps/0/uses"),
    Case("workflow: a text is a number", step, #"{"steps": [{"run": 5}]}"#, "type /steps/0/run"),
    Case("workflow: an action's parameters", stepByBranch, #"[{"uses": "a", "with": 3}]"#, "type /0/with"),
    Case("workflow: an unknown shell", stepByBranch, #"[{"run": "a", "shell": "fish"}]"#, "enum /0/shell"),
    Case("workflow: a name beside it", stepByBranch, #"[{"run": "a", "name": "x"}]"#, "additionalProperties /0/name"),
    Case("services: a port that is none", ports, #"{"ports": ["80:x"]}"#, "pattern /ports/0"),
    Case("services: a port as an object", ports, #"{"ports": [{"target": "80"}]}"#, "type /ports/0/target"),
    Case(
      "services: a port's unknown member",
      ports,
      #"{"ports": [{"targt": 80}]}"#,
      "additionalProperties /ports/0/targt"
    ),
    Case("services: a port of no such type", ports, #"{"ports": [true]}"#, "type /ports/0"),
    Case("package: an author without a name", author, #"{"author": {"url": "https://x.y"}}"#, "required /author/name"),
    Case("package: an author's address", author, #"{"author": {"name": "a", "url": "x"}}"#, "minLength /author/url"),
    Case("package: an author who is a number", author, #"{"author": 1}"#, "type /author"),
    Case("lint: an unknown severity", lintRule, #"{"semi": "eror"}"#, "enum /semi"),
    Case("lint: a severity beyond the last", lintRule, #"{"semi": 3}"#, "maximum /semi"),
    Case("lint: a severity in a list", lintRule, #"{"semi": ["eror", {}]}"#, "enum /semi/0"),
    Case("lint: an option", lintRule, #"{"max-len": ["warn", {"max": "80"}]}"#, "type /max-len/1/max"),
    Case("api: a parameter's type", parameter, #"[{"name": "a", "in": "query", "type": "text"}]"#, "enum /0/type"),
    Case("api: a body without a schema", parameter, #"[{"name": "a", "in": "body"}]"#, "required /0/schema"),
    Case(
      "api: a parameter in no place",
      parameter,
      #"[{"name": "a", "in": "cookie", "type": "string"}]"#,
      "enum /0/in"
    ),
    Case(
      "api: a schema deep inside",
      referenceOr,
      #"{"properties": {"a": {"properties": {"b": {"items": {"type": "strng"}}}}}}"#,
      "enum /properties/a/properties/b/items/type"
    ),
    Case(
      "api: a reference that is no text",
      referenceOr,
      #"{"items": {"$ref": 1, "maxLength": "x"}}"#,
      "type /items/maxLength"
    ),
    Case("pipeline: a line of a script", script, #"{"job": {"script": ["a", 3]}}"#, "type /job/script/1"),
    Case(
      "pipeline: a line of an inner list",
      script,
      #"{"job": {"script": ["a", ["b", {}]]}}"#,
      "type /job/script/1/1"
    ),
    Case(
      "compiler: an option of a preset",
      preset,
      #"{"presets": [["env", {"loose": "yes"}]]}"#,
      "type /presets/0/1/loose"
    ),
    Case("compiler: a preset with too much", preset, #"{"presets": [["a", {}, "b", "c"]]}"#, "maxItems /presets/0"),
    Case(
      "geometry: a point with one number",
      geometry,
      #"{"type": "Point", "coordinates": [1]}"#,
      "minItems /coordinates"
    ),
    Case(
      "geometry: a number in a line",
      geometry,
      #"{"type": "LineString", "coordinates": [[1, 2], [1, "2"]]}"#,
      "type /coordinates/1/1"
    ),
    Case("geometry: an unknown type", geometry, #"{"type": "Circle", "coordinates": [1, 2]}"#, "enum /type"),
    Case("geometry: no coordinates", geometry, #"{"type": "Polygon"}"#, "required /coordinates"),
    Case(
      "security: a key in no place",
      security,
      #"{"k": {"type": "apiKey", "name": "x", "in": "body"}}"#,
      "enum /k/in"
    ),
    Case("security: flows that are missing", security, #"{"k": {"type": "oauth2"}}"#, "required /k/flows"),
    Case("security: a type misspelt", security, #"{"k": {"type": "oauth", "flows": {}}}"#, "const /k/type"),
    Case("chart: an unknown mark", mark, #"{"mark": "pie"}"#, "enum /mark"),
    Case("chart: a mark's size", mark, #"{"mark": {"type": "bar", "size": -1}}"#, "minimum /mark/size"),
    Case("chart: an unknown mark in an object", mark, #"{"mark": {"type": "pie"}}"#, "enum /mark/type"),
    Case(
      "record: a field's type",
      avro,
      #"{"type": "record", "name": "r", "fields": [{"name": "f", "type": ["null", "txt"]}]}"#,
      "enum /fields/0/type/1"
    ),
    Case("record: no fields", avro, #"{"type": "record", "name": "r"}"#, "required /fields"),
    Case(
      "record: an element's type",
      avro,
      #"{"type": "array", "items": {"type": "enum", "name": "e"}}"#,
      "required /items/symbols"
    ),
    Case("bundle: an empty entry", entry, #"{"entry": {"main": ["a", ""]}}"#, "minLength /entry/main/1"),
    Case("bundle: an entry that is a number", entry, #"{"entry": {"main": 1}}"#, "type /entry/main"),
    Case(
      "expression: a name deep inside",
      ast,
      #"{"op": "+", "left": {"value": 1}, "right": {"op": "-", "left": {"name": "A"}, "right": {"value": 2}}}"#,
      "pattern /right/left/name"
    ),
    Case(
      "expression: an unknown operator",
      ast,
      #"{"op": "*", "left": {"value": 1}, "right": {"value": 2}}"#,
      "enum /op"
    ),
    Case("stack: a reference", intrinsic, #"{"BucketName": {"Ref": 1}}"#, "type /BucketName/Ref"),
    Case("stack: a joint of one", intrinsic, #"{"BucketName": {"Fn::Join": [1]}}"#, "minItems /BucketName/Fn::Join"),
    Case(
      "settings: plugins of another version",
      versioned,
      #"{"version": 2, "plugins": {"a": {"enabled": 1}}}"#,
      "type /plugins/a/enabled"
    ),
    Case("settings: a version that is none", versioned, #"{"version": 3}"#, "const /version"),
    Case("contact: a code that is too long", nullable, #"{"address": {"zip": "123456"}}"#, "maxLength /address/zip"),
    Case(
      "manifest: what is known by something inside",
      nestedKind,
      #"[{"spec": {"kind": "http", "port": "80"}}]"#,
      "type /0/spec/port"
    ),
    Case("probe: a port beyond the last", probe, #"{"httpGet": {"port": 70000}}"#, "maximum /httpGet/port"),
    Case("probe: a command that is no list", probe, #"{"exec": {"command": "ls"}}"#, "type /exec/command"),
    Case("playbook: a flag", task, #"[{"hosts": "all", "tasks": [], "become": "yes"}]"#, "type /0/become"),
    Case("playbook: a condition", task, #"[{"block": [{"when": 1}]}]"#, "type /0/block/0/when"),
  ]

  @Test(arguments: cases)
  func `the first thing told is what a person would mend`(_ case: Case) throws {
    let schema = try Schema.compile(JSON(parsing: Array(`case`.schema.utf8)))
    let evaluation = schema.evaluate(try JSON(parsing: Array(`case`.value.utf8)))
    let first = try #require(evaluation.failures.flatMap(\.leaves).first)
    let missing = first.parameters.missingProperty.map { [$0] } ?? []
    let pointer = JSONPointer(tokens: first.instanceLocation.tokens + missing)
    #expect("\(first.keyword.rawValue) \(pointer)" == `case`.first)
    // The other failures follow it on demand.
    let all = schema.evaluate(try JSON(parsing: Array(`case`.value.utf8)), telling: .allAlternatives).failures
    #expect(all.flatMap(\.leaves).count >= evaluation.failures.flatMap(\.leaves).count)
  }

  @Test func `what every alternative asks of one place is told together`() throws {
    func first(_ schema: JSON, _ value: JSON) throws -> Failure? {
      try Schema.compile(schema).failures(of: value).flatMap(\.leaves).first
    }
    #expect(
      try first(["anyOf": [["type": "string"], ["type": "null"], ["type": "string"]]], 3)?.parameters
        == .types(expected: ["string", "null"], actual: "integer")
    )
    #expect(
      try first(["oneOf": [["const": "a"], ["enum": ["b", "c"]]]], "d")?.parameters == .allowed(["a", "b", "c"])
    )
    let kinds: JSON = [
      "oneOf": [
        ["properties": ["kind": ["const": "card"]], "required": ["number"]],
        ["properties": ["kind": ["const": "bank"]], "required": ["iban"]],
      ]
    ]
    let kind = try first(kinds, ["kind": "crd"])
    #expect(kind?.parameters == .allowed(["card", "bank"]))
    #expect(kind?.instanceLocation.tokens == ["kind"])
  }

  @Test func `a branch that alone fails deeper is told where it fails`() throws {
    let schema = try Schema.compile([
      "anyOf": [
        ["required": ["phone"]], ["required": ["email"], "properties": ["email": ["minLength": 3]]],
      ]
    ])
    #expect(
      schema.failures(of: ["email": "a"]).map(\.keywordLocation.description) == ["/anyOf/1/properties/email/minLength"]
    )
    #expect(schema.failures(of: [:]).map(\.keyword) == [.anyOf])
  }

  @Test func `every alternative is told on demand and the meant one first`() throws {
    let schema = try Schema.compile([
      "oneOf": [
        ["properties": ["kind": ["const": "a"]], "required": ["x"]],
        ["properties": ["kind": ["const": "b"]], "required": ["y"]],
      ]
    ])
    let all = schema.evaluate(["kind": "b"], telling: .allAlternatives).failures
    #expect(all.map(\.keyword) == [.oneOf])
    #expect(
      all[0].causes.map(\.keywordLocation.description) == [
        "/oneOf/1/required", "/oneOf/0/properties/kind/const", "/oneOf/0/required",
      ]
    )
  }
}
