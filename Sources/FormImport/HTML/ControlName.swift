internal import JSON

/// The place of a value that the name of a control means: `user[email]`, `user.email`, `items[0].sku`, `tags[]`.
struct ControlName {
  /// The address of the field; `*` for the rows of a list.
  let field: JSONPointer
  /// Whether the name ends with `[]`: then the control gives one of several values.
  let isList: Bool
  /// The positions of the rows in which it is, from the outside in.
  let positions: [Int]

  /// Reads a name as servers do; a name that is written otherwise is one plain name.
  init(_ name: String) {
    // The client for browsers takes such a name for a JSON Pointer.
    if name.hasPrefix("/"), let pointer = JSONPointer(name), !pointer.tokens.contains("") {
      field = pointer
      isList = false
      positions = []
      return
    }
    var tokens: [String] = []
    var positions: [Int] = []
    var isList = false
    var token = ""
    var rest = Substring(name)
    var isWellFormed = true
    func add(_ part: String) {
      if let position = JSONPointer.arrayIndex(part), !tokens.isEmpty {
        tokens.append("*")
        positions.append(position)
      } else {
        tokens.append(part)
      }
    }
    while let character = rest.popFirst() {
      switch character {
      case "[":
        if !token.isEmpty { add(token) }
        token = ""
        guard let end = rest.firstIndex(of: "]") else {
          isWellFormed = false
          break
        }
        let inner = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        if inner.isEmpty {
          // `rows[][name]` is a member of each row.
          if rest.isEmpty { isList = true } else { tokens.append("*") }
        } else {
          add(inner)
        }
      case ".":
        if !token.isEmpty { add(token) } else if tokens.isEmpty { isWellFormed = false }
        token = ""
      case "]": isWellFormed = false
      default: token.append(character)
      }
    }
    if !token.isEmpty { add(token) }
    if !isWellFormed || tokens.isEmpty || tokens[0] == "*" {
      field = JSONPointer(tokens: [name])
      self.isList = false
      self.positions = []
    } else {
      field = JSONPointer(tokens: tokens)
      self.isList = isList
      self.positions = positions
    }
  }
}
