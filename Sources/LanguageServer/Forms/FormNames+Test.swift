internal import JSON
internal import SourceTexts

extension FormNames {
  /// Finds the symbols of its form that a test file names.
  init(test scanned: ScannedText) {
    var finder = TestNames(scanned)
    finder.findAll()
    self.init(finder.found)
  }
}

/// Walks the cases of a test file: addresses, values, and expectations by address, id or name.
private struct TestNames {
  private let scanned: ScannedText
  private(set) var found: [Occurrence] = []

  init(_ scanned: ScannedText) {
    self.scanned = scanned
  }

  mutating func findAll() {
    for testCase in scanned.root.child("cases").map({ Array($0.children) }) ?? [] {
      if let given = testCase.child("given") { noteValue(given, []) }
      if let expect = testCase.child("expect") { visit(expectations: expect) }
      for step in testCase.child("steps").map({ Array($0.children) }) ?? [] { visit(step: step) }
    }
  }

  private mutating func visit(step: ScannedNode) {
    for member in step.children {
      switch member.key {
      case "focus"?, "blur"?, "remove"?, "move"?, "toggle"?, "fail"?, "reset"?: _ = noteAddress(member)
      case "change"? where member.kind == .object: noteMembers(of: member, areValues: true)
      case "change"?:
        if let path = noteAddress(member), let value = step.child("value") { noteValue(value, path) }
      case "insert"?:
        guard let path = noteAddress(member) else { break }
        if let row = step.child("value") { noteValue(row, path + ["*"]) }
        for row in step.child("values").map({ Array($0.children) }) ?? [] { noteValue(row, path + ["*"]) }
      case "show"?: noteText(member) { [(0..<$0.utf8.count, .step($0))] }
      case "tap"?, "cancel"?: noteText(member) { [(0..<$0.utf8.count, .action($0))] }
      case "expect"?: visit(expectations: member)
      default: break
      }
    }
  }

  private mutating func visit(expectations: ScannedNode) {
    for member in expectations.children {
      switch member.key {
      case "step"?: noteText(member) { [(0..<$0.utf8.count, .step($0))] }
      case "messages"?, "fields"?: noteMembers(of: member, areValues: false)
      case "errors"?:
        noteMembers(of: member, areValues: false)
        for codes in member.children { for code in codes.children { noteText(code, FormSymbol.code) } }
      case "tap"?: visit(answer: member)
      case "events"?: for event in member.children { visit(answer: event) }
      case "values"?: noteMembers(of: member, areValues: true)
      case "steps"?: for step in member.children { noteKey(of: step) { [(0..<$0.utf8.count, .step($0))] } }
      case "actions"?: for action in member.children { noteKey(of: action) { [(0..<$0.utf8.count, .action($0))] } }
      case "lookups"?: for lookup in member.children { noteKey(of: lookup) { AddressNames.ofRows($0) { .lookup($0) } } }
      case "outputs"?: for output in member.children { noteKey(of: output) { AddressNames.ofRows($0) { .output($0) } } }
      default: break
      }
    }
  }

  /// The answer to a tap, or its result.
  private mutating func visit(answer: ScannedNode) {
    if let action = answer.child("action") { noteText(action) { [(0..<$0.utf8.count, .action($0))] } }
    for blocker in answer.child("blockers").map({ Array($0.children) }) ?? [] {
      if let field = blocker.child("field") { _ = noteAddress(field) }
      if let code = blocker.child("code") { noteText(code, FormSymbol.code) }
    }
  }

  /// An object whose names are addresses.
  private mutating func noteMembers(of object: ScannedNode, areValues: Bool) {
    for member in object.children {
      noteKey(of: member) { AddressNames.fields($0) }
      guard areValues, let address = member.key else { continue }
      noteValue(member, AddressNames.path(address))
    }
  }

  /// A value of the form's: the names of its members are fields.
  private mutating func noteValue(_ value: ScannedNode, _ path: [String]) {
    for member in value.children {
      if value.kind == .array {
        noteValue(member, path + ["*"])
      } else if let name = member.key {
        noteKey(of: member) { [(0..<$0.utf8.count, .field(path + [$0]))] }
        noteValue(member, path + [name])
      }
    }
  }

  /// Returns the way to the field.
  private mutating func noteAddress(_ node: ScannedNode) -> [String]? {
    guard node.kind == .string else { return nil }
    let text = QuotedText(node, in: scanned)
    note(AddressNames.fields(text.text), in: text)
    return AddressNames.path(text.text)
  }

  private mutating func noteText(
    _ node: ScannedNode,
    _ names: (String) -> [(range: Range<Int>, symbol: FormSymbol)]
  ) {
    guard node.kind == .string else { return }
    let text = QuotedText(node, in: scanned)
    note(names(text.text), in: text)
  }

  private mutating func noteKey(
    of member: ScannedNode,
    _ names: (String) -> [(range: Range<Int>, symbol: FormSymbol)]
  ) {
    guard let text = QuotedText(nameOf: member, in: scanned) else { return }
    note(names(text.text), in: text)
  }

  private mutating func note(_ names: [(range: Range<Int>, symbol: FormSymbol)], in text: QuotedText) {
    guard text.isWritten else { return }
    found += names.map { Occurrence(range: text.range(of: $0.range), symbol: $0.symbol) }
  }
}
