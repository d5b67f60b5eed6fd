extension Library {
  /// The functions behind the macros with two variables (cel-go, `ext/comprehensions.go`): they add to the map that is
  /// being built.
  public static let comprehensions = Library(
    name: "comprehensions",
    functions: [],
    operators: [
      Overload(
        id: "@mapInsert_map_key_value",
        name: "cel.@mapInsert",
        parameters: [.mapOfAB, .a, .b],
        result: .mapOfAB,
        cost: .constant(1),
        resultSize: .sum([0, 2]),
        implementation: .ternary { map, key, value in
          guard case .map(var map) = map else { return .error(.noSuchOverload) }
          return map.addEntry(value, for: key) ?? .map(map)
        }
      ),
      Overload(
        id: "@mapInsert_map_map",
        name: "cel.@mapInsert",
        parameters: [.mapOfAB, .mapOfAB],
        result: .mapOfAB,
        cost: .linear([1]),
        resultSize: .sum([0, 1]),
        implementation: .binary { map, other in
          guard case .map(var map) = map, case .map(let other) = other else { return .error(.noSuchOverload) }
          for entry in other.entries {
            if let failure = map.addEntry(entry.value, for: entry.key) { return failure }
          }
          return .map(map)
        }
      ),
    ]
  )
}

extension MapValue {
  /// Adds an entry; returns the failure if that is not possible.
  public mutating func addEntry(_ value: Value, for key: Value) -> Value? {
    guard count < ResultLimits.elementsMax else { return ResultLimits.listTooLarge }
    do throws(InsertionError) {
      try insert(value, for: key)
      return nil
    } catch {
      switch error {
      case .repeatedKey: return .failure(.repeatedKey, "repeated key: \(key)")
      case .unsupportedKey:
        return .failure(.unsupportedKey, "unsupported key type: \(key.runtimeType?.name ?? "error")")
      }
    }
  }
}
