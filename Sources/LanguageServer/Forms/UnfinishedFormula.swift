internal import CEL
internal import Forms

/// A formula up to the caret, completed so that it can be parsed: a placeholder replaces the missing name.
struct UnfinishedFormula {
  /// The placeholder, which no form has as a name.
  static let placeholder = "formdCompletes"

  /// The sources to parse, the likeliest first.
  let sources: [String]

  /// - Parameters:
  ///   - prefix: the formula up to the missing name. It may end within quotes.
  ///   - suffix: the formula behind the name.
  init(_ prefix: ArraySlice<UInt8>, _ suffix: ArraySlice<UInt8> = []) {
    var closing: [Character] = []
    var quote: UInt8?
    var isEscaped = false
    for byte in prefix {
      if let open = quote {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == open {
          quote = nil
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "("): closing.append(")")
      case UInt8(ascii: "["): closing.append("]")
      case UInt8(ascii: "{"): closing.append("}")
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = closing.popLast()
      default: break
      }
    }
    var start = String(decoding: prefix, as: UTF8.self) + Self.placeholder
    let whole = start + String(decoding: suffix, as: UTF8.self)
    if let quote { start.append(Character(UnicodeScalar(quote))) }
    let end = String(closing.reversed())
    // The condition of `a ? b : c` may lack its last part.
    sources = [whole, start + end, start + " : null" + end]
  }

  /// The types of its parts, and the way from the placeholder up to the root; nil if it cannot be parsed.
  func typed(by types: FormulaTypes, at place: FormulaTypes.Place) -> (checked: CheckedExpression, way: [Syntax])? {
    for source in sources {
      guard let checked = types.types(in: source, at: place) else { continue }
      var way: [Syntax] = []
      guard Self.find(in: checked.parsed.root, &way) else { return nil }
      return (checked, way)
    }
    return nil
  }

  /// Finds the node of the placeholder; notes the node and its ancestors.
  private static func find(in node: Syntax, _ way: inout [Syntax]) -> Bool {
    var isFound =
      switch node.kind {
      case .identifier(placeholder): true
      case .select(let selection): selection.field == placeholder
      case .literal(.string(let text)): text == placeholder
      default: false
      }
    node.forEachChild { if !isFound { isFound = find(in: $0, &way) } }
    if isFound { way.append(node) }
    return isFound
  }
}

/// The position of a caret in a formula, as far as types are concerned.
struct TypedCaret {
  /// The type of the value before the last dot; nil if the type is unknown, or without a dot.
  private(set) var receiver: CELType?
  /// The type that the value at the caret should have; nil if any fits.
  private(set) var expected: CELType?
  /// The names of the value with which the value at the caret is compared.
  private(set) var compared: [String]?

  /// - Parameters:
  ///   - prefix: the formula up to the name that is being written.
  ///   - suffix: the formula behind the name.
  ///   - result: the type that the formula must have; nil for any.
  init?(
    _ prefix: ArraySlice<UInt8>,
    _ suffix: ArraySlice<UInt8>,
    in form: UsableForm?,
    at place: FormulaTypes.Place,
    result: CELType?
  ) {
    guard let types = form?.formulaTypes,
      let (checked, way) = UnfinishedFormula(prefix, suffix).typed(by: types, at: place), let node = way.first
    else { return nil }
    if case .select(let selection) = node.kind { receiver = checked.type(of: selection.operand).known }
    guard way.count > 1 else {
      expected = result
      return
    }
    let parent = way[1]
    switch parent.kind {
    case .call(let call):
      let index = call.arguments.firstIndex { $0.id == node.id }
      let other = index.flatMap { index in call.arguments.indices.first { $0 != index } }.map { call.arguments[$0] }
      switch call.function {
      case "_&&_", "_||_", "!_": expected = .bool
      case "_?_:_": expected = index == 0 ? .bool : way.count == 2 ? result : nil
      case "_==_", "_!=_":
        compared = other?.memberChain
        expected = other.flatMap { checked.type(of: $0).known }
      case "_<_", "_<=_", "_>_", "_>=_", "_+_", "_-_", "_*_", "_/_", "_%_":
        expected = other.flatMap { checked.type(of: $0).known }
      default: break
      }
    case .list:
      // An element of the list in `values.kind in ['a']`.
      if way.count > 2, case .call(let call) = way[2].kind, call.function == "@in",
        call.arguments.last?.id == parent.id
      {
        compared = call.arguments[0].memberChain
        expected = checked.type(of: call.arguments[0]).known
      }
    case .comprehension(let loop):
      switch loop.macro {
      case .all, .exists, .existsOne, .filter: if loop.range.id != node.id { expected = .bool }
      default: break
      }
    default: break
    }
  }
}

extension CELType {
  /// The type; nil if it says nothing.
  fileprivate var known: CELType? {
    switch self {
    case .dyn, .any, .error, .null: nil
    default: self
    }
  }

  /// The name of the type without the types inside it, and regardless of absence: `list`, `int`.
  var baseName: String { String(shown.prefix { $0 != "(" && $0 != "?" }) }
}
