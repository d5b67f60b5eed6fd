extension Library {
  /// Indexing, membership and size.
  static let collectionOverloads: [Overload] =
    [
      Overload(
        id: "index_list",
        name: "_[_]",
        parameters: [.listOfA, .int],
        result: .a,
        resultSize: .argument(0),
        implementation: .binary { $0.element(at: $1) }
      ),
      Overload(
        id: "index_map",
        name: "_[_]",
        parameters: [.mapOfAB, .a],
        result: .b,
        resultSize: .argument(0),
        implementation: .binary { $0.element(at: $1) }
      ),
      Overload(
        id: "in_list",
        name: "@in",
        parameters: [.a, .listOfA],
        result: .bool,
        cost: .linear([1]),
        implementation: .binary { $1.contains($0) }
      ),
      Overload(
        id: "in_map",
        name: "@in",
        parameters: [.a, .mapOfAB],
        result: .bool,
        implementation: .binary { $1.contains($0) }
      ),
    ]
    + [("string", CELType.string), ("bytes", .bytes), ("list", .listOfA), ("map", .mapOfAB)].flatMap { name, type in
      [
        Overload(
          id: "size_\(name)",
          name: "size",
          parameters: [type],
          result: .int,
          cost: type == .string ? .linear([0]) : .constant(1),
          implementation: .unary { $0.size }
        ),
        Overload(
          id: "\(name)_size",
          name: "size",
          isMember: true,
          parameters: [type],
          result: .int,
          cost: type == .string ? .linear([0]) : .constant(1),
          implementation: .unary { $0.size }
        ),
      ]
    }
}
