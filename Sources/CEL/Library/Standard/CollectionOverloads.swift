extension Library {
  /// Indexing and membership.
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

  static let sizeFunction = Function(
    "size(x)",
    .texts,
    "the code points of a text, the bytes of bytes, the elements of a list, the entries of a map",
    examples: ["size('é')": "1", "[1, 2].size()": "2"],
    overloads: [("string", CELType.string), ("bytes", .bytes), ("list", .listOfA), ("map", .mapOfAB)].flatMap {
      name,
      type in
      [false, true].map { isMember in
        Overload(
          id: isMember ? "\(name)_size" : "size_\(name)",
          name: "size",
          isMember: isMember,
          parameters: [type],
          result: .int,
          cost: type == .string ? .linear([0]) : .constant(1),
          implementation: .unary { $0.size }
        )
      }
    }
  )
}
