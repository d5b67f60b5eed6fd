internal import Client
internal import Testing

@testable internal import TerminalForms

struct InterviewChoiceTests {
  private static func choices(_ names: String...) -> [Choice] {
    names.map { Choice(value: .string($0), label: $0.uppercased()) }
  }

  /// A list `extras` with the choices `gift`, `fast` and `cold`, of which the last is disabled, and a field `city`.
  private func asked(_ values: JSONObject = [:], other: Bool = false, isLineByLine: Bool = false) -> Asked {
    var items = InterviewTests.field("*")
    items.address = "/extras/*"
    items.options = Self.choices("gift", "fast", "cold")
    items.options[2].isDisabled = true
    items.admitsOther = other
    var list = InterviewTests.field("extras", .array)
    list.items = items
    list.isMultipleChoice = true
    let document: JSON = [
      "isValid": true, "fields": ["extras": InterviewTests.state(), "city": InterviewTests.state()],
    ]
    return Asked([list, InterviewTests.field("city")], document, values: values, isLineByLine: isLineByLine)
  }

  @Test func `space marks and unmarks, and Enter goes on`() {
    var asked = asked()
    #expect(asked.prompt == "extras [Space marks, Enter done]: ")
    #expect(asked.above == ["> 1) [ ] GIFT", "  2) [ ] FAST", "  3) [ ] COLD (not available)"])
    asked.press(.text(" "), .down, .text(" "))
    #expect(asked.above == ["  1) [x] GIFT", "> 2) [x] FAST", "  3) [ ] COLD (not available)"])
    asked.press(.up, .text(" "), .enter)
    #expect(asked.values == ["extras": ["fast"]])
    #expect(asked.prompt == "city: ")
    #expect(asked.interview.takeNotes().last?.line.text == "extras: FAST")
    #expect(
      asked.sent.prefix(5) == [
        .focus("extras"), .toggle("extras", "gift"), .toggle("extras", "fast"), .toggle("extras", "gift"),
        .blur("extras"),
      ]
    )
  }

  @Test func `a disabled choice is passed over, unless it is marked already`() {
    var asked = asked()
    asked.press(.down, .down)
    #expect(asked.above.first == "> 1) [ ] GIFT")
    asked.press(.text("3"), .enter)
    #expect(asked.below == ["  This choice is not available."] && asked.values == [:])
    asked = self.asked(["extras": ["cold"]])
    asked.press(.up, .text(" "))
    #expect(asked.above.last == "> 3) [ ] COLD (not available)" && asked.values == ["extras": []])
    asked.press(.text(" "))
    #expect(asked.values == ["extras": ["cold"]])
  }

  @Test(arguments: [false, true])
  func `a disabled choice that was marked elsewhere can be unmarked`(isLineByLine: Bool) {
    var asked = asked(isLineByLine: isLineByLine)
    asked.values["extras"] = ["cold"]
    asked.tell([:])
    #expect(asked.above.last == "  3) [x] COLD (not available)")
    for marks in [[], ["cold"], []] as [JSON] {
      asked.press(.text("3"), .enter)
      #expect(asked.values["extras"] == marks && asked.below == [])
    }
  }

  @Test func `the numbers that are possible are named`() {
    for other in [false, true] {
      var asked = asked(other: other)
      asked.press(.text("1 3"), .enter)
      #expect(asked.below == ["  This choice is not available."] && asked.values == [:])
    }
    #expect(ChoiceEditor(Self.choices("a", "b", "c", "d", "e"), value: nil).possibleNumbers == "1-5")
    var choices = Self.choices("a", "b", "c", "d", "e")
    for disabled in [1, 3, 4] { choices[disabled].isDisabled = true }
    #expect(ChoiceEditor(choices, value: nil).possibleNumbers == "1, 3")
    #expect(ChoiceEditor(choices, values: ["d", "e"]).possibleNumbers == "1, 3-5")
    for disabled in [0, 2] { choices[disabled].isDisabled = true }
    #expect(ChoiceEditor(choices, value: nil).possibleNumbers == "")
  }

  @Test func `a name or a number and Enter mark, too, and Ctrl-U takes all marks away`() {
    var asked = asked()
    asked.press(.text("fast"), .enter, .text("1"), .enter)
    #expect(asked.values == ["extras": ["fast", "gift"]] && asked.prompt.hasPrefix("extras"))
    asked.press(.text("slow"), .enter)
    #expect(asked.below == ["  Choose by a number (1-2), or by name."])
    asked.press(.eraseAll)
    #expect(asked.values == ["extras": []])
    asked.press(.enter)
    #expect(asked.prompt == "city: ")
  }

  @Test func `a terminal of lines marks by numbers`() {
    var asked = asked(isLineByLine: true)
    #expect(asked.prompt == "extras [numbers mark, Enter done]: ")
    let number = asked.interview.view.number
    asked.press(.text("1 2"), .enter)
    #expect(asked.values == ["extras": ["gift", "fast"]] && asked.interview.view.number > number)
    asked.press(.text("1"), .enter, .enter)
    #expect(asked.values == ["extras": ["fast"]] && asked.prompt == "city: ")
  }

  @Test func `texts of the user's own are marked, too`() {
    var asked = asked(other: true)
    asked.press(.text("wrapped twice"), .enter)
    #expect(
      asked.above == [
        "> 1) [ ] GIFT", "  2) [ ] FAST", "  3) [ ] COLD (not available)", "  4) [x] wrapped twice", "  5)     Other…",
      ]
    )
    asked.press(.up, .text(" "), .text("2"), .enter)
    #expect(asked.values == ["extras": ["wrapped twice", "2"]])
    asked.press(.up, .text(" "), .enter)
    #expect(asked.values == ["extras": ["wrapped twice"]])
  }

  @Test func `an error of an element is an error of the question`() {
    var asked = asked(["extras": ["odd"]])
    let error: JSON = ["code": "options", "severity": "error", "message": "Not that one."]
    asked.tell([
      "isValid": false, "messages": ["/extras/#1": "Not that one."],
      "fields": ["extras": ["order": ["1"], "rows": ["1": ["isValid": false, "errors": [error]]]]],
    ])
    #expect(asked.above.last == "  4) [x] odd")
    asked.press(.enter)
    #expect(asked.prompt.hasPrefix("extras") && asked.below == ["  Not that one."])
  }

  // MARK: One of several

  private func colour(_ value: JSON? = nil, other: Bool = false) -> Asked {
    var field = InterviewTests.field("colour")
    field.options = Self.choices("red", "blue", "grey")
    field.options[1].isDisabled = true
    field.options[1].group = "Cold"
    field.options[2].group = "Cold"
    field.options[2].help = "As stone."
    field.admitsOther = other
    let document: JSON = ["isValid": true, "fields": ["colour": InterviewTests.state()]]
    return Asked([field], document, values: value.map { ["colour": $0] } ?? [:])
  }

  @Test func `groups, help and disabled choices are drawn, and disabled ones cannot be chosen`() {
    var asked = colour()
    #expect(asked.above == ["  1) RED", "  Cold", "  2) BLUE (not available)", "  3) GREY  As stone."])
    asked.press(.down, .down)
    #expect(asked.above.last == "> 3) GREY  As stone." && asked.interview.view.marked == 3)
    asked.press(.text("2"), .enter)
    #expect(asked.below == ["  This choice is not available."])
    asked.press(.enter)
    #expect(asked.values == ["colour": "grey"])
  }

  @Test func `a disabled choice that is the value stays`() {
    var asked = colour("blue")
    #expect(asked.above[2] == "> 2) BLUE (not available)")
    asked.press(.down, .up, .enter)
    #expect(asked.values == ["colour": "blue"] && asked.interview.outcome == .submitted)
  }

  @Test func `a text of the user's own is typed, at any time or at the last entry`() {
    var asked = colour(other: true)
    #expect(asked.above.last == "  4) Other…")
    asked.press(.text("pink"), .enter)
    #expect(asked.values == ["colour": "pink"] && asked.interview.outcome == .submitted)
    asked = colour("red", other: true)
    asked.press(.up, .enter)
    #expect(asked.below == ["  Type your own text."] && asked.interview.outcome == nil)
    asked.press(.text("3"), .enter)
    #expect(asked.values == ["colour": "3"])
    asked = colour("red", other: true)
    asked.press(.text("4"), .enter)
    #expect(asked.below == ["  Type your own text."] && asked.above.last == "> 4) Other…")
  }

  @Test func `a text of the user's own stays, or is edited`() {
    var asked = colour("pink", other: true)
    #expect(asked.prompt == "colour [pink]: " && asked.above.last == "> 4) Other…")
    asked.press(.tab, .text("er"), .enter)
    #expect(asked.values == ["colour": "pinker"])
    asked = colour("pink", other: true)
    asked.press(.text("1"), .enter)
    #expect(asked.values == ["colour": "red"])
    asked = colour("pink", other: true)
    asked.press(.enter)
    #expect(asked.values == ["colour": "pink"] && asked.interview.outcome == .submitted)
  }
}
