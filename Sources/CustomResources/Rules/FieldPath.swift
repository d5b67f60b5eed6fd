/// A path from the value of a rule to one in it: `.spec.size`, `['example.com/size']`.
enum FieldPath {
  /// Why a text is no such path.
  struct Fault: Error {
    let message: String
  }

  /// The names on the way.
  ///
  /// - Parameter schema: that of the rule's value, which has to know them.
  static func tokens(of text: String, in schema: StructuralSchema) throws(Fault) -> [String] {
    var tokens: [String] = []
    var rest = text[...]
    var schema = schema
    while !rest.isEmpty {
      let token: String
      if rest.hasPrefix("['") {
        rest = rest.dropFirst(2)
        token = try quoted(&rest)
        guard rest.hasPrefix("]") else { throw Fault(message: "fieldPath lacks a ] behind '\(token)'") }
        rest = rest.dropFirst()
      } else if rest.hasPrefix(".") {
        let name = rest.dropFirst().prefix { $0 != "." && $0 != "[" && $0 != "]" }
        token = String(name)
        rest = rest.dropFirst(1 + name.count)
      } else {
        throw Fault(message: "fieldPath is written .name or ['name'] for each step; no position of a list is one")
      }
      guard !token.isEmpty, let inner = schema.schema(ofMember: token) else {
        throw Fault(message: "fieldPath leads nowhere: the schema has no \"\(token)\" there")
      }
      tokens.append(token)
      schema = inner
    }
    return tokens
  }

  /// A name up to its closing quote.
  private static func quoted(_ rest: inout Substring) throws(Fault) -> String {
    var name = ""
    while let character = rest.popFirst() {
      if character == "'" { return name }
      guard character == "\\" else {
        name.append(character)
        continue
      }
      guard let escaped = rest.popFirst(), let meant = escapes[escaped] else {
        throw Fault(message: "fieldPath has a backslash before what needs none")
      }
      name.append(meant)
    }
    throw Fault(message: "fieldPath lacks a closing quote")
  }

  private static let escapes: [Character: Character] = [
    "a": "\u{7}", "b": "\u{8}", "f": "\u{c}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{b}", "'": "'", "\\": "\\",
  ]
}
