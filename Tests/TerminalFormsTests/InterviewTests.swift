internal import Client
internal import Testing

@testable internal import TerminalForms

/// A form that is asked, with a daemon whose documents the tests write.
struct Asked {
  var interview: Interview
  var document: JSON
  var values: JSONObject
  /// All that was to be sent, in order.
  var sent: [Interview.Request] = []

  init(
    _ fields: [FieldDescription],
    _ document: JSON,
    values: JSONObject = [:],
    steps: [StepDescription] = [],
    known: JSONObject = [:],
    only: [String]? = nil,
    action: String? = nil,
    outputs: [String] = [],
    locale: String? = nil,
    formLocale: String? = nil,
    isLineByLine: Bool = false
  ) {
    var description = FormDescription()
    description.fields = fields
    description.steps = steps
    description.outputs = outputs
    description.requestedLocale = locale
    description.locale = formLocale
    self.document = document
    self.values = values
    let form = FilledForm(document: FormDocument(document), values: values)
    interview = Interview(description, form, known: known, only: only, action: action, isLineByLine: isLineByLine)
    happened(.began)
  }

  var form: FilledForm { FilledForm(document: FormDocument(document), values: values) }

  /// Passes on an event, and acknowledges all messages that the interview then sends. Changes become values.
  mutating func happened(_ event: Interview.Event) {
    var requests = interview.handle(event)
    while !requests.isEmpty {
      for request in requests {
        sent.append(request)
        if case .change(let address, let value) = request, JSONPointer(address: address)?.tokens.count == 1 {
          values[address] = value.isNull ? nil : value
        }
        if case .toggle(let address, let value) = request { toggle(address, value) }
      }
      requests = interview.handle(.changed(form))
    }
  }

  private mutating func toggle(_ address: String, _ value: JSON) {
    let elements = values[address]?.arrayValue ?? []
    values[address] = .array(elements.contains(value) ? elements.filter { $0 != value } : elements + [value])
  }

  mutating func press(_ keys: Key...) {
    for key in keys { happened(.key(key)) }
  }

  mutating func tell(_ patch: JSON) {
    document.merge(patch)
    happened(.changed(form))
  }

  /// The current prompt.
  var prompt: String { interview.view.prompt.text + interview.view.input }
  var above: [String] { interview.view.above.map(\.text) }
  var below: [String] { interview.view.below.map(\.text) }
}

struct InterviewTests {
  static func field(_ name: String, _ type: FieldKind = .string) -> FieldDescription {
    var field = FieldDescription()
    field.name = name
    field.address = name
    field.type = type
    return field
  }

  static func state(_ more: JSON = [:]) -> JSON {
    var state: JSON = ["isVisible": true, "isEnabled": true, "isValid": true, "errors": []]
    state.merge(more)
    return state
  }

  static let two: JSON = ["isValid": true, "fields": ["name": state(), "city": state()]]

  private func asked(
    _ document: JSON = two,
    values: JSONObject = [:],
    known: JSONObject = [:],
    only: [String]? = nil,
    action: String? = nil
  ) -> Asked {
    Asked([Self.field("name"), Self.field("city")], document, values: values, known: known, only: only, action: action)
  }

  @Test func `fields are asked in order, and the end is a submission`() {
    var asked = asked()
    #expect(asked.prompt == "name: ")
    asked.press(.text("Kim"), .enter)
    #expect(asked.prompt == "city: ")
    asked.press(.enter)
    #expect(asked.interview.outcome == .submitted)
    #expect(
      asked.sent == [
        .focus("name"), .change("name", "Kim"), .blur("name"), .focus("city"), .blur("city"), .commitRest,
      ]
    )
    #expect(asked.interview.takeNotes() == [.answered(note("name: ", "Kim")), .answered(note("city: ", ""))])
  }

  private func note(_ label: String, _ answer: String) -> StyledLine {
    var line = StyledLine(label, .faint)
    line.add(answer)
    return line
  }

  @Test func `each key is sent, and what takes it back sends the default`() {
    var asked = asked(values: ["name": "Lee"])
    #expect(asked.prompt == "name [Lee]: ")
    asked.press(.text("K"), .erase, .eraseAll)
    #expect(asked.interview.view.prompt.text == "name [nothing]: ")
    #expect(asked.sent == [.focus("name"), .change("name", "K"), .change("name", "Lee"), .change("name", .null)])
    asked.press(.text("x"), .left, .erase)
    #expect(asked.sent.last == .change("name", "x"))
  }

  @Test func `an answer waits for its check, and keys that come meanwhile are pressed later`() {
    var asked = asked()
    asked.press(.text("Kim"))
    asked.tell(["fields": ["name": ["isPending": true]]])
    asked.press(.enter, .text("Bonn"), .enter)
    #expect(asked.interview.view.isBusy)
    #expect(asked.below == ["| checking …"])
    asked.happened(.tick)
    #expect(asked.below == ["/ checking …"])
    asked.tell(["fields": ["name": ["isPending": false]]])
    #expect(asked.values == ["name": "Kim", "city": "Bonn"])
    #expect(asked.interview.outcome == .submitted)
  }

  @Test func `a refused answer stays to be mended, with its message`() {
    var asked = asked()
    asked.press(.text("Kim"))
    let error: JSON = ["code": "short", "severity": "error", "message": "Too short."]
    asked.tell(["isValid": false, "fields": ["name": ["isValid": false, "errors": [error]]]])
    #expect(asked.below == [])
    asked.document.merge(["messages": ["name": "Too short."]])
    asked.press(.enter)
    #expect(asked.prompt == "name: Kim")
    #expect(asked.below == ["  Too short."])
    asked.tell(["isValid": true, "fields": ["name": ["isValid": true, "errors": []]], "messages": ["name": .null]])
    asked.press(.enter)
    #expect(asked.prompt == "city: ")
  }

  @Test func `an error of a group of fields lets each of them be asked`() {
    let error: JSON = ["code": "one", "severity": "error", "message": "One of them."]
    let wrong: JSON = ["isValid": false, "errors": [error]]
    let right: JSON = ["isValid": true, "errors": []]
    var asked = asked()
    asked.tell(["isValid": false, "fields": ["name": wrong, "city": wrong]])
    asked.press(.enter)
    #expect(asked.prompt == "city: " && asked.below == [])
    asked.document.merge(["messages": ["name": "One of them.", "city": "One of them."]])
    asked.press(.enter)
    #expect(asked.prompt == "city: " && asked.below == ["  One of them."])
    asked.press(.back)
    #expect(asked.prompt == "name: " && asked.below == ["  One of them."])
    asked.press(.text("Kim"))
    asked.tell([
      "isValid": true, "fields": ["name": right, "city": right], "messages": ["name": .null, "city": .null],
    ])
    asked.press(.enter, .enter)
    #expect(asked.interview.outcome == .submitted && asked.values == ["name": "Kim"])
  }

  @Test func `an error that is not shown yet is told when its question is asked again`() {
    var asked = asked()
    let error: JSON = ["code": "short", "severity": "error", "message": "Too short."]
    asked.press(.text("K"))
    asked.tell(["isValid": false, "fields": ["name": ["isValid": false, "errors": [error]]]])
    asked.press(.enter, .enter)
    #expect(asked.prompt == "name [K]: " && asked.below == ["  Too short."])
    asked.press(.enter)
    #expect(asked.prompt == "name [K]: " && asked.below == ["  Too short."])
  }

  @Test func `a warning is told and does not hold`() {
    var asked = asked()
    let warning: JSON = ["code": "odd", "severity": "warning", "message": "That is odd."]
    asked.tell(["fields": ["name": ["errors": [warning]]]])
    asked.press(.enter)
    #expect(asked.prompt == "city: ")
    #expect(asked.interview.takeNotes().last == .said(StyledLine("  That is odd.", .warning)))
  }

  @Test func `a field that appears is asked wherever it stands, one that goes is not`() {
    var asked = asked(["isValid": true, "fields": ["name": Self.state(["isVisible": false]), "city": Self.state()]])
    #expect(asked.prompt == "city: ")
    asked.tell(["fields": ["name": ["isVisible": true]]])
    asked.press(.enter)
    #expect(asked.prompt == "name: ")
    asked.tell(["fields": ["name": ["isVisible": false]]])
    #expect(asked.interview.outcome == .submitted)
  }

  @Test func `there is a way back`() {
    var asked = asked()
    asked.press(.back)
    #expect(asked.prompt == "name: ")
    asked.press(.text("Kim"), .enter, .text("B"), .back)
    #expect(asked.prompt == "name [Kim]: ")
    asked.press(.enter)
    #expect(asked.prompt == "city [B]: ")
  }

  @Test func `known values and other fields are not asked`() {
    #expect(asked(known: ["name": "Kim"]).prompt == "city: ")
    #expect(asked(only: ["/city"]).prompt == "city: ")
    #expect(asked(known: ["name": "Kim", "city": "Bonn"]).interview.outcome == .submitted)
  }

  @Test func `what is invalid where nothing is asked is a refusal`() {
    var asked = asked(
      ["isValid": false, "fields": ["name": Self.state(["isValid": false]), "city": Self.state()]],
      only: ["city"]
    )
    asked.press(.enter)
    #expect(asked.interview.outcome == .refused)
  }

  @Test func `the end of the input asks nothing more`() {
    var asked = asked()
    asked.press(.text("K"), .endOfInput)
    #expect(asked.prompt == "name: K")
    asked.press(.erase, .endOfInput)
    #expect(asked.interview.outcome == .submitted)
  }

  @Test func `the button taps, and a tap that fails comes back to it`() {
    var asked = asked(action: "send")
    asked.press(.enter, .enter)
    #expect(asked.prompt.hasPrefix("[ send ]"))
    asked.press(.enter)
    #expect(asked.sent.last == .tap("send"))
    #expect(asked.interview.view.isBusy)
    var event = ActionEvent()
    event.kind = .failed
    event.error = "down"
    asked.happened(.tapped(event, asked.form))
    #expect(asked.prompt.hasPrefix("[ send ]"))
    #expect(asked.interview.takeNotes().last == .said(StyledLine("down", .wrong)))
    asked.press(.back)
    #expect(asked.prompt == "city: ")
    asked.press(.enter, .enter)
    event.kind = .succeeded
    asked.happened(.tapped(event, asked.form))
    #expect(asked.interview.outcome == .submitted)
  }

  @Test func `what a server refuses is asked once more, and blocks nothing`() {
    var asked = asked(action: "send")
    asked.press(.enter, .enter, .enter)
    let error: JSON = ["code": "server", "severity": "error", "source": "server", "message": "Taken."]
    asked.document.merge(["messages": ["name": "Taken."], "fields": ["name": ["errors": [error]]]])
    var event = ActionEvent()
    event.kind = .failed
    asked.happened(.tapped(event, asked.form))
    #expect(asked.prompt == "name: ")
    #expect(asked.below == ["  Taken."])
    asked.press(.enter)
    #expect(asked.prompt.hasPrefix("[ send ]"))
  }

  @Test func `an error of the whole form is shown, and the last question is asked again`() {
    var asked = asked()
    asked.press(.text("Kim"), .enter, .text("Bonn"))
    let error: JSON = ["code": "sum", "severity": "error", "source": "rule", "message": "Too much."]
    asked.tell(["isValid": false, "errors": [error]])
    asked.press(.enter)
    #expect(asked.interview.outcome == nil && asked.prompt == "city [Bonn]: ")
    #expect(asked.interview.takeNotes().last == .said(StyledLine("Too much.", .wrong)))
    asked.press(.back)
    #expect(asked.prompt == "name [Kim]: ")
    asked.tell(["isValid": true, "errors": []])
    asked.press(.enter, .enter)
    #expect(asked.interview.outcome == .submitted)
    #expect(asked.values == ["name": "Kim", "city": "Bonn"])
  }

  @Test func `an error of the whole form ends what the user ends`() {
    var asked = asked()
    asked.tell(["isValid": false, "errors": [["code": "sum", "severity": "error", "source": "rule"]]])
    asked.press(.enter, .endOfInput)
    #expect(asked.interview.outcome == .refused)
  }

  @Test func `a server's error of the form is shown after the tap`() {
    var asked = asked(action: "send")
    asked.press(.enter, .enter, .enter)
    #expect(asked.sent.last == .tap("send"))
    let error: JSON = ["code": "closed", "severity": "error", "source": "server", "message": "Closed."]
    asked.document.merge(["errors": [error]])
    asked.happened(.tapped(nil, asked.form))
    #expect(asked.interview.takeNotes().contains(.said(StyledLine("Closed.", .wrong))))
    #expect(asked.interview.outcome == nil)
  }

  @Test func `an arrow chooses again after Ctrl-U`() {
    var field = Self.field("name")
    field.options = ["red", "blue"].map { Choice(value: .string($0), label: nil) }
    var asked = Asked([field], ["isValid": true, "fields": ["name": Self.state()]], values: ["name": "red"])
    asked.press(.eraseAll, .down, .enter)
    #expect(asked.values == ["name": "blue"])
  }

  @Test(arguments: [false, true])
  func `members of an optional object are not marked until it is there`(_ isThere: Bool) {
    var object = Self.field("home", .object)
    var city = Self.field("city")
    city.address = "/home/city"
    object.fields = [city]
    let home = Self.state(["isRequired": false, "fields": ["city": Self.state(["isRequired": true])]])
    let values: JSONObject = isThere ? ["home": ["street": "x"]] : [:]
    let asked = Asked([object], ["fields": ["home": home]], values: values)
    #expect(asked.prompt == (isThere ? "home › city *: " : "home › city: "))
  }

  @Test func `steps have headings, and the session is told where the user is`() {
    let steps = [
      StepDescription(id: "b", label: "Place", fields: ["city"]),
      StepDescription(id: "a", label: nil, fields: ["name"]),
    ]
    var document = Self.two
    document.merge(["step": "b", "steps": ["b": ["isVisible": true], "a": ["isVisible": true]]])
    var asked = Asked([Self.field("name"), Self.field("city")], document, steps: steps)
    #expect(asked.prompt == "city: ")
    #expect(asked.interview.takeNotes().map(\.line.text) == ["Place (1 of 2)"])
    asked.press(.enter)
    #expect(asked.prompt == "name: ")
    #expect(asked.sent.contains(.step("a")) && !asked.sent.contains(.step("b")))
    #expect(asked.interview.takeNotes().map(\.line.text) == ["city: ", "a (2 of 2)"])
  }

  @Test func `the questions of a row are asked while it is open`() {
    var items = Self.field("*", .object)
    items.address = "/items/*"
    var sku = Self.field("sku")
    sku.address = "/items/*/sku"
    items.fields = [sku]
    var list = Self.field("items", .array)
    list.items = items
    let document: JSON = ["isValid": true, "fields": ["items": Self.state(["order": [], "rows": [:]])]]
    var asked = Asked([list], document)
    #expect(asked.prompt == "items [a add, Enter done]: ")
    asked.press(.text("a"))
    #expect(asked.interview.handle(.key(.enter)) == [.insert("items")])
    asked.document.merge(["fields": ["items": ["order": ["1"], "rows": ["1": [:]]]]])
    asked.values = ["items": [["sku": "A"]]]
    asked.happened(.rowInserted("/items/#1"))
    asked.happened(.changed(asked.form))
    #expect(asked.prompt == "items 1 › sku [A]: ")
    asked.press(.enter)
    #expect(asked.prompt == "items [a add, 1 edit, r N remove, Enter done]: ")
    #expect(asked.interview.view.above.map(\.text) == ["  1) A"])
    asked.press(.down, .enter)
    #expect(asked.prompt == "items 1 › sku [A]: ")
    asked.press(.back, .text("r 1"))
    #expect(asked.interview.handle(.key(.enter)) == [.remove("/items/#1")])
    asked.document.merge(["fields": ["items": ["order": [], "rows": ["1": .null]]]])
    asked.values = ["items": []]
    asked.happened(.changed(asked.form))
    asked.press(.enter)
    #expect(asked.interview.outcome == .submitted)
  }

  @Test func `a secret is kept here, and shown nowhere`() {
    var secret = Self.field("name")
    secret.isSecret = true
    var asked = Asked([secret], ["isValid": true, "fields": ["name": Self.state()]])
    asked.press(.text("hunter2"))
    #expect(asked.prompt == "name: *******")
    asked.press(.enter)
    #expect(asked.interview.secrets == ["name": "hunter2"])
    #expect(asked.interview.takeNotes().allSatisfy { !$0.line.text.contains("hunter2") })
  }
}

struct FilledFormTests {
  private func field(
    _ name: String,
    _ address: String,
    _ initial: JSON? = nil,
    isSecret: Bool = false
  ) -> FieldDescription {
    var field = FieldDescription()
    field.name = name
    field.address = address
    field.initial = initial
    field.isSecret = isSecret
    return field
  }

  @Test func `the result has secrets and nothing that is hidden`() {
    var items = field("*", "/items/*")
    items.fields = [field("sku", "/items/*/sku"), field("pin", "/items/*/pin", isSecret: true)]
    var list = field("items", "items")
    list.items = items
    let fields = [field("name", "name"), field("gone", "gone"), list]
    let document: JSON = [
      "fields": [
        "name": ["isVisible": true], "gone": ["isVisible": false],
        "items": ["isVisible": true, "order": ["4", "2"], "rows": ["4": [:], "2": ["isVisible": false]]],
      ]
    ]
    let form = FilledForm(
      document: FormDocument(document),
      values: ["name": "Kim", "gone": 1, "items": [["sku": "A"], ["sku": "B"]], "extra": true]
    )
    #expect(
      form.result(fields, secrets: ["/items/0/pin": "1234"])
        == ["name": "Kim", "items": [["sku": "A", "pin": "1234"]], "extra": true]
    )
    #expect(
      FilledForm.secrets(in: ["items": [["sku": "A"], ["pin": "9"]]], fields) == ["/items/1/pin": "9"]
    )
  }

  @Test func `blank rows are left out of a list that ignores them`() {
    var items = field("*", "/days/*")
    items.fields = [field("day", "/days/*/day"), field("rate", "/days/*/rate", 20)]
    var list = field("days", "days")
    list.items = items
    let form = FilledForm(
      document: FormDocument([
        "fields": ["days": ["isVisible": true, "order": ["1", "2", "3"], "rows": ["1": [:], "2": [:], "3": [:]]]]
      ]),
      values: ["days": [["day": "", "rate": 20], ["day": "Mon", "rate": 20], ["rate": 25]]]
    )
    #expect(form.result([list], secrets: [:])["days"]?.arrayValue?.count == 3)
    list.ignoresBlankRows = true
    #expect(form.result([list], secrets: [:]) == ["days": [["day": "Mon", "rate": 20], ["rate": 25]]])
  }

  @Test func `an object with hidden members alone is absent, or empty if it is required`() {
    func object(_ name: String, _ inner: [FieldDescription] = []) -> FieldDescription {
      var field = FieldDescription()
      field.name = name
      field.fields = inner
      return field
    }
    var list = object("list")
    list.items = object("*", [object("x")])
    let fields = [
      object("optional", [object("tag"), object("gone")]), object("required", [object("gone"), list]),
      object("empty", [object("tag")]),
    ]
    let gone: JSON = ["isVisible": false]
    let document: JSON = [
      "fields": [
        "optional": ["isVisible": true, "fields": ["tag": ["isVisible": true, "isRequired": true], "gone": gone]],
        "required": [
          "isVisible": true, "isRequired": true,
          "fields": ["gone": gone, "list": ["isVisible": true, "isRequired": true, "order": [], "rows": [:]]],
        ],
        "empty": ["isVisible": true, "fields": ["tag": ["isVisible": true]]],
      ]
    ]
    let form = FilledForm(
      document: FormDocument(document),
      values: ["optional": ["gone": 1], "required": ["gone": 1], "empty": [:]]
    )
    #expect(form.result(fields, secrets: [:]) == ["required": ["list": []], "empty": [:]])
  }
}
