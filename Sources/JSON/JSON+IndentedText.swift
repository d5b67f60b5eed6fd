extension JSON {
  /// The value as JSON text for people: two spaces of indentation, small values on one line.
  package var indentedText: String {
    var text = ""
    writeIndented(to: &text, depth: 0)
    return text
  }

  private func writeIndented(to text: inout String, depth: Int) {
    let compact = description
    if compact.utf8.count + depth * 2 <= 100 {
      text += spaced
      return
    }
    let inner = String(repeating: "  ", count: depth + 1)
    let outer = String(repeating: "  ", count: depth)
    switch self {
    case .array(let elements) where !elements.isEmpty:
      text += "[\n"
      for (index, element) in elements.enumerated() {
        text += inner
        element.writeIndented(to: &text, depth: depth + 1)
        text += index + 1 < elements.count ? ",\n" : "\n"
      }
      text += outer + "]"
    case .object(let members) where !members.isEmpty:
      text += "{\n"
      for (index, member) in members.enumerated() {
        text += inner + JSON.string(member.name).description + ": "
        member.value.writeIndented(to: &text, depth: depth + 1)
        text += index + 1 < members.count ? ",\n" : "\n"
      }
      text += outer + "}"
    default:
      text += compact
    }
  }

  /// On one line, with a space behind colons and commas.
  private var spaced: String {
    switch self {
    case .array(let elements): "[" + elements.map(\.spaced).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { JSON.string($0.name).description + ": " + $0.value.spaced }.joined(separator: ", ") + "}"
    default: description
    }
  }
}
