internal import CEL
import Randomness

/// Writes random expressions over the variables of ``environment``: all that the grammar has, most of it well typed.
struct ExpressionGenerator {
  var numbers: SeededGenerator

  init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

  /// Variables of each type, and a record.
  static var environment: Environment {
    var environment = Environment()
    environment.declare(variable: "b", type: .bool, slot: 0)
    environment.declare(variable: "i", type: .int, slot: 1)
    environment.declare(variable: "u", type: .uint, slot: 2)
    environment.declare(variable: "d", type: .double, slot: 3)
    environment.declare(variable: "s", type: .string, slot: 4, size: SizeBounds(max: 40))
    environment.declare(
      variable: "l",
      type: .list(.int),
      slot: 5,
      size: SizeBounds(max: 5, elements: .scalar)
    )
    environment.declare(
      variable: "m",
      type: .map(.string, .int),
      slot: 6,
      size: SizeBounds(max: 5, elements: .scalar)
    )
    environment.declare(variable: "x", type: .dyn, slot: 7, size: SizeBounds(max: 40))
    environment.declare(variable: "v.email", type: .string, slot: 8, size: SizeBounds(max: 40))
    return environment
  }

  private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int.random(in: 0..<items.count, using: &numbers)] }

  /// An expression of any type.
  mutating func expression(depth: Int) -> String {
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0: bool(depth)
    case 1: int(depth)
    case 2: text(depth)
    case 3: list(depth)
    case 4: map(depth)
    case 5: double(depth)
    default: dynamic(depth)
    }
  }

  mutating func bool(_ depth: Int) -> String {
    guard depth > 0 else { return pick(["true", "false", "b", "b", "has(m.a)"]) }
    let less = depth - 1
    switch Int.random(in: 0..<15, using: &numbers) {
    case 0: return "\(bool(less)) && \(bool(less))"
    case 1: return "\(bool(less)) || \(bool(less)) || \(bool(less))"
    case 2: return "!(\(bool(less)))"
    case 3: return "(\(bool(less))) ? (\(bool(less))) : \(bool(less))"
    case 4: return "\(int(less)) \(pick(["<", "<=", ">", ">=", "==", "!="])) \(int(less))"
    case 5: return "\(text(less)) \(pick(["<", "==", "!=", ">="])) \(text(less))"
    case 6: return "(\(text(less))).\(pick(["contains", "startsWith", "endsWith"]))(\(text(less)))"
    case 7: return "\(int(less)) in \(list(less))"
    case 8: return "\(list(less)).\(pick(["all", "exists", "exists_one"]))(e, \(bool(less)) || e == \(int(less)))"
    case 9: return "\(list(less)).\(pick(["all", "exists", "existsOne"]))(k, e, e > k && \(bool(less)))"
    case 10: return "(\(text(less))).matches('[a-c]+\(pick(["", "$", ".*b"]))')"
    case 11: return "\(expression(depth: less)) == dyn(\(expression(depth: less)))"
    case 12: return "has({'a': \(int(less))}.\(pick(["a", "b", "`a-b`"])))"
    case 13: return "cel.bind(q, \(bool(less)), q && \(bool(less)))"
    default: return "optional.of(\(int(less))).hasValue()"
    }
  }

  mutating func int(_ depth: Int) -> String {
    guard depth > 0 else {
      return pick(["0", "1", "-1", "7", "i", "9223372036854775807", "-9223372036854775808", "0x1F", "m.a", "l[0]"])
    }
    let less = depth - 1
    switch Int.random(in: 0..<9, using: &numbers) {
    case 0...2: return "(\(int(less)) \(pick(["+", "-", "*", "/", "%"])) \(int(less)))"
    case 3: return "-(\(int(less)))"
    case 4: return "size(\(pick([text(less), list(less), map(less)])))"
    case 5: return "\(list(less))[\(int(less))]"
    case 6: return "int(\(pick([double(less), text(less), "u"])))"
    case 7: return "((\(bool(less))) ? \(int(less)) : \(int(less)))"
    default: return "m.?\(pick(["a", "b"])).orValue(\(int(less)))"
    }
  }

  mutating func double(_ depth: Int) -> String {
    guard depth > 0 else { return pick(["0.0", "-1.5", "1e300", "d", "2.5e-7", ".5"]) }
    switch Int.random(in: 0..<3, using: &numbers) {
    case 0: return "(\(double(depth - 1)) \(pick(["+", "-", "*", "/"])) \(double(depth - 1)))"
    case 1: return "double(\(int(depth - 1)))"
    default: return "math.greatest(\(double(depth - 1)), d, 1.0)"
    }
  }

  mutating func text(_ depth: Int) -> String {
    guard depth > 0 else {
      return pick([
        "''", "'a'", "\"b\\n\"", "r'\\d'", "'''x'y'''", "s", "v.email", "'\\u00e9\\U0001F600'", "'e\u{301}'",
      ])
    }
    let less = depth - 1
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0: return "(\(text(less)) + \(text(less)))"
    case 1: return "string(\(int(less)))"
    case 2: return "\(text(less)).\(pick(["lowerAscii()", "trim()", "reverse()", "replace('a', 'bb')"]))"
    case 3: return "(\(text(less))).substring(\(int(less)))"
    case 4: return "'%s-%d'.format([\(text(less)), \(int(less))])"
    default: return "[\(text(less)), \(text(less))].join(',')"
    }
  }

  mutating func list(_ depth: Int) -> String {
    guard depth > 0 else { return pick(["[]", "[1, 2, 3]", "l", "[-5]"]) }
    let less = depth - 1
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0: return "[\(int(less)), \(int(less))]"
    case 1: return "(\(list(less)) + \(list(less)))"
    case 2: return "\(list(less)).filter(e, \(bool(less)) && e != \(int(less)))"
    case 3: return "\(list(less)).map(e, e > 0, e + \(int(less)))"
    case 4: return "\(list(less)).transformList(k, e, e - k)"
    case 5: return "[?optional.of(\(int(less))), ?m[?'a'], 4]"
    default: return "\(list(less)).sortBy(e, -e)"
    }
  }

  mutating func map(_ depth: Int) -> String {
    guard depth > 0 else { return pick(["{}", "m", "{'a': 1}", "{'a': 1, 'b': 2}"]) }
    let less = depth - 1
    switch Int.random(in: 0..<3, using: &numbers) {
    case 0: return "{\(text(less)): \(int(less))}"
    case 1: return "{'k': \(int(less)), ?'o': optional.of(\(int(less)))}"
    default: return "\(map(less)).transformMap(k, e, e + \(int(less)))"
    }
  }

  mutating func dynamic(_ depth: Int) -> String {
    guard depth > 0 else { return pick(["x", "dyn(1)", "dyn('a')", "null", "b'a\\xff'", "2u", "timestamp(0)"]) }
    let less = depth - 1
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: return "x.\(pick(["a", "b", "c"]))"
    case 1: return "x[\(expression(depth: less))]"
    case 2: return "dyn(\(expression(depth: less)))"
    case 3: return "x + \(expression(depth: less))"
    default: return "type(\(expression(depth: less)))"
    }
  }

  /// Values for the slots of ``environment``.
  mutating func slots() -> [Value] {
    [
      .bool(Bool.random(using: &numbers)), .int(pick([0, 1, -1, 5, .max, .min])), .uint(pick([0, 3, .max])),
      .double(pick([0, -0.0, 1.5, .nan, .infinity, 1e19])),
      .string(pick(["", "abc", "a@b.c", "\u{e9}\u{1F600}", "e\u{301}"])),
      .list((0..<Int.random(in: 0...5, using: &numbers)).map { .int(Int64($0) - 2) }), map(of: ["a", "b"]),
      pick([
        .null, .int(1), .string("a"), [1, "b"], .error(EvaluationError(.conversion, "not known")),
        .unknown(UnknownSet(["x"])), map(of: ["a", "c"]), .bytes([255]),
      ]),
      .string(pick(["someone@example.com", ""])),
    ]
  }

  private mutating func map(of names: [String]) -> Value {
    var map = MapValue()
    for name in names where Bool.random(using: &numbers) {
      _ = map.addEntry(.int(Int64.random(in: -2...2, using: &numbers)), for: .string(name))
    }
    return .map(map)
  }
}
