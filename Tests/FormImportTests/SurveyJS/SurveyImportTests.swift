internal import Forms
internal import Foundation
internal import JSON
internal import Randomness
internal import SourceTexts
internal import Testing

@testable internal import FormImport

struct SurveyImportTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Inputs/surveyjs")
  static let names = [
    "registration.json", "choices.json", "rows.json", "services.json", "values.json", "dates.json",
    "other-kinds.json", "nested.yaml",
  ]

  static func input(_ name: String) throws -> ImportInput {
    ImportInput(Array(try Data(contentsOf: folder.appending(path: name))), file: name)
  }

  static func form(_ survey: JSON) throws -> ImportedForm {
    try SurveyImport.form(of: ImportInput(Array(survey.description.utf8), file: "survey.json"), ImportOptions())
  }

  /// The codes of the losses, with their places.
  static func losses(_ form: ImportedForm) -> [String] {
    form.losses.map { "\($0.kind.rawValue) \($0.code.rawValue) \($0.pointer)" }
  }

  @Test(arguments: names)
  func `a survey becomes the form and the losses that are recorded (FORMD_REWRITE=1 records them)`(name: String) throws
  {
    let form = try SurveyImport.form(of: try Self.input(name), ImportOptions())
    let result: JSON = [
      "form": form.definition,
      "losses": .array(
        form.losses.map { .string("\($0.kind.rawValue) \($0.code.rawValue) \($0.pointer): \($0.message)") }
      ),
    ]
    let golden = Self.folder.appending(path: name.prefix { $0 != "." } + ".golden.json")
    if ProcessInfo.processInfo.environment["FORMD_REWRITE"] == "1" {
      try Data((result.indentedText + "\n").utf8).write(to: golden)
    }
    #expect(result.indentedText + "\n" == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
  }

  @Test(arguments: names)
  func `formd accepts the form whole, and each loss has a place in the survey`(name: String) throws {
    let input = try Self.input(name)
    let form = try SurveyImport.form(of: input, ImportOptions())
    let compilation = Form.compile(form.definition)
    #expect(compilation.errorCount == 0)
    #expect(!form.losses.contains { $0.code == .refused })
    for loss in form.losses { GoldenTests.expectPlace(of: loss, in: [input]) }
  }

  @Test func `a text that is no survey is not readable`() {
    for text in ["[]", "{}", "{\"pages\": 1}", "{", "null"] {
      #expect(throws: UnreadableInput.self) {
        try SurveyImport.form(of: ImportInput(Array(text.utf8), file: "x.json"), ImportOptions())
      }
    }
  }

  @Test func `values of hidden questions are cleared if the survey says so`() throws {
    let form = try Self.form([
      "clearInvisibleValues": "onHidden",
      "elements": [
        ["type": "text", "name": "a", "clearIfInvisible": "onHidden"],
        ["type": "text", "name": "b", "clearIfInvisible": "none"],
      ],
    ])
    #expect(form.definition["whenHidden"] == "clear")
    #expect(form.definition["fields"]?["a"]?["whenHidden"] == "clear")
    #expect(Self.losses(form) == ["unsupported behavior /elements/1/clearIfInvisible"])
  }

  @Test func `a text of the user's own is the value, unless an expression names the choice`() throws {
    let color: JSON = [
      "type": "radiogroup", "name": "color", "choices": [["value": "red", "text": "Red"], "blue"], "hasOther": true,
    ]
    let tags: JSON = ["type": "checkbox", "name": "tags", "choices": ["a", "b"], "showOtherItem": true]
    let form = try Self.form(["elements": [color, tags]])
    let fields = form.definition["fields"]
    #expect(fields?["color"]?["options"] == [["value": "red", "label": "Red"], ["value": "blue"]])
    #expect(fields?["/tags/*"]?["options"] == [["value": "a"], ["value": "b"]])
    #expect(fields?["color"]?["other"] == true && fields?["/tags/*"]?["other"] == true)
    #expect(fields?["color-Comment"] == nil)
    #expect(
      form.definition["schema"]?["properties"] == [
        "color": ["type": "string"], "tags": ["type": "array", "uniqueItems": true, "items": ["type": "string"]],
      ]
    )
    #expect(
      Self.losses(form) == [
        "assumed otherChoice /elements/0/hasOther", "assumed otherChoice /elements/1/showOtherItem",
      ]
    )
    #expect(Form.compile(form.definition).errorCount == 0)
    let named = try Self.form(["elements": [color, ["type": "text", "name": "x", "visibleIf": "{color} = 'other'"]]])
    #expect(
      named.definition["fields"]?["color-Comment"] != nil && named.definition["fields"]?["color"]?["other"] == nil
    )
  }

  @Test func `a choice with a condition is disabled, in a list of choices at its elements`() throws {
    for (type, field) in [("dropdown", "tags"), ("checkbox", "/tags/*")] {
      let form = try Self.form([
        "elements": [
          [
            "type": .string(type), "name": "tags",
            "choices": [
              "a", ["value": "b", "enableIf": "{color}='red'"], ["value": "c", "visibleIf": "{color}='red'"],
            ],
          ],
          ["type": "text", "name": "color"],
        ]
      ])
      let condition = "values.color.trim().lowerAscii() == 'red'"
      #expect(
        form.definition["fields"]?[field]?["options"]
          == .string(
            "[{'value': dyn('a'), 'label': dyn('a')}, "
              + "{'value': dyn('b'), 'label': dyn('b'), 'disabled': dyn(!(\(condition)))}] + "
              + "(\(condition) ? [{'value': dyn('c'), 'label': dyn('c')}] : [])"
          )
      )
      #expect(Self.losses(form) == [] && Form.compile(form.definition).errorCount == 0)
    }
    let all = try Self.form([
      "elements": [
        ["type": "dropdown", "name": "a", "choices": ["x"], "choicesEnableIf": "{b} notempty"],
        ["type": "text", "name": "b"],
      ]
    ])
    #expect(all.definition["fields"]?["a"]?["options"]?.stringValue?.contains("'disabled': dyn(!(") == true)
  }

  @Test func `resetValueIf resets, and the names of yes and no are options`() throws {
    let form = try Self.form([
      "elements": [
        ["type": "boolean", "name": "a", "labelTrue": "Agreed", "labelFalse": "Refused"],
        ["type": "text", "name": "b", "resetValueIf": "{a} = true"],
      ]
    ])
    #expect(form.definition["fields"]?["a"]?["options"] == ["true": "Agreed", "false": "Refused"])
    #expect(form.definition["fields"]?["b"]?["resetWhen"] == "values.a")
    #expect(Self.losses(form) == ["assumed resetValue /elements/1/resetValueIf"])
    #expect(Form.compile(form.definition).errorCount == 0)
  }

  @Test func `a matrix without a number of rows begins with two, and a panel with its least number`() throws {
    let form = try Self.form([
      "elements": [
        ["type": "matrixdynamic", "name": "m", "columns": [["name": "a", "cellType": "text"]]],
        [
          "type": "paneldynamic", "name": "p", "minPanelCount": 1, "templateElements": [["type": "text", "name": "b"]],
        ],
        ["type": "paneldynamic", "name": "q", "templateElements": [["type": "text", "name": "c"]]],
        [
          "type": "matrixdynamic", "name": "r",
          "columns": [["name": "d", "cellType": "text", "isRequired": true]],
        ],
      ]
    ])
    let properties = form.definition["schema"]?["properties"]
    #expect(properties?["m"]?["default"] == [[:], [:]])
    #expect(properties?["p"]?["default"] == [[:]])
    #expect(properties?["q"]?["default"] == nil && properties?["r"]?["default"] == nil)
    #expect(Self.losses(form) == ["assumed initialRows /elements/3"])
  }

  @Test func `a password has no default`() throws {
    let form = try Self.form([
      "elements": [["type": "text", "name": "a", "inputType": "password", "defaultValue": "x"]]
    ])
    #expect(form.definition["schema"]?["properties"]?["a"] == ["type": "string", "writeOnly": true])
    #expect(Self.losses(form) == ["assumed secretDefault /elements/0/defaultValue"])
  }

  @Test func `the smallest survey loses nothing`() throws {
    let form = try Self.form(["elements": [["type": "text", "name": "a"]]])
    #expect(form.losses.isEmpty)
    #expect(form.definition["schema"] == ["type": "object", "properties": ["a": ["type": "string"]]])
    #expect(form.definition["fields"] == ["a": ["label": "a"]])
    #expect(form.definition["actions"] == ["complete": ["label": "Complete"]])
  }

  @Test func `no key of a survey is dropped in silence`() throws {
    let form = try Self.form([
      "elements": [["type": "text", "name": "a", "width": "50%", "zzz": 1, "correctAnswer": "x"]], "yyy": 2,
    ])
    #expect(
      Self.losses(form) == [
        "unsupported presentation /elements/0/width", "unknown unknownKey /elements/0/zzz",
        "unsupported behavior /elements/0/correctAnswer", "unknown unknownKey /yyy",
      ]
    )
  }

  @Test func `a panel's conditions hold for its questions`() throws {
    let form = try Self.form([
      "elements": [
        ["type": "boolean", "name": "b"],
        [
          "type": "panel", "name": "p", "visibleIf": "{b} = true", "enableIf": "{b} = true",
          "elements": [["type": "text", "name": "t", "visibleIf": "{t2} notempty"], ["type": "text", "name": "t2"]],
        ],
      ]
    ])
    #expect(form.definition["fields"]?["t"]?["visible"] == "values.b && values.t2 != ''")
    #expect(form.definition["fields"]?["t2"]?["visible"] == "values.b")
    #expect(form.definition["fields"]?["t2"]?["enabled"] == "values.b")
  }

  @Test func `pages become steps with an action that leads on`() throws {
    let form = try Self.form([
      "pages": [
        ["name": "one", "elements": [["type": "text", "name": "a"]]],
        ["name": "two", "visibleIf": "{a} = 'x'", "elements": [["type": "text", "name": "b"]]],
      ]
    ])
    #expect(
      form.definition["steps"] == [
        ["id": "one", "fields": ["a"]],
        ["id": "two", "fields": ["b"], "visible": "values.a.trim().lowerAscii() == 'x'"],
      ]
    )
    #expect(form.definition["actions"]?["next-one"] == ["label": "Next", "scope": "one"])
  }

  // MARK: Random inputs

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `a survey that is changed by chance gives a form that formd accepts`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let surveys = try Self.names.map { try Self.input($0).scanned([.survey], "a survey").value }
    for _ in 0..<40 {
      var survey = random.pick(surveys)
      for _ in 0..<(1 + random.below(4)) { survey = Self.mutated(survey, &random, depth: 0) }
      guard let form = try? Self.form(survey) else { continue }
      let compilation = Form.compile(form.definition)
      #expect(compilation.errorCount == 0, "\(survey)")
      for loss in form.losses { #expect(survey.value(at: loss.pointer) != nil, "\(loss.pointer) of \(survey)") }
    }
  }

  private static let values: [JSON] = [
    .null, true, 0, -1, 1.5, "", "x", "{a", "{tools} = 1", "sum(", [], [[]], [:], ["a": 1], ["default": "T", "de": 3],
    "panel", "matrixdynamic", "expression", "text", 1e300, "other", "form",
  ]

  private static func mutated(_ value: JSON, _ random: inout SeededGenerator, depth: Int) -> JSON {
    switch value {
    case .object(let members) where !members.isEmpty && (depth == 0 || random.chance(85)):
      var members = members
      let name = random.pick(members.names)
      switch random.below(12) {
      case 0: members[name] = nil
      case 1:
        members[random.pick(["name", "type", "visibleIf", "choices", "elements", "validators", "defaultValue"])] =
          random.pick(values)
      default: members[name] = mutated(members[name] ?? .null, &random, depth: depth + 1)
      }
      return .object(members)
    case .array(let elements) where !elements.isEmpty && (depth < 2 || random.chance(85)):
      var elements = elements
      let index = random.below(elements.count)
      switch random.below(12) {
      case 0: elements.remove(at: index)
      case 1: elements.append(elements[index])
      case 2: elements.insert(random.pick(values), at: index)
      default: elements[index] = mutated(elements[index], &random, depth: depth + 1)
      }
      return .array(elements)
    case .string(let text) where !text.isEmpty && random.chance(70):
      var scalars = Array(text.unicodeScalars)
      let index = random.below(scalars.count)
      switch random.below(3) {
      case 0: scalars.remove(at: index)
      case 1: scalars[index] = random.pick(Array("{}()[]'\"=<>&!a0. \u{e9}".unicodeScalars))
      default: scalars.insert(contentsOf: scalars[index...].prefix(5), at: index)
      }
      return .string(String(String.UnicodeScalarView(scalars)))
    default: return random.pick(values)
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `each expression that is read has a formula that formd accepts`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var read = 0
    for _ in 0..<150 {
      let expression = Self.expression(&random, depth: 0)
      let form = try Self.form(Self.survey(asking: expression))
      #expect(!form.losses.contains { $0.code == .refused }, "\(expression): \(form.losses.map(\.message))")
      #expect(Form.compile(form.definition).errorCount == 0, "\(expression)")
      if form.definition["fields"]?["asked"]?["visible"] != nil { read += 1 }
    }
    #expect(read > 30)
  }

  private static func survey(asking expression: String) -> JSON {
    [
      "elements": [
        ["type": "text", "name": "t", "maxLength": 20], ["type": "text", "name": "n", "inputType": "number"],
        ["type": "text", "name": "d", "inputType": "date"], ["type": "boolean", "name": "b"],
        ["type": "rating", "name": "i"],
        ["type": "checkbox", "name": "l", "choices": ["a", "b"]],
        ["type": "dropdown", "name": "e", "choices": ["a", 1]],
        ["type": "checkbox", "name": "k", "choices": [1, 2]],
        [
          "type": "paneldynamic", "name": "rows", "maxPanelCount": 3,
          "templateElements": [["type": "text", "name": "x", "inputType": "number"], ["type": "text", "name": "y"]],
        ],
        ["type": "text", "name": "asked", "visibleIf": .string(expression)],
        ["type": "text", "name": "given", "defaultValueExpression": .string(expression)],
      ]
    ]
  }

  private static func expression(_ random: inout SeededGenerator, depth: Int) -> String {
    let names = [
      "{t}", "{n}", "{d}", "{b}", "{i}", "{l}", "{e}", "{k}", "{rows}", "{rows[0].x}", "{rows[0].y}", "{nobody}",
    ]
    let constants = [
      "1", "-2.5", "'a'", "'1'", "''", "true", "false", "null", "['a', 'b']", "[1]", "'2026-01-01'", "A",
    ]
    if depth > 3 || random.chance(25) { return random.pick(random.chance(65) ? names : constants) }
    func inner() -> String { expression(&random, depth: depth + 1) }
    switch random.below(10) {
    case 0...4:
      let operators = [
        "=", "<>", "<", ">=", "contains", "notcontains", "anyof", "allof", "noneof", "+", "-", "*", "/", "%", "^",
      ]
      return "(\(inner()) \(random.pick(operators)) \(inner()))"
    case 5: return "\(inner()) \(random.pick(["and", "or"])) \(inner())"
    case 6: return "(\(inner()) \(random.pick(["empty", "notempty"])))"
    case 7: return "\(random.pick(["!", "-"]))(\(inner()))"
    default:
      switch random.pick([
        "iif", "sum", "min", "avg", "today", "age", "round", "sumInArray", "countInArray", "dateDiff", "trim", "year",
      ]) {
      case "iif": return "iif(\(inner()), \(inner()), \(inner()))"
      case "sumInArray": return "sumInArray({rows}, 'x', {x} > \(inner()))"
      case "countInArray": return "countInArray({rows}, 'y')"
      case "dateDiff": return "dateDiff(\(inner()), \(inner()), 'days')"
      case "round": return "round(\(inner()), 1)"
      case "today": return "today(\(random.pick(["", "2"])))"
      case let name: return "\(name)(\(inner()))"
      }
    }
  }

  @Test func `a disabled question needs no answer`() throws {
    let form = try Self.form([
      "elements": [
        ["type": "boolean", "name": "married"],
        ["type": "text", "name": "spouse", "isRequired": true, "enableIf": "{married} = true"],
        ["type": "text", "name": "always", "isRequired": true, "readOnly": true],
        ["type": "text", "name": "both", "requiredIf": "{spouse} notempty", "enableIf": "{married} = true"],
        ["type": "checkbox", "name": "list", "choices": ["a"], "isRequired": true, "enableIf": "{married} = true"],
      ]
    ])
    #expect(form.definition["schema"]?["required"] == nil)
    let fields = form.definition["fields"]
    #expect(fields?["spouse"]?["required"] == "values.married")
    #expect(fields?["always"]?["required"] == nil)
    #expect(fields?["both"]?["required"] == "values.spouse != '' && values.married")
    #expect(form.definition["schema"]?["properties"]?["list"]?["minItems"] == nil)
    #expect(Self.losses(form).contains("unsupported behavior /elements/4/isRequired"))
  }

  @Test(arguments: ["dropdown", "radiogroup"])
  func `choicesVisibleIf is for the choices without a condition of their own`(type: String) throws {
    let form = try Self.form([
      "elements": [
        ["type": "text", "name": "n", "inputType": "number"],
        [
          "type": .string(type), "name": "c", "choices": ["de", "fr", ["value": "ch", "visibleIf": "{n} > 2"]],
          "choicesVisibleIf": "{item} <> 'fr' or {n} = 9",
        ],
      ]
    ])
    let options = form.definition["fields"]?.description ?? ""
    #expect(options.contains("values.n == 9.0") && options.contains("values.n > 2.0"), "\(options)")
  }

  @Test(
    arguments: [
      ("datetime-local", "2026-12-31T23:59", ["2026-19-31T23:59", "2026-12-39T23:59", "2026-12-31T29:59"]),
      ("time", "23:59", ["29:59"]), ("month", "2026-12", ["2026-00", "2026-19"]),
      ("week", "2026-W53", ["2026-W00", "2026-W59"]),
    ]
  )
  func `a moment that does not exist is refused`(type: String, moment: String, wrong: [String]) throws {
    let form = try Self.form(["elements": [["type": "text", "name": "a", "inputType": .string(type)]]])
    let pattern = form.definition["schema"]?["properties"]?["a"]?["pattern"]?.stringValue ?? ""
    let expression = try Regex(pattern)
    #expect(moment.contains(expression))
    for text in wrong { #expect(!text.contains(expression), "\(text)") }
  }
}
