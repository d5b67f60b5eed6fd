import CEL
import JSON
import Testing

@Suite struct CheckerTests {
  private var environment: Environment {
    var environment = ExpressionGenerator.environment
    environment.declare(
      RecordDeclaration(
        name: "Field",
        fields: ["isValid": .init(type: .bool), "label": .init(type: .string, size: SizeBounds(max: 20))]
      )
    )
    environment.declare(variable: "field", type: .object("Field"))
    environment.declare(variable: "values.password", type: .string)
    environment.declare(variable: "n", type: .wrapper(.double))
    return environment
  }

  @Test(
    arguments: [
      ("1 + 2", "int"), ("[1, 'a']", "list(dyn)"), ("[]", "list(dyn)"), ("{}", "map(dyn, dyn)"),
      ("[[], [1]]", "list(list(int))"), ("{'a': [], 'b': ['x']}", "map(string, list(string))"),
      ("b ? 1 : 2", "int"), ("b ? dyn(1) : 2", "dyn"), ("l.map(e, string(e))", "list(string)"),
      ("l.filter(e, e > 1)", "list(int)"), ("m.map(k, k)", "list(string)"), ("l.all(e, e > 0)", "bool"),
      ("m.transformMap(k, v, k + 'x')", "map(string, string)"), ("l.transformList(i, e, i + e)", "list(int)"),
      ("m.transformMapEntry(k, v, {v: k})", "map(int, string)"), ("m.?a", "optional_type(int)"),
      ("m[?'a']", "optional_type(int)"),
      ("m.?a.orValue(3)", "int"), ("m.?a.optMap(e, string(e))", "optional_type(string)"),
      ("optional.of(l)[0]", "optional_type(int)"), ("cel.bind(q, 'a', q + q)", "string"), ("type(1)", "type(int)"),
      ("int", "type(int)"), ("x.a.b", "dyn"), ("[1, null]", "list(dyn)"),
      ("[optional.of(1), null]", "list(optional_type(int))"),
      ("field.label + s", "string"), ("l.sortBy(e, -e)", "list(int)"), ("[?optional.of(1)]", "list(int)"),
      ("timestamp(0) - timestamp(1)", "duration"), ("{1: 'a'}[1]", "string"), ("has(field.label)", "bool"),
    ] as [(String, String)]
  )
  func `the type of an expression is inferred`(source: String, type: String) throws {
    let environment = environment
    #expect(try environment.check(environment.parse(source)).type.description == type)
  }

  @Test(
    arguments: [
      ("v.emial", 1, "unknown name 'v.emial'; did you mean 'v.email'?"),
      ("field.isVaild", 7, "unknown name 'field.isVaild'; did you mean 'field.isValid'?"),
      ("field.other", 7, "unknown name 'field.other'; it has: isValid, label"),
      ("nothing", 1, "unknown name 'nothing'"),
      ("password != ''", 1, "unknown name 'password'; did you mean 'values.password'?"),
      ("size", 1, "unknown name 'size'; 'size' is a function, call it: 'size(...)'"),
      ("s.contain('a')", 3, "unknown function 'contain'; did you mean 'contains'?"),
      ("math.cell(1.5)", 6, "unknown function 'math.cell'; did you mean 'math.ceil'?"),
      ("l.exist(e, e > 1)", 3, "unknown function 'exist'; did you mean 'exists'?"),
      ("l.all(e > 1)", 3, "all() is written 'a.all(x, condition)'"),
      ("cel.bnd(q, 1, q)", 5, "unknown function 'cel.bnd'; did you mean 'cel.bind'?"),
      ("1 + 'a'", 3, "'+' cannot take (int, string)"),
      ("i + 1.0", 3, "'+' cannot take (int, double); convert one side, for example with double(...)"),
      ("n != 4", 3, "'!=' cannot take (double or null, int); write 4.0"),
      ("-1 + n", 4, "'+' cannot take (int, double or null); write -1.0"),
      ("s && b", 1, "each side of '&&' must be of type bool; it is of type string"),
      ("s ? 1 : 2", 1, "the condition before '?' must be of type bool; it is of type string"),
      (
        "b ? 1 : 'a'", 3,
        "both sides of ':' must have the same type; they are of types int and string (dyn(x) disables the type check)"
      ),
      ("i.all(e, true)", 1, "all() needs a list or map; this is of type int"),
      ("l.all(e, e)", 10, "the predicate of all() must be of type bool; it is of type int"),
      ("i.f", 3, "a value of type int has no fields; '.f' cannot be selected"),
      ("[?1]", 3, "an optional is needed after '?'; this is of type int"),
      ("{[1]: 2}", 2, "a key must be of type bool, int, uint or string; it is of type list(int)"),
      ("contains('a', 'b')", 1, "contains() is called on a value; write x.contains(...)"),
      ("Unknown{a: 1}", 1, "unknown record type 'Unknown'"),
      ("Field{label: 1}", 14, "the field 'label' must be of type string; it is of type int"),
      ("s.matches('(')", 11, "the regular expression does not compile"),
    ] as [(String, Int, String)]
  )
  func `what does not fit is told with its column and a remedy`(source: String, column: Int, message: String) throws {
    let found = #expect(throws: ExpressionError.self) { try environment.compile(source) }
    let first = try #require(found?.problems.first)
    #expect(first.message.hasPrefix(message))
    #expect(first.position.column == column)
    #expect(found?.problems.count == 1)
  }

  @Test func `the type of the whole expression can be asked for`() throws {
    _ = try environment.compile("i > 1", expecting: .bool)
    _ = try environment.compile("x", expecting: .bool)
    let found = #expect(throws: ExpressionError.self) { try environment.compile("i + 1", expecting: .bool) }
    #expect(found?.problems.first?.message == "the expression must be of type bool; it is of type int")
  }

  @Test func `one mistake is told once however far its value goes`() {
    let found = #expect(throws: ExpressionError.self) {
      try environment.compile("size(nowhere) + 1 > 2 && nowhere.a.b == 'c'")
    }
    #expect(found?.problems.map(\.position.column) == [6, 26])
  }

  @Test func `a name in a container hides the same name further out, and a dot asks for the root`() throws {
    var environment = Environment(container: "a.b")
    environment.declare(variable: "a.b.c", type: .int)
    environment.declare(variable: "a.c", type: .string)
    environment.declare(variable: "c", type: .bool)
    #expect(try environment.compile("c").type == .int)
    #expect(try environment.compile(".c").type == .bool)
    #expect(try environment.compile(".a.c").type == .string)
    #expect(try environment.compile("[true].all(c, c)").type == .bool)
  }

  @Test func `the longest declared name wins`() throws {
    var environment = Environment()
    environment.declare(variable: "values", type: .map(.string, .dyn))
    environment.declare(variable: "values.email", type: .string)
    #expect(try environment.compile("values.email").type == .string)
    #expect(try environment.compile("values.other").type == .dyn)
    #expect(try environment.compile("values.email.size()").dependencies.map(\.variable) == ["values.email"])
  }

  @Test func `the longest declared name wins in a long chain, too`() throws {
    var environment = Environment()
    environment.declare(variable: "a", type: .dyn)
    environment.declare(variable: "a.b.c", type: .dyn)
    let path = Array(repeating: "d", count: 400)
    for (start, variable, first) in [("a.b", "a", ["b"]), ("a.b.c", "a.b.c", []), ("a", "a", [])] {
      let program = try environment.compile("\(start).\(path.joined(separator: "."))")
      #expect(program.dependencies.map(\.variable) == [variable])
      #expect(program.dependencies.first?.path == first + path)
    }
    let error = #expect(throws: ExpressionError.self) { try environment.compile("x.\(path.joined(separator: "."))") }
    #expect(error?.problems.count == 1)
  }

  @Test func `a host's function with type parameters is inferred like the library's`() throws {
    var environment = Environment()
    environment.declare(
      Overload(
        id: "pair_T",
        name: "pair",
        parameters: [.parameter("T"), .parameter("T")],
        result: .list(.parameter("T")),
        implementation: .binary { .list([$0, $1]) }
      )
    )
    #expect(try environment.compile("pair(1, 2)").type == .list(.int))
    #expect(try environment.compile("pair('a', dyn(1))").type == .list(.dyn))
    #expect(throws: ExpressionError.self) { try environment.compile("pair(1, 'a')") }
  }
}
