extension Library {
  /// Lists as sets, by the language's equality (cel-go, `ext/README.md`, "Sets").
  public static let sets = Library(
    name: "sets",
    functions: [
      Function(
        "sets.contains(list, list)",
        .listsAndMaps,
        "whether all elements of the second list are in the first",
        examples: ["sets.contains([1, 2, 3], [2, 3])": "true"],
        overloads: [
          Overload(
            id: "list_sets_contains_list",
            name: "sets.contains",
            parameters: [.listOfA, .listOfA],
            result: .bool,
            cost: .content([0, 1]),
            implementation: .lists { .bool($0.isSuperset(of: $1)) }
          )
        ]
      ),
      Function(
        "sets.equivalent(list, list)",
        .listsAndMaps,
        "whether two lists have the same elements, in any order and any number",
        examples: ["sets.equivalent([1, 2], [2, 1, 1])": "true"],
        overloads: [
          Overload(
            id: "list_sets_equivalent_list",
            name: "sets.equivalent",
            parameters: [.listOfA, .listOfA],
            result: .bool,
            cost: .content([0, 1]),
            implementation: .lists { .bool($0.isSuperset(of: $1) && $1.isSuperset(of: $0)) }
          )
        ]
      ),
      Function(
        "sets.intersects(list, list)",
        .listsAndMaps,
        "whether two lists have at least one element in common",
        examples: ["sets.intersects([1, 2], [2, 3])": "true"],
        overloads: [
          Overload(
            id: "list_sets_intersects_list",
            name: "sets.intersects",
            parameters: [.listOfA, .listOfA],
            result: .bool,
            cost: .content([0, 1]),
            implementation: .lists { first, second in
              let members = first.members
              return .bool(second.contains { members.contains(EqualityKey(value: $0)) })
            }
          )
        ]
      ),
    ]
  )
}

extension ListValue {
  fileprivate var members: Set<EqualityKey> { Set(elements.lazy.map(EqualityKey.init)) }

  /// Whether every element of the other list equals one of this list.
  fileprivate func isSuperset(of other: ListValue) -> Bool {
    if other.isEmpty { return true }
    let members = members
    return other.allSatisfy { members.contains(EqualityKey(value: $0)) }
  }
}
