extension Library {
  /// What Kubernetes' library of lists has: `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`. Unlike in ``aggregates``, nothing is
  /// left out, and of an empty list there is no least and no greatest element.
  static let listSearches = Library(name: "kubernetes.lists", overloads: listOrders + listSums + listPositions)

  private static let listOrders: [Overload] = {
    let comparable: [(String, CELType)] = [
      ("int", .int), ("uint", .uint), ("double", .double), ("bool", .bool), ("duration", .duration),
      ("timestamp", .timestamp), ("string", .string), ("bytes", .bytes),
    ]
    return comparable.flatMap { name, type in
      [
        Overload(
          id: "list_\(name)_is_sorted_bool",
          name: "isSorted",
          isMember: true,
          parameters: [.list(type)],
          result: .bool,
          cost: .content([0]),
          implementation: .list { $0.isSorted }
        ),
        extreme("min", .less, name, type),
        extreme("max", .greater, name, type),
      ]
    }
  }()

  private static func extreme(_ function: String, _ order: ValueOrder, _ name: String, _ type: CELType) -> Overload {
    Overload(
      id: "list_\(name)_\(function)_\(name)",
      name: function,
      isMember: true,
      parameters: [.list(type)],
      result: type,
      cost: .content([0]),
      resultSize: .argument(0),
      implementation: .list { list in
        guard var best = list.first else {
          return .failure(.invalidArgument, "\(function) is called on an empty list")
        }
        for candidate in list.dropFirst() {
          guard let found = candidate.order(best) else { return .error(.noSuchOverload) }
          if found == order { best = candidate }
        }
        return best
      }
    )
  }

  private static let listSums: [Overload] = {
    let zeros: [(String, CELType, Value)] = [
      ("int", .int, .int(0)), ("uint", .uint, .uint(0)), ("double", .double, .double(0)),
      ("duration", .duration, .duration(DurationValue(nanoseconds: 0))),
    ]
    return zeros.map { name, type, zero in
      Overload(
        id: "list_\(name)_sum_\(name)",
        name: "sum",
        isMember: true,
        parameters: [.list(type)],
        result: type,
        cost: .linear([0]),
        implementation: .list { list in
          // Where nobody knew the type, the first element tells it.
          guard var sum = list.first else { return zero }
          for element in list.dropFirst() where !sum.isError { sum = sum.adding(element) }
          return sum
        }
      )
    }
  }()

  private static let listPositions: [Overload] = {
    func position(_ id: String, _ name: String, _ body: @escaping @Sendable (ListValue, Value) -> Int?) -> Overload {
      Overload(
        id: id,
        name: name,
        isMember: true,
        parameters: [.listOfA, .a],
        result: .int,
        cost: .content([0, 1]),
        implementation: .binary { first, element in
          guard case .list(let list) = first else { return .error(.noSuchOverload) }
          return .int(Int64(body(list, element) ?? -1))
        }
      )
    }
    return [
      position("list_a_index_of_int", "indexOf") { list, element in list.firstIndex { $0.equals(element) } },
      position("list_a_last_index_of_int", "lastIndexOf") { list, element in list.lastIndex { $0.equals(element) } },
    ]
  }()
}

extension ListValue {
  /// Whether no element comes before the one that it stands behind.
  fileprivate var isSorted: Value {
    for (earlier, later) in zip(elements, elements.dropFirst()) {
      guard let order = earlier.order(later) else { return .error(.noSuchOverload) }
      if order == .greater { return false }
    }
    return true
  }
}
