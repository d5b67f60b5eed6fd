internal import Testing

@testable internal import FormImport

struct SurveyFormulaTests {
  static var scope: SurveyScope {
    var scope = SurveyScope()
    func add(_ name: String, _ shape: SurveyShape) {
      scope.values[name] = SurveyCell(reference: CELText.member(name, of: "values"), shape: shape)
    }
    add("n", .number)
    add("i", .integer)
    add("b", .bool)
    add("t", .text(choices: nil, isDate: false))
    add("d", .text(choices: nil, isDate: true))
    add("e", .text(choices: ["Red", "blue"], isDate: false))
    add("m", .any(choices: [.number(1), .text("many")]))
    add("l", .list(.text(choices: ["a", "b"], isDate: false)))
    add("first-name", .text(choices: nil, isDate: false))
    add("o", .object(["x": .number, "y.z": .bool]))
    add("rows", .list(.object(["x": .number, "t": .text(choices: nil, isDate: false)])))
    scope.rows = [SurveyCell(reference: "row", shape: .object(["x": .number]))]
    scope.isInRow = true
    scope.containers = ["p": .step("p"), "q": .fields(["n", "first-name"])]
    return scope
  }

  @Test(arguments: [
    ("{n} = 1", "values.n == 1.0"),
    ("{i} >= 18", "double(values.i) >= 18.0"),
    ("{n} >= {i}", "values.n == double(values.i) || values.n >= double(values.i)"),
    ("{n} < {i}", "values.n < double(values.i)"),
    ("{n} + 1 <= {i}", "values.n.orValue(0.0) + 1.0 <= double(values.i)"),
    ("{t} <= {d}", "values.t == values.d || values.t != '' && values.d != '' && values.t <= values.d"),
    ("{N} < 2 or {b}", "values.n < 2.0 || values.b"),
    ("{b} = true", "values.b"),
    ("{b} = false", "has(values.b) && !values.b"),
    ("{b} != true", "!values.b"),
    ("!({n} > 5)", "!(values.n > 5.0).orValue(false)"),
    ("{e} = 'RED'", "values.e == 'Red'"),
    ("{e} anyof ['red', 'Blue']", "values.e in ['Red', 'blue']"),
    ("{t} = 'Yes'", "values.t.trim().lowerAscii() == 'yes'"),
    ("{t} = '2026'", "values.t == '2026'"),
    ("{t} contains 'x'", "values.t.contains('x')"),
    ("{t} notcontains 'x'", "!values.t.contains('x')"),
    ("{l} notcontains 'a'", "!('a' in values.l)"),
    (
      "{n} / {i} > 3",
      "(double(values.i.orValue(0)) != 0.0 ? values.n.orValue(0.0) / double(values.i.orValue(0)) : null) > 3.0"
    ),
    ("{n} / 0 > 3", "false"),
    ("{l} contains 'a'", "'a' in values.l"),
    ("{l} contains ['a', 'b']", "sets.contains(values.l, ['a', 'b'])"),
    ("{l} anyof ['A']", "sets.intersects(values.l, ['a'])"),
    ("{l} noneof ['a']", "!sets.intersects(values.l, ['a'])"),
    ("{l} allof ['a', 'b']", "sets.contains(values.l, ['a', 'b'])"),
    ("{l} = ['b', 'a']", "size(values.l) == size(['b', 'a']) && sets.equivalent(values.l, ['b', 'a'])"),
    ("{l} notempty", "size(values.l) > 0"),
    ("{t} empty", "values.t == ''"),
    ("{n} empty", "values.n == null"),
    ("{b} notempty", "has(values.b)"),
    ("{first-name} notempty", "values['first-name'] != ''"),
    ("{m} = '1'", "values.m == 1.0"),
    ("{o.x} > 1 and {o.y.z}", "values.o.x > 1.0 && values.o['y.z']"),
    ("{row.x} = 1 and {panel.x} = 2", "row.x == 1.0 && row.x == 2.0"),
    ("{rowIndex} = 1", "double(index + 1) == 1.0"),
    ("{d} > '2026-01-01'", "values.d != '' && values.d > '2026-01-01'"),
    ("{d} <= today()", "values.d != '' && values.d <= today"),
    ("{n} + {i} * 2 > 3", "values.n.orValue(0.0) + double(values.i.orValue(0)) * 2.0 > 3.0"),
    ("({n} - 1) / 2 = 1", "(values.n.orValue(0.0) - 1.0) / 2.0 == 1.0"),
    ("age({d}) >= 18", "double(years(values.d, today)) >= 18.0"),
    ("dateDiff({d}, today(), 'days') < 3", "double(days(values.d, today)) < 3.0"),
    ("isContainerReady('p')", "steps.p.isValid"),
    ("isContainerReady('q')", "fields.n.isValid && fields['first-name'].isValid"),
    ("{rows[0].t} = ''", "values.rows[?0].orValue({}).t == null"),
    ("{rows} notempty", "size(values.rows) > 0"),
    ("'x' = {t}", "values.t.trim().lowerAscii() == 'x'"),
  ])
  func `a condition has the formula that gives what SurveyJS gives`(text: String, formula: String) throws {
    var writer = SurveyFormulaWriter(Self.scope)
    #expect(try writer.condition(try SurveyExpressionReader.read(text)).text == formula)
  }

  @Test(arguments: [
    ("iif({b}, 'x', 'y')", "values.b ? 'x' : 'y'"),
    ("iif({n} > 1, 1, 'y')", "(values.n > 1.0).orValue(false) ? dyn(1.0) : dyn('y')"),
    ("sum({n}, {i}, 1)", "double([values.n, double(values.i), 1.0].sum())"),
    ("max({n}, 2)", "[values.n, 2.0].max()"),
    ("sumInArray({rows}, 'x')", "double(values.rows.map(entry, entry.x).sum())"),
    (
      "countInArray({rows}, 'x', {x} > 1)",
      "double(values.rows.filter(entry, (entry.x > 1.0).orValue(false)).filter(entry, entry.x != null).size())"
    ),
    ("today(3)", "string(date(today) + duration('72h')).substring(0, 10)"),
    ("round({n} * 1.5, 2)", "round(values.n.orValue(0.0) * 1.5, 2)"),
    ("{t} + ' ' + {n}", "values.t + ' ' + string(values.n).orValue('')"),
    ("{n} ^ 2", "cel.bind(x, values.n.orValue(0.0), x * x)"),
    ("-{n}", "-values.n"),
    (
      "currentYear() - year({d})",
      "double(date(today).getFullYear()) - double(date(values.d).getFullYear()).orValue(0.0)"
    ),
  ])
  func `a value has the formula that gives what SurveyJS gives`(text: String, formula: String) throws {
    var writer = SurveyFormulaWriter(Self.scope)
    #expect(try writer.formula(try SurveyExpressionReader.read(text)).text == formula)
  }

  @Test(arguments: [
    ("{n} = '5'", "values.n == 5.0"), ("{n} = 'five'", "false"), ("{t} = 5", "values.t == '5'"),
    ("{b} = 'true'", "values.b"), ("{b} = 0", "has(values.b) && !values.b"),
    ("{t} > 5", "(values.t.matches('^-?[0-9]+([.][0-9]+)?$') ? double(values.t) : null) > 5.0"),
    ("{l} = 'a'", "false"), ("{l} = {t}", "size(values.l) == 0 && values.t == ''"),
    ("{n}", "false"), ("{t}", "false"), ("{b} and {t}", "false"), ("{t} or {b}", "!(values.t != '') && values.b"),
    ("{b} or {n}", "values.b || false"),
  ])
  func `a comparison of two types is converted, and noted`(text: String, formula: String) throws {
    var writer = SurveyFormulaWriter(Self.scope)
    #expect(try writer.condition(try SurveyExpressionReader.read(text)).text == formula)
    #expect(!writer.assumptions.isEmpty)
  }

  @Test(arguments: [
    ("{nobody} = 1", LossCode.unknownName), ("{row.y} = 1", .unknownName), ("mine({n})", .function),
    ("{o} = 1", .expression),
    ("dateDiff({d}, {d}, 'hours') > 1", .expression), ("{n} ^ {n} > 1", .expression), ("{prevRow.x} = 1", .expression),
    ("sumInArray({rows}, 'y') > 1", .unknownName),
  ])
  func `an expression without a formula fails with its loss`(text: String, code: LossCode) throws {
    var writer = SurveyFormulaWriter(Self.scope)
    let expression = try SurveyExpressionReader.read(text)
    #expect(throws: SurveyFormulaWriter.Failure.self) { try writer.condition(expression) }
    do { _ = try writer.condition(expression) } catch { #expect(error.code == code) }
  }
}
