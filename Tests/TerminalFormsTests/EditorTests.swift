internal import Client
internal import Testing

@testable internal import TerminalForms

struct ChoiceEditorTests {
  private static let choices = [
    Choice(value: "kr", label: "South Korea"), Choice(value: "us", label: nil), Choice(value: 3, label: "Three"),
  ]

  private func chosen(_ keys: [Key], value: JSON? = nil) -> JSON? {
    var editor = ChoiceEditor(Self.choices, value: value)
    for key in keys { editor.press(key) }
    return editor.chosen
  }

  @Test func `a choice is made by number, name, value or arrow`() {
    #expect(chosen([.text("2")]) == "us")
    #expect(chosen([.text("south korea")]) == "kr")
    #expect(chosen([.text("US")]) == "us")
    #expect(chosen([.text("3")]) == 3)
    #expect(chosen([.down]) == "kr")
    #expect(chosen([.down, .down, .down, .down]) == "kr")
    #expect(chosen([.up], value: "kr") == 3)
    #expect(chosen([.text("9"), .down]) == "kr")
    #expect(chosen([], value: "us") == "us")
  }

  @Test func `what is none of them chooses nothing`() {
    #expect(chosen([]) == nil)
    #expect(chosen([.text("4")], value: "us") == nil)
    #expect(chosen([.text("0")], value: "us") == nil)
  }

  @Test func `the mark follows its value when the choices change`() {
    var editor = ChoiceEditor(Self.choices, value: "us")
    editor.update(Array(Self.choices.reversed()) + [Choice(value: "de", label: nil)])
    #expect(editor.marked == 1 && editor.chosen == "us")
    editor.update([])
    #expect(editor.marked == nil && editor.chosen == nil)
    editor.press(.down)
    #expect(editor.marked == nil)
  }
}

struct RowsEditorTests {
  private func command(_ keys: [Key], count: Int = 2) -> RowsEditor.Command? {
    var editor = RowsEditor()
    for key in keys { editor.press(key, count: count) }
    return editor.command(count: count)
  }

  @Test(
    arguments: [
      ([], .done), ([.text("a")], .add), ([.text("add")], .add), ([.text("done")], .done), ([.text("2")], .edit(1)),
      ([.text("e 1")], .edit(0)), ([.text("R 2")], .remove(1)), ([.down], .edit(0)), ([.up], .edit(1)),
      ([.down, .text("r")], .remove(0)), ([.text("r")], nil), ([.text("r 3")], nil), ([.text("3")], nil),
      ([.text("0")], nil), ([.text("x")], nil), ([.text("a 1")], nil), ([.text("m 2 1")], .move(1, 0)),
      ([.down, .text("move 2")], .move(0, 1)), ([.text("m 1")], nil), ([.text("m 1 3")], nil), ([.text("m x 1")], nil),
    ] as [([Key], RowsEditor.Command?)]
  )
  func `rows are added, edited and removed by what is typed`(keys: [Key], expected: RowsEditor.Command?) {
    #expect(command(keys) == expected)
  }

  @Test func `an empty list has no row to edit`() {
    #expect(command([.down], count: 0) == .done)
    #expect(command([.text("1")], count: 0) == nil)
  }
}

struct TypedTextTests {
  @Test(
    arguments: [
      ("kim", .string, "kim"), ("5", .string, "5"), ("5", .integer, 5), ("5.5", .integer, 5.5), (" 7 ", .number, 7),
      ("five", .number, "five"), ("true", .number, "true"), ("y", .boolean, true), ("No", .boolean, false),
      ("maybe", .boolean, "maybe"), ("[1]", .array, [1]), ("a", .any, "a"), ("{\"a\":1}", .object, ["a": 1]),
      ("", .string, ""),
    ] as [(String, FieldKind, JSON)]
  )
  func `a text is read as the field's type wants it`(text: String, type: FieldKind, value: JSON) {
    #expect(TypedText.value(text, of: type) == value)
  }

  @Test func `a value is shown as people read it`() {
    #expect(TypedText.text(of: "kr", choices: [Choice(value: "kr", label: "Korea")]) == "Korea")
    #expect(TypedText.text(of: ["a", 2, true]) == "a, 2, yes")
    #expect(TypedText.text(of: ["sku": "A", "gone": .null, "net": 9.5]) == "A, 9.5")
  }
}
