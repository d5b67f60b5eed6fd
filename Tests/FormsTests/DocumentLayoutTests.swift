import DocumentProperties
import Forms
import JSON
import Testing

@Suite struct `The layout of a document` {
  private func layout() throws -> DocumentLayout {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {}, "b\\"": {}, "c": {}}},
       "actions": {"go": {}, "stop": {}}, "outputs": {"x": "1", "y": "2"}}
      """
    return try #require(Form.compile(Array(text.utf8)).form).layout
  }

  @Test func `each number is one cell and each cell one number, in the order of the document`() throws {
    let layout = try layout()
    #expect(layout.count == 4 + 3 + 3 * FieldProperty.cellCount + 2 * ActionProperty.count + 2)
    var numbers: [Int] = [
      DocumentLayout.form(.isValid), DocumentLayout.form(.isPending), DocumentLayout.form(.isDirty),
      DocumentLayout.form(.errors),
    ]
    for field in 0..<3 { numbers.append(layout.message(field)) }
    for field in 0..<3 { for cell in FieldProperty.inDocument { numbers.append(layout.field(field, cell)) } }
    for action in 0..<2 {
      for cell in ActionProperty.inDocument { numbers.append(layout.action(action, cell)) }
    }
    for output in 0..<2 { numbers.append(layout.output(output)) }
    #expect(numbers == Array(0..<layout.count))
    #expect(Set((0..<layout.count).map { layout.cell($0) }).count == layout.count)
    #expect(layout.cell(layout.message(2)) == .message(field: 2))
    #expect(layout.cell(layout.field(1, .isTouched)) == .field(1, .isTouched))
    #expect(layout.cell(layout.action(1, .error)) == .action(1, .error))
    #expect(layout.cell(layout.output(0)) == .output(0))
  }

  @Test func `steps stand between fields and actions, and the one that is shown stands before the messages`() throws {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {}}}, "steps": [{"id": "s", "fields": ["a"]},
       {"id": "t", "fields": []}], "actions": {"go": {}}}
      """
    let layout = try #require(Form.compile(Array(text.utf8)).form).layout
    #expect(layout.count == 5 + 1 + FieldProperty.cellCount + 2 * StepProperty.count + ActionProperty.count)
    #expect(layout.cell(DocumentLayout.form(.step)) == .form(.step) && layout.message(0) == 5)
    #expect(layout.cell(layout.step(1, .isTouched)) == .step(1, .isTouched))
    #expect(layout.step(0, .isVisible) == layout.field(0, .order) + 1)
    #expect(layout.action(0, .isEnabled) == layout.step(1, .isTouched) + 1)
  }

  @Test func `keys are written as JSON once`() throws {
    let layout = try layout()
    #expect(layout.fieldKeys.map { String(decoding: $0, as: UTF8.self) } == ["\"a\":", "\"b\\\"\":", "\"c\":"])
    #expect(layout.actionKeys.count == 2 && layout.outputKeys.count == 2)
  }

  @Test func `a form without fields is refused, without actions and outputs it has only the cells of fields`() throws {
    let form = try #require(
      Form.compile(["form": "t", "schema": ["type": "object", "properties": ["a": [:]]]] as JSON).form
    )
    #expect(form.layout.count == 4 + 1 + FieldProperty.cellCount)
  }

  @Test func `the properties in the document come first in their list, and the last one gives the count`() {
    func check<Property: PropertyList>(_ list: Property.Type, count: Int, inDocument: Int) {
      #expect(Property.allCases.map(\.position) == Array(0..<count), "\(list)")
      #expect(Property.inDocument.map(\.position) == Array(0..<inDocument), "\(list)")
    }
    check(FieldProperty.self, count: FieldProperty.count, inDocument: FieldProperty.cellCount)
    check(FormProperty.self, count: FormProperty.count, inDocument: FormProperty.canRedo.position + 1)
    check(StepProperty.self, count: StepProperty.count, inDocument: StepProperty.count)
    check(LookupProperty.self, count: LookupProperty.count, inDocument: LookupProperty.count)
    check(ActionProperty.self, count: ActionProperty.count, inDocument: ActionProperty.count)
  }

  @Test func `a property is a name of its own, and a sentence says what it means`() {
    func check<Property: PropertyList>(_ list: Property.Type) {
      #expect(Set(Property.allCases.map(\.name)).count == Property.allCases.count, "\(list)")
      for property in Property.allCases {
        let meaning = property.about.meaning.description
        #expect(meaning.hasSuffix(".") && meaning.first?.isUppercase ?? false, "\(property)")
        // The Swift name leads to the name on the wire.
        #expect("\(property)" == property.name)
      }
    }
    check(FieldProperty.self)
    check(FormProperty.self)
    check(StepProperty.self)
    check(LookupProperty.self)
    check(ActionProperty.self)
  }
}
