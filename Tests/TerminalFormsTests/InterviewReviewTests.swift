internal import Client
internal import Testing

@testable internal import TerminalForms

/// What is shown beside the questions: titles of rows, pages that are only read, and the review before the button.
struct InterviewReviewTests {
  private func asked(_ values: JSONObject = [:]) -> Asked {
    var secret = InterviewTests.field("pin")
    secret.isSecret = true
    var document = InterviewTests.two
    document.merge(["fields": ["pin": InterviewTests.state()]])
    let fields = [InterviewTests.field("name"), InterviewTests.field("city"), secret]
    return Asked(fields, document, values: values, action: "send")
  }

  @Test func `the answers are listed before the button, without secrets`() {
    var asked = asked()
    asked.press(.text("Kim"), .enter, .enter, .text("1234"), .enter)
    #expect(asked.above == ["Your answers", "  1) name: Kim", "  2) city: –", "  3) pin: ********"])
    #expect(asked.prompt == "[ send ] Enter; Shift-Tab goes back ")
    asked.press(.enter)
    #expect(asked.sent.last == .tap("send"))
  }

  @Test func `a number or an arrow leads from the review to an answer, and back`() {
    var asked = asked(["name": "Kim"])
    asked.press(.enter, .enter, .enter, .text("1"), .enter)
    #expect(asked.prompt == "name [Kim]: ")
    asked.press(.text("Lee"), .enter)
    #expect(asked.above[1] == "  1) name: Lee")
    asked.press(.down, .down)
    #expect(asked.above[2] == "> 2) city: –" && asked.interview.view.marked == 2)
    asked.press(.enter, .text("Bonn"), .enter)
    #expect(asked.above[2] == "  2) city: Bonn")
    asked.press(.up, .down, .enter)
    #expect(asked.sent.last == .tap("send"))
  }

  @Test func `a number that no answer has is a mistake, and taps nothing`() {
    var asked = asked()
    asked.press(.enter, .enter, .enter, .text("4"), .enter)
    #expect(asked.below == ["  Choose by a number from 1 to 3."])
    asked.press(.text("n"), .text("a"), .enter)
    #expect(asked.below == ["  Choose by a number from 1 to 3."] && asked.sent.last != .tap("send"))
    asked.press(.eraseAll)
    asked.press(.text("2"), .enter)
    #expect(asked.prompt == "city: ")
  }

  @Test func `a single answer needs no review`() {
    let document: JSON = ["isValid": true, "fields": ["name": InterviewTests.state()]]
    var asked = Asked([InterviewTests.field("name")], document, action: "send")
    asked.press(.enter)
    #expect(asked.above == [] && asked.below == [] && asked.prompt.hasPrefix("[ send ]"))
    asked.press(.text("1"), .enter)
    #expect(asked.sent.last == .tap("send"))
  }

  @Test func `an error at a field that is not asked shows the answers, to choose what to change`() {
    var total = InterviewTests.field("total", .number)
    total.isComputed = true
    var document = InterviewTests.two
    let error: JSON = ["code": "limit", "severity": "error", "source": "rule", "message": "Too much."]
    document.merge([
      "isValid": false, "fields": ["total": InterviewTests.state(["isValid": false, "errors": [error]])],
    ])
    let fields = [InterviewTests.field("name"), InterviewTests.field("city"), total]
    var asked = Asked(fields, document, values: ["total": 12], action: "send")
    asked.press(.enter, .enter)
    #expect(asked.interview.takeNotes().last?.line.text == "total: Too much.")
    #expect(asked.above == ["Your answers", "  1) name: –", "  2) city: –"])
    asked.press(.text("1"), .enter)
    #expect(asked.prompt == "name: ")
  }

  // MARK: Rows

  @Test(
    arguments: [
      (nil, "1", "A", nil), ("sku", "B7", "B7", nil), ("sku", "B7", "The 1st", "The 1st"), (nil, "1", "A", ""),
    ] as [(String?, String, String, String?)]
  )
  func `a row's title is its output, else its key, else its first answer`(
    _ key: String?,
    _ sku: String,
    _ title: String,
    _ output: String?
  ) {
    var items = InterviewTests.field("*", .object)
    items.address = "/items/*"
    items.fields = ["name", "sku"].map { name in
      var field = InterviewTests.field(name)
      field.address = "/items/*/\(name)"
      return field
    }
    var list = InterviewTests.field("items", .array)
    list.items = items
    list.key = key
    let row: JSON = output.map { ["outputs": ["title": .string($0)]] } ?? [:]
    let state = InterviewTests.state(["order": ["1", "2"], "rows": ["1": row, "2": [:]]])
    let document: JSON = ["isValid": true, "fields": ["items": state, "name": InterviewTests.state()]]
    let values: JSONObject = ["items": [["name": "A", "sku": .string(sku)], [:]]]
    var asked = Asked([list, InterviewTests.field("name")], document, values: values, action: "send")
    let others = [sku, "A"].filter { $0 != title }.sorted()
    #expect(asked.above.first.map { others.allSatisfy($0.contains) && $0.hasPrefix("  1) \(title), ") } == true)
    #expect(asked.above.last == "  2) ")
    asked.press(.text("1"), .enter)
    #expect(asked.interview.takeNotes().last == .said(StyledLine("items 1: \(title)", .strong)))
    asked.press(.enter, .enter, .enter, .enter)
    #expect(asked.above[1] == "  1) items: \(title), (2)")
  }

  // MARK: Pages

  private func paged(_ steps: [StepDescription], _ more: JSON = [:]) -> Asked {
    var total = InterviewTests.field("total", .number)
    total.isComputed = true
    var document = InterviewTests.two
    document.merge([
      "fields": ["total": InterviewTests.state()], "outputs": ["net": 7, "isCheap": true, "parts": ["a": 1]],
      "step": "a", "steps": ["a": ["isVisible": true], "b": ["isVisible": true]],
    ])
    document.merge(more)
    return Asked(
      [InterviewTests.field("name"), InterviewTests.field("city"), total],
      document,
      values: ["total": 12],
      steps: steps,
      outputs: ["net", "isCheap", "parts"]
    )
  }

  @Test func `a step without fields is a page with the outputs`() {
    var asked = paged([
      StepDescription(id: "a", label: nil, fields: ["name", "city"]),
      StepDescription(id: "b", label: "Sum", fields: []),
    ])
    asked.press(.enter, .enter)
    #expect(asked.prompt == "Enter goes on; Shift-Tab goes back ")
    #expect(asked.above == ["net: 7", "isCheap: yes"])
    #expect(asked.interview.takeNotes().last?.line.text == "Sum (2 of 2)")
    asked.press(.text("x"), .back)
    #expect(asked.prompt == "city: ")
    asked.press(.enter, .enter)
    #expect(asked.interview.outcome == .submitted)
    #expect(asked.sent.contains(.step("b")) && !asked.sent.contains(.focus("#b")) && !asked.sent.contains(.blur("#b")))
    #expect(asked.interview.takeNotes().suffix(3).map(\.line.text) == ["total: 12", "net: 7", "isCheap: yes"])
  }

  @Test func `a step of computed fields is a page with them`() {
    var asked = paged([
      StepDescription(id: "b", label: "Sum", fields: ["total"]), StepDescription(id: "a", label: nil, fields: ["name"]),
    ])
    asked.press(.enter)
    #expect(asked.above == ["total: 12"])
    asked.press(.enter)
    #expect(asked.prompt == "name: ")
  }

  @Test func `a hidden step, and a step whose fields are hidden, are no pages`() {
    let steps = [
      StepDescription(id: "a", label: nil, fields: ["name", "city"]),
      StepDescription(id: "b", label: "Sum", fields: []),
    ]
    var asked = paged(steps, ["steps": ["b": ["isVisible": false]]])
    asked.press(.enter, .enter)
    #expect(asked.interview.outcome == .submitted)
    asked = paged(
      [steps[0], StepDescription(id: "b", label: nil, fields: ["total"])],
      ["fields": ["total": ["isVisible": false]]]
    )
    asked.press(.enter, .enter)
    #expect(asked.interview.outcome == .submitted)
  }
}
