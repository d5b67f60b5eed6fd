internal import Times

extension Library {
  /// `sum`, `min` and `max` of a list. Null elements are left out, because a missing number of a form is null.
  public static let aggregates = Library(
    name: "aggregates",
    functions: [
      Function(
        "list.sum()",
        .listsAndMaps,
        "the sum of the elements, without absent elements; 0 for an empty list",
        examples: ["[1.5, null, 2.5].sum()": "4.0"],
        overloads: [
          sum("int", .int, ofNothing: .int(0)), sum("uint", .uint, ofNothing: .uint(0)),
          sum("double", .double, ofNothing: .double(0)),
          sum("duration", .duration, ofNothing: .duration(DurationValue(nanoseconds: 0))),
        ]
      ),
      Function(
        "list.min()",
        .listsAndMaps,
        "the least element; absent elements are ignored, and without any the result is absent",
        examples: ["[3, 1, 2].min()": "1"],
        overloads: extremes("min", .less)
      ),
      Function(
        "list.max()",
        .listsAndMaps,
        "the greatest element; absent elements are ignored, and without any the result is absent",
        examples: ["['b', 'c', 'a'].max()": #""c""#],
        overloads: extremes("max", .greater)
      ),
    ]
  )

  private static func sum(_ name: String, _ type: CELType, ofNothing zero: Value) -> Overload {
    Overload(
      id: "list_\(name)_sum",
      name: "sum",
      isMember: true,
      parameters: [.list(type)],
      result: type,
      cost: .linear([0]),
      implementation: .list { $0.sum(ofNothing: zero) }
    )
  }

  private static func extremes(_ function: String, _ order: ValueOrder) -> [Overload] {
    comparable.map { name, type in
      Overload(
        id: "list_\(name)_\(function)",
        name: function,
        isMember: true,
        parameters: [.list(type)],
        // Of nothing it is null.
        result: .wrapper(type),
        cost: .content([0]),
        resultSize: .argument(0),
        implementation: .list { $0.extreme(order) }
      )
    }
  }
}

extension ListValue {
  /// The sum of the elements that are not null. Ints beside doubles are added as doubles.
  ///
  /// - Parameter zero: the sum of nothing, of the type that the list is declared with.
  fileprivate func sum(ofNothing zero: Value) -> Value {
    if zero.isDouble || elements.contains(where: \.isDouble) { return sumOfDoubles(ofNothing: zero) }
    var sum: Value?
    for element in elements {
      switch element {
      case .null: continue
      case .int, .uint, .duration: break
      default: return .error(.noSuchOverload)
      }
      let next = sum?.adding(element) ?? element
      if next.isError { return next }
      sum = next
    }
    return sum ?? zero
  }

  private func sumOfDoubles(ofNothing zero: Value) -> Value {
    var isEmpty = true
    // Added to any number it changes nothing, be that -0.0.
    var sum = -0.0
    for element in elements {
      switch element {
      case .null: continue
      case .int(let number): sum += Double(number)
      case .double(let number): sum += number
      default: return .error(.noSuchOverload)
      }
      isEmpty = false
    }
    return isEmpty ? zero : .double(sum)
  }

  /// The first element that compares in that way with all other elements; null when all are null.
  fileprivate func extreme(_ wanted: ValueOrder) -> Value {
    var best: Value?
    for candidate in elements {
      if case .null = candidate { continue }
      guard let order = candidate.order(best ?? candidate) else { return .error(.noSuchOverload) }
      if best == nil || order == wanted { best = candidate }
    }
    return best ?? .null
  }
}

extension Value {
  fileprivate var isDouble: Bool {
    if case .double = self { true } else { false }
  }
}
