internal import Forms
internal import JSON
internal import Sessions
internal import SourceTexts
internal import Texts

/// The values that a broken text may have in the parts that could not be read, and the errors that may be due to them.
struct UnreadValues {
  private let text: ScannedText
  private let form: Form
  private let deciding: DecidingFields
  private var areRead: [Reading: Bool] = [:]
  private var fieldsOfSubjects: [Subject: Set<Int>] = [:]

  /// The rule, or the schema of a field, that finds a value wrong.
  private enum Subject: Hashable {
    case rule(Int)
    case schema(field: Int)
  }

  /// A field, in those rows or in all.
  private struct Reading: Hashable {
    var field: Int
    var rows: [String]
  }

  /// - Parameter text: a text that has losses.
  init(of text: ScannedText, in form: Form) {
    self.text = text
    self.form = form
    deciding = DecidingFields(of: form)
  }

  /// Whether an error may only be due to an unreadable part of the text.
  mutating func mayExplain(_ error: LocatedError) -> Bool {
    if isExplained(error) { return true }
    let field = form.innermostField(at: error.pointer).field
    switch error.source {
    case .rule, .fault:
      let rule = form.rules.indices.first { index in
        form.rules[index].field == field && form.rules[index].id.hasSameUTF8(as: error.code)
      }
      // The fault of another formula has the formula's name.
      guard let rule else { return true }
      return !areRead(fields(deciding: .rule(rule)), error.pointer)
    case .schema, .check, .server:
      guard let field else { return false }
      return !areRead(fields(deciding: .schema(field: field)), error.pointer)
    }
  }

  // MARK: The value itself

  /// Errors of an object or a list that what is missing in it cannot mend.
  private static let certain: Set = [
    "additionalItems", "additionalProperties", "items", "maxItems", "maxProperties", "propertyNames", "type",
    "unevaluatedItems", "unevaluatedProperties",
  ]

  /// Whether the value of an error, or what it lacks, may be in an unreadable part.
  private func isExplained(_ error: LocatedError) -> Bool {
    let nearest = text.nearestNode(to: error.pointer)
    var around: ScannedNode? = nearest
    while let current = around {
      if current.isDoubtful { return true }
      around = current.parent
    }
    guard let node = text.node(at: error.pointer) else { return !nearest.isWhole }
    if node.kind == .missing || node.isUnfinished { return true }
    if let name = error.parameters["property"]?.stringValue, node.child(name)?.isDoubtful == true { return true }
    return error.source == .schema && !Self.certain.contains(error.code) && !node.isComplete
  }

  // MARK: Other values

  private mutating func fields(deciding subject: Subject) -> Set<Int> {
    if let known = fieldsOfSubjects[subject] { return known }
    let fields =
      switch subject {
      case .rule(let rule): deciding.fields(ofRule: rule)
      case .schema(let field):
        // Whether a field is judged depends on the fields around it, and these have a value.
        deciding.fields(ofSchemaAt: field).filter { !form.fields[field].path.starts(with: form.fields[$0].path) }
      }
    fieldsOfSubjects[subject] = fields
    return fields
  }

  /// Whether all these fields could be read. Of the rows around an error, only the rows of its pointer count.
  private mutating func areRead(_ fields: Set<Int>, _ pointer: JSONPointer) -> Bool {
    for field in fields {
      let common = zip(form.fields[field].path, pointer.tokens).prefix { name, token in
        name == "*" && JSONPointer.arrayIndex(token) != nil || name.hasSameUTF8(as: token)
      }
      let reading = Reading(field: field, rows: common.filter { $0.0 == "*" }.map(\.1))
      let isRead = areRead[reading] ?? isRead(reading)
      areRead[reading] = isRead
      if !isRead { return false }
    }
    return true
  }

  /// Whether the text has all of a field's value, or certainly has none.
  private func isRead(_ reading: Reading) -> Bool {
    var nodes = [text.root]
    var rows = reading.rows[...]
    for name in form.fields[reading.field].path {
      var next: [ScannedNode] = []
      let row = name == "*" ? rows.popFirst() : nil
      for node in nodes {
        if node.kind == .array, name == "*", row == nil {
          guard node.isWhole else { return false }
          next += node.children
        } else if let child = node.child(row ?? name) {
          next.append(child)
        } else if !node.isWhole || node.isDoubtful {
          return false
        }
      }
      nodes = next
    }
    return nodes.allSatisfy(\.isComplete)
  }
}
