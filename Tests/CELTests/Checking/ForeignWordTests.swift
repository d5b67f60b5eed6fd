import CEL
import Testing

/// Words and signs of other languages in formulas, and what the message says to write.
@Suite struct `A word of JavaScript, Python or SQL` {
  private static func problems(_ source: String) -> [ExpressionError.Problem] {
    var environment = Environment()
    environment.spreadAbsence()
    let types: [(String, CELType)] = [
      ("v.name", .string), ("v.age", .wrapper(.int)), ("v.tags", .list(.string)), ("v.born", .string),
      ("now", .timestamp), ("today", .string), ("v.count", .wrapper(.int)), ("v.share", .wrapper(.double)),
    ]
    for (name, type) in types { environment.declare(variable: name, type: type) }
    do throws(ExpressionError) {
      _ = try environment.compile(source)
      return []
    } catch {
      return error.problems
    }
  }

  @Test(arguments: [
    // Signs.
    ("v.name ?? 'x'", "x.orValue(other)"), ("v.name ?: 'x'", "x.orValue(other)"), ("v.name === 'x'", "'=='"),
    ("v.name !== 'x'", "'!='"), ("v.name <> 'x'", "'!='"), ("v.name = 'x'", "'=='"), ("v.age & 1", "'&&'"),
    ("v.tags.map(t => t)", "list.map(x, value)"), ("v.age ** 2", "multiply"), ("v.age ^ 2", "multiply"),
    ("v.age++", "x + 1"), ("v.age += 1", "x + 1"), ("v?.name", "write '.'"),
    ("v.age; v.age", "cel.bind(x, value, body)"),
    ("`${v.name}!`", "joined with '+'"),
    // Words between values.
    ("v.age > 1 and v.age < 3", "'&&'"), ("v.age > 1 AND v.age < 3", "'&&'"), ("v.age > 1 or v.age < 3", "'||'"),
    ("not v.name", "'!'"), ("'a' not in v.tags", "'!'"), ("v.name is 'x'", "'=='"), ("v.age mod 2", "'%'"),
    ("v.name like 'a%'", "matches('...')"), ("v.age between 1 and 3", "a <= x && x <= b"),
    ("if v.age > 1 then 2 else 3", "condition ? a : b"), ("1 if v.age > 1 else 2", "condition ? a : b"),
    ("return v.age", "leave 'return' out"), ("let x = 1", "cel.bind(x, value, body)"), ("typeof v.name", "type(x)"),
    ("new Date()", "leave it out"), ("for x in v.tags", "list.map(x, value)"), ("lambda x: x", "list.map(x, value)"),
    // Names.
    ("v.name == undefined", "'null'"), ("v.name == None", "'null'"), ("v.age > 1 == True", "'true'"),
    ("this.name", "'self'"), ("Date.now() > 1", "'today'"), ("Date(v.born)", "'today'"),
    ("now()", "leave the brackets out"),
    ("Math.max(1, 2)", "math.greatest"), ("Math.round(v.share)", "math.round"), ("JSON.parse(v.name)", "read directly"),
    // Functions and members.
    ("v.name.toUpperCase()", "'upperAscii'"), ("v.name.lower()", "'lowerAscii'"), ("v.name.length > 3", "size(x)"),
    ("v.tags.length", "size(x)"), ("v.tags.count", "size(x)"), ("len(v.name)", "size(x)"),
    ("v.name.length()", "size(x)"),
    ("v.tags.includes('a')", "'element in list'"), ("v.name.includes('a')", "text.contains('...')"),
    ("v.name.startswith('a')", "'startsWith'"), ("v.name.strip()", "'trim'"), ("v.name.test('a')", "matches('...')"),
    ("v.tags.some(t, t == 'a')", "list.exists(x, condition)"), ("v.tags.every(t, t == 'a')", "list.all(x, condition)"),
    ("v.tags.find(t, t == 'a')", "first()"), ("v.tags.reduce(a, b)", "sum()"), ("v.tags.push('a')", "'+'"),
    ("parseInt(v.name)", "'int'"), ("Number(v.name)", "double(x)"), ("v.age.toString()", "string(x)"),
    ("str(v.age)", "string(x)"), ("isEmpty(v.name)", "x == ''"), ("coalesce(v.name, 'x')", "x.orValue(other)"),
    ("abs(v.age)", "'math.abs'"), ("v.share.toFixed(2)", "round(x, 2)"), ("v.name.toUpperCase", "'upperAscii'"),
    // Types that other languages convert.
    ("v.name ? 1 : 2", "write x != ''"), ("v.age && v.name == ''", "write x != 0"), ("v.tags ? 1 : 2", "size(x) > 0"),
    ("v.age == '18'", "write int(...) around the text"), ("v.name + v.age", "write string(...) around the number"),
    ("v.born > now", "'today'"), ("now < v.born", "timestamp(...)"), ("today - v.born", "years(from, to)"),
  ])
  func `is answered with the word of CEL`(_ source: String, _ advice: String) {
    let problems = Self.problems(source)
    #expect(problems.contains { $0.message.contains(advice) }, "\(source): \(problems.map(\.message))")
  }

  @Test(arguments: [
    ("v.name.toUpperCase()", "upperAscii"), ("v.name.lower()", "lowerAscii"), ("v.name.length()", "size"),
    ("parseInt(v.name)", "int"), ("v.name.substr(1)", "substring"), ("v.name.replaceAll('a', 'b')", "replace"),
    ("v.name.strip()", "trim"), ("v.name.endswith('a')", "endsWith"), ("Boolean(v.name)", "bool"),
    ("now.getDay()", "getDayOfWeek"),
  ])
  func `is replaced if only the name differs`(_ source: String, _ name: String) throws {
    let problem = try #require(Self.problems(source).first)
    #expect(problem.replacement == name)
    let scalars = Array(source.unicodeScalars)
    let corrected =
      String(String.UnicodeScalarView(scalars[..<problem.extent.lowerBound])) + name
      + String(String.UnicodeScalarView(scalars[problem.extent.upperBound...]))
    #expect(Self.problems(corrected).isEmpty, "\(corrected)")
  }

  @Test(arguments: [("count > 1", "did you mean 'v.count'?"), ("v.cuont > 1", "did you mean 'v.count'?")])
  func `does not hide a name that exists`(_ source: String, _ advice: String) {
    #expect(Self.problems(source).first?.message.contains(advice) == true, "\(Self.problems(source))")
  }

  @Test(arguments: [
    "v.name == '' ? 1 : 2", "v.age - -1 == 2", "v.tags.map(find, find + 'x').size() == 2", "!(v.age > 1)",
  ])
  func `in valid formulas says nothing`(_ source: String) {
    #expect(Self.problems(source).isEmpty)
  }
}
