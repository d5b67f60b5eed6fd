import CEL
import Testing

@Suite struct `Lists whose order does not count` {
  private func set(_ elements: Value...) -> Value { .list(ListValue(elements, identity: .value)) }

  private func map(_ elements: [(String, Int64)]) -> Value {
    let values = elements.map { name, size in
      Value.map(MapValue(uncheckedNames: [("name", .string(name)), ("size", .int(size))]))
    }
    return .list(ListValue(values, identity: .members(["name"])))
  }

  @Test func `are equal in any order`() {
    #expect(set(1, 2).equals(set(2, 1)))
    #expect(set(1, 2).equals([2, 1]))
    #expect(!set(1, 2).equals(set(1, 3)))
    #expect(!set(1, 2).equals(set(1)))
    #expect(!Value.list([1, 2]).equals(.list([2, 1])))
    #expect(map([("a", 1), ("b", 2)]).equals(map([("b", 2), ("a", 1)])))
    #expect(!map([("a", 1), ("b", 2)]).equals(map([("b", 2), ("a", 3)])))
    #expect(!map([("a", 1)]).equals(map([("c", 1)])))
  }

  @Test func `are added by what tells their elements apart`() {
    let union = set(1, 2).adding(set(2, 3))
    #expect(union == [1, 2, 3])
    #expect(union.equals(set(3, 2, 1)))
    let merged = map([("a", 1), ("b", 2)]).adding(map([("c", 3), ("a", 4)]))
    #expect(merged == map([("a", 4), ("b", 2), ("c", 3)]))
    #expect(([1, 2] as Value).adding([2]) == [1, 2, 2])
  }

  @Test func `are one element among others, however they are ordered`() {
    var environment = Environment()
    environment.declare(variable: "x", type: .list(.list(.int)))
    let value = try? environment.compile("x.distinct().size()").evaluate(["x": [set(1, 2), set(2, 1)]])
    #expect(value == 1)
  }
}
