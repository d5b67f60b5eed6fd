package import JSON

extension JSON? {
  /// Both absent, or identical.
  func isIdentical(to other: JSON?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let value?, let other?): value.isIdentical(to: other)
    default: false
    }
  }
}

extension JSON {
  /// Equal, with numbers written alike. `1` and `1.0` are equal but not identical: formulas tell them apart.
  package func isIdentical(to other: JSON) -> Bool {
    switch (self, other) {
    case (.integer, .real), (.real, .integer): false
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count && a.allSatisfy { member in b[member.name].map { member.value.isIdentical(to: $0) } ?? false }
    default: self == other
    }
  }

  /// Sets the value at that path, or removes it if nil. Objects that are missing on the way are made, and a list for
  /// `-`. An array accepts an index up to its count. Its count, or `-`, appends. Returns whether the path can exist. If
  /// it cannot, nothing is changed.
  package mutating func set(_ value: JSON?, at path: ArraySlice<String>) -> Bool {
    guard let token = path.first else {
      self = value ?? .null
      return true
    }
    let rest = path.dropFirst()
    switch self {
    case .null:
      guard value != nil else { return true }
      var child = JSON.null
      guard child.set(value, at: rest) else { return false }
      self = token == "-" ? .array([child]) : .object([token: child])
      return true
    case .object(var members):
      if rest.isEmpty {
        members[token] = value
      } else if value != nil || members[token] != nil {
        var child = members[token] ?? .null
        guard child.set(value, at: rest) else { return false }
        members[token] = child
      }
      self = .object(members)
      return true
    case .array(var elements):
      guard let index = token == "-" ? elements.count : JSONPointer.arrayIndex(token), index <= elements.count else {
        return false
      }
      if index == elements.count {
        guard value != nil else { return false }
        var child = JSON.null
        guard child.set(value, at: rest) else { return false }
        elements.append(child)
      } else if rest.isEmpty {
        if let value { elements[index] = value } else { elements.remove(at: index) }
      } else {
        guard elements[index].set(value, at: rest) else { return false }
      }
      self = .array(elements)
      return true
    case .bool, .integer, .real, .decimal, .string:
      return false
    }
  }
}
