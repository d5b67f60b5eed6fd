extension Library {
  /// Lists: parts, order, nesting (cel-go, `ext/README.md`, "Lists"). The macro `sortBy` expands to
  /// `@sortByAssociatedKeys`, whose second argument is the list of the elements' keys.
  public static let lists = Library(
    name: "lists",
    functions: listPartFunctions + listOrderFunctions,
    operators: keySortingOverloads
  )

  private static let listPartFunctions: [Function] = [
    Function(
      "list.slice(from, to)",
      .listsAndMaps,
      "the elements from a start position up to an end position (not included)",
      examples: ["[1, 2, 3, 4].slice(1, 3)": "[2, 3]"],
      overloads: [
        Overload(
          id: "list_slice",
          name: "slice",
          isMember: true,
          parameters: [.listOfA, .int, .int],
          result: .listOfA,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .ternary { list, start, end in
            guard case .list(let list) = list, case .int(let start) = start, case .int(let end) = end else {
              return .error(.noSuchOverload)
            }
            guard start >= 0, start <= end, end <= list.count else {
              return .failure(.indexOutOfBounds, "cannot slice(\(start), \(end)) a list of \(list.count) elements")
            }
            return .list(ListValue(Array(list.elements[Int(start)..<Int(end)])))
          }
        )
      ]
    ),
    Function(
      "list.flatten()",
      .listsAndMaps,
      "the elements of the lists in a list, one level deep or as many levels as given",
      examples: ["[[1], [2, 3]].flatten()": "[1, 2, 3]"],
      overloads: [
        Overload(
          id: "list_flatten",
          name: "flatten",
          isMember: true,
          parameters: [.list(.listOfA)],
          result: .listOfA,
          cost: .linear([0]),
          resultSize: .flattened(0),
          implementation: .list { $0.flattened(depth: 1) }
        ),
        Overload(
          id: "list_flatten_int",
          name: "flatten",
          isMember: true,
          parameters: [.list(.dyn), .int],
          result: .list(.dyn),
          cost: .content([0]),
          resultSize: .limit,
          implementation: .binary { list, depth in
            guard case .list(let list) = list, case .int(let depth) = depth else { return .error(.noSuchOverload) }
            guard depth >= 0 else { return .failure(.invalidArgument, "flatten: the level must not be negative") }
            return list.flattened(depth: depth)
          }
        ),
      ]
    ),
    Function(
      "list.distinct()",
      .listsAndMaps,
      "the elements without repetitions",
      examples: ["[1, 2, 1].distinct()": "[1, 2]"],
      overloads: [
        Overload(
          id: "list_distinct",
          name: "distinct",
          isMember: true,
          parameters: [.listOfA],
          result: .listOfA,
          cost: .content([0]),
          resultSize: .argument(0),
          implementation: .list { list in
            var seen = Set<EqualityKey>(minimumCapacity: list.count)
            return .list(ListValue(list.elements.filter { seen.insert(EqualityKey(value: $0)).inserted }))
          }
        )
      ]
    ),
    Function(
      "lists.range(count)",
      .listsAndMaps,
      "as many integers as given, from 0",
      examples: ["lists.range(3)": "[0, 1, 2]"],
      overloads: [
        Overload(
          id: "lists_range",
          name: "lists.range",
          parameters: [.int],
          result: .list(.int),
          cost: .linear([0]),
          resultSize: .limit,
          implementation: .unary { argument in
            guard case .int(let count) = argument else { return .error(.noSuchOverload) }
            guard count <= ResultLimits.elementsMax else { return ResultLimits.listTooLarge }
            return .list(ListValue((0..<max(0, count)).map { .int($0) }))
          }
        )
      ]
    ),
    Function(
      "list.first()",
      .listsAndMaps,
      "the first element, as an optional",
      examples: ["[1, 2].first().orValue(0)": "1"],
      overloads: [
        Overload(
          id: "list_first",
          name: "first",
          isMember: true,
          parameters: [.listOfA],
          result: .optionalA,
          resultSize: .argument(0),
          implementation: .list { .optional($0.first) }
        )
      ]
    ),
    Function(
      "list.last()",
      .listsAndMaps,
      "the last element, as an optional",
      examples: ["[].last().orValue(0)": "0"],
      overloads: [
        Overload(
          id: "list_last",
          name: "last",
          isMember: true,
          parameters: [.listOfA],
          result: .optionalA,
          resultSize: .argument(0),
          implementation: .list { .optional($0.last) }
        )
      ]
    ),
  ]

  /// A list of the most elements allowed takes about 17 comparisons for each of its keys, which are that argument.
  private static func sortingCost(byKeys keys: Int) -> Overload.Cost { .content(Array(repeating: keys, count: 17)) }

  private static let listOrderFunctions: [Function] = [
    Function(
      "list.reverse()",
      .listsAndMaps,
      "the list in reverse order",
      examples: ["[1, 2].reverse()": "[2, 1]"],
      overloads: [
        Overload(
          id: "list_reverse",
          name: "reverse",
          isMember: true,
          parameters: [.listOfA],
          result: .listOfA,
          cost: .linear([0]),
          resultSize: .argument(0),
          implementation: .list { .list(ListValue($0.elements.reversed())) }
        )
      ]
    ),
    Function(
      "list.sort()",
      .listsAndMaps,
      "the elements in ascending order, without absent elements",
      examples: ["[3, null, 1].sort()": "[1, 3]"],
      overloads: comparable.map { name, type in
        Overload(
          id: "list_\(name)_sort",
          name: "sort",
          isMember: true,
          parameters: [.list(type)],
          result: .list(type),
          cost: sortingCost(byKeys: 0),
          resultSize: .argument(0),
          implementation: .list { $0.withoutNull.sorted(byKeys: $0.withoutNull) }
        )
      }
    ),
  ]

  /// What `sortBy` becomes.
  private static let keySortingOverloads: [Overload] = comparable.map { name, type in
    Overload(
      id: "list_\(name)_sortByAssociatedKeys",
      name: "@sortByAssociatedKeys",
      isMember: true,
      parameters: [.listOfA, .list(type)],
      result: .listOfA,
      cost: sortingCost(byKeys: 1),
      resultSize: .argument(0),
      implementation: .lists { $0.sorted(byKeys: $1) }
    )
  }

  /// The types with an order, by their names in identifiers of overloads.
  static let comparable: [(String, CELType)] = [
    ("int", .int), ("uint", .uint), ("double", .double), ("bool", .bool), ("duration", .duration),
    ("timestamp", .timestamp), ("string", .string), ("bytes", .bytes),
  ]
}

extension ListValue {
  /// The elements of the lists in this list, down to that depth.
  fileprivate func flattened(depth: Int64) -> Value {
    var result: [Value] = []
    // The rest of each list that is being read, the innermost last: nesting costs no stack.
    var open: [(elements: ArraySlice<Value>, depth: Int64)] = [(elements[...], depth)]
    while let last = open.last {
      guard let element = last.elements.first else {
        open.removeLast()
        continue
      }
      open[open.count - 1].elements = last.elements.dropFirst()
      if last.depth > 0, case .list(let inner) = element {
        open.append((inner.elements[...], last.depth - 1))
      } else {
        guard result.count < ResultLimits.elementsMax else { return ResultLimits.listTooLarge }
        result.append(element)
      }
    }
    return .list(ListValue(result))
  }

  /// The elements that are not null.
  fileprivate var withoutNull: ListValue { ListValue(elements.filter { !$0.isNull }) }

  /// The elements in the order of their keys. Elements with equal keys keep their order, and elements with a null key
  /// follow all others. It is an error unless all other keys are of one type that has an order.
  fileprivate func sorted(byKeys keys: ListValue) -> Value {
    guard keys.count == count else {
      return .failure(.invalidArgument, "sort: \(count) elements but \(keys.count) keys")
    }
    let keyed = keys.indices.filter { !keys[$0].isNull }
    guard let first = keyed.first.map({ keys[$0] }) else { return .list(self) }
    guard first.order(first) != nil else {
      return .failure(.noSuchOverload, "no such overload: sort needs elements that can be compared")
    }
    let type = first.runtimeType
    guard keyed.allSatisfy({ keys[$0].runtimeType == type }) else {
      return .failure(.noSuchOverload, "no such overload: sort needs elements of one type")
    }
    // The standard library's sort is stable and needs a strict weak order, which NaN is not part of: NaN comes first.
    let positions = keyed.sorted { left, right in
      switch (keys[left], keys[right]) {
      case (.double(let a), .double(let b)) where a.isNaN || b.isNaN: a.isNaN && !b.isNaN
      default: keys[left].order(keys[right]) == .less
      }
    }
    return .list(ListValue((positions + keys.indices.filter { keys[$0].isNull }).map { self[$0] }))
  }
}
