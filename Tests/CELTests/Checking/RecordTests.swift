import CEL
import JSON
import Testing

/// Records within lists and records, whose values are external data.
@Suite struct RecordTests {
  /// `orders` is a list of records, and `first` is one such record. A record has a text `name`, a bool `done`, a double
  /// `price`, an int `count`, texts `tags`, and a record `place`. The record `place` has a text `city`, and further
  /// members whose names begin with `x`.
  private static let environment: Environment = {
    var environment = Environment()
    environment.spreadAbsence()
    environment.declare(
      RecordDeclaration(name: "place", fields: ["city": .init(type: .string)], admittingOthers: { $0.hasPrefix("x") })
    )
    environment.declare(
      RecordDeclaration(
        name: "order",
        fields: [
          "name": .init(type: .string, size: SizeBounds(max: 20)), "done": .init(type: .bool),
          "price": .init(type: .wrapper(.double)), "count": .init(type: .wrapper(.int)),
          "tags": .init(type: .list(.string), size: SizeBounds(max: 5, elements: SizeBounds(max: 10))),
          "place": .init(type: .object("place")), "none": .init(type: .wrapper(.object("place"))),
        ]
      )
    )
    environment.declare(variable: "orders", type: .list(.object("order")), size: SizeBounds(max: 10))
    environment.declare(variable: "first", type: .object("order"))
    environment.declare(variable: "other", type: .object("place"))
    return environment
  }()

  private func value(_ source: String, _ orders: JSON = [[:]]) throws -> Value {
    try Self.environment.compile(source).evaluate([
      "orders": Value(orders), "first": orders.arrayValue?.first.map { Value($0) } ?? .null, "other": .null,
    ])
  }

  @Test(arguments: [
    "orders.all(o, o.name == '' && !o.done && o.count == null && o.tags == [] && o.place == {} && o.place.city == '')",
    "orders.exists(o, !o.done) && !orders.exists(o, o.done)",
    "orders.all(o, !has(o.name) && !has(o.place) && !has(o.place.city) && !has(o['name']) && !has(o.place['city']))",
    "orders.map(o, o.count + 1) == [null] && orders[0].price == null && orders[0].tags.size() == 0",
    "first.name + 'x' == 'x' && first.place.city == '' && first.place.x1 == null && !has(first.place.x1) && other == {}",
    "first['name'] == '' && first['place']['city'] == '' && !first['done'] && !('name' in first) && size(first) == 0",
    "first.none == null && first.none.city == '' && !has(first.none.city) && other.city == '' && other == null",
  ])
  func `what a record lacks reads as the empty value of its type, at every depth`(source: String) throws {
    #expect(try value(source) == true)
    if source.contains("size(first)") { return }
    #expect(try value(source, [["name": .null, "done": .null, "place": .null, "none": .null, "tags": .null]]) == true)
  }

  @Test(arguments: [
    "orders.all(o, o.price * 2.0 == 10.0 && o.count + 1 == 4)", "orders.map(o, o.price).map(p, p / 2.0) == [2.5]",
    "orders[0].price / 2.0 == 2.5 && first.price / 2.0 == 2.5",
    "orders.map(o, o.name) == [''] && orders.all(o, o.name == '')",
    "orders.all(o, !o.done && o.place.city == '' && o.tags.map(t, t + '!') == ['a!', '!'])",
    "has(first.price) && !has(first.place.city) && first.tags[1] + 'x' == 'x'",
  ])
  func `a value of another type is absent, and a whole number is a number`(source: String) throws {
    let order: JSON = ["price": 5, "count": 3.0, "name": 7, "done": "yes", "place": "Paris", "tags": ["a", 1]]
    let found = try value(source, [order])
    #expect(found == true, "\(found)")
  }

  @Test(arguments: [
    ("orders.map(i, i.zzz)", "1:17: unknown name 'i.zzz'; it has: count, done, name, none, place, price, tags"),
    ("orders.exists(o, o.place.cty == '')", "1:26: unknown name 'o.place.cty'; did you mean 'o.place.city'?"),
    ("orders[0].nam", "1:11: unknown name '.nam'; did you mean '.name'?"),
    ("first['nme']", "1:6: unknown name 'first.nme'; did you mean 'first.name'?"),
    ("has(first.nme)", "unknown name 'first.nme'"), ("has(first['nme'])", "unknown name 'first.nme'"),
    ("orders.map(o, o.count + o.price)", "'+' cannot take"), ("orders.exists(o, o.name)", "must be of type bool"),
    ("first.none.cty", "unknown name 'first.none.cty'"),
  ])
  func `a member that no declaration names is refused`(source: String, message: String) {
    let error = #expect(throws: ExpressionError.self) { try Self.environment.compile(source) }
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    "[first, other].size() == 2", "dyn(first) == first", "first == other || first.place == other",
    "first.all(k, k != '')",
    "(true ? first : other).size() >= 0", "(true ? first : {'q': 1}).q == null",
    "[orders, [other]].flatten().exists(x, x.city == '')",
    "first.transformList(k, v, v).size() >= 0", "other in [first.place]", "first.?name.orValue('a') != ''",
    "orders == [first]",
    "first[first.name + 'q'] == null",
  ])
  func `a record is a map where several meet`(source: String) throws {
    let found = try value(source)
    #expect(!found.isError, "\(found)")
  }

  @Test func `the sizes of members are known`() throws {
    let cost = try Self.environment.compile("orders.map(o, o.tags.join(o.name)).join()").cost
    #expect(cost.unbounded == nil && cost.steps < 5_000)
  }
}
