/// The functions of SurveyJS.
extension SurveyFormulaWriter {
  mutating func call(_ name: String, _ arguments: [SurveyExpression]) throws(Failure) -> SurveyFormula {
    switch (name.lowercased(), arguments.count) {
    case ("iif", 3): return try choice(arguments)
    case ("sum", _):
      return SurveyFormula("double(\(try numbers(arguments)).sum())", .number, .primary)
    case ("min", 1...), ("max", 1...):
      return SurveyFormula(
        "\(try numbers(arguments)).\(name.lowercased())()",
        .number,
        .primary,
        mayBeAbsent: true
      )
    case ("avg", 1...):
      return average(of: try numbers(arguments))
    case ("suminarray", 2...3): return SurveyFormula("double(\(try column(arguments)).sum())", .number, .primary)
    case ("mininarray", 2...3), ("maxinarray", 2...3):
      let function = name.lowercased().prefix(3)
      return SurveyFormula("\(try column(arguments)).\(function)()", .number, .primary, mayBeAbsent: true)
    case ("avginarray", 2...3): return average(of: try column(arguments))
    case ("countinarray", 1...3):
      return SurveyFormula("double(\(try column(arguments, isCounting: true)).size())", .number, .primary)
    case ("today", 0): return SurveyFormula("today", .text, .primary)
    case ("today", 1): return try shifted(SurveyFormula("today", .text, .primary), by: arguments[0], days: 1)
    case ("currentdate", 0): return SurveyFormula("string(now)", .text, .primary)
    case ("getdate", 1): return try text(try formula(arguments[0]))
    case ("currentyear", 0):
      return SurveyFormula("double(date(today).getFullYear())", .number, .primary)
    case ("year", 1), ("getyear", 1): return try part("getFullYear()", of: arguments[0])
    case ("month", 1): return try part("getMonth() + 1", of: arguments[0])
    case ("day", 1): return try part("getDate()", of: arguments[0])
    case ("weekday", 1): return try part("getDayOfWeek()", of: arguments[0])
    case ("age", 1):
      let born = try text(try formula(arguments[0]))
      return SurveyFormula("double(years(\(born.text), today))", .number, .primary, mayBeAbsent: true)
    case ("diffdays", 2):
      let (from, to) = (try text(try formula(arguments[0])), try text(try formula(arguments[1])))
      return SurveyFormula(
        "math.abs(double(days(\(from.text), \(to.text))))",
        .number,
        .primary,
        mayBeAbsent: true
      )
    case ("datediff", 2...3): return try difference(arguments)
    case ("dateadd", 2...3):
      let unit = try unit(arguments.count == 3 ? arguments[2] : .text("days"))
      guard let days = ["day": 1, "days": 1, "week": 7, "weeks": 7][unit] else {
        throw .unsupported("formulas add days to a date, and not \(unit)")
      }
      return try shifted(try text(try formula(arguments[0])), by: arguments[1], days: days)
    case ("round", 1...2):
      let digits: Double
      switch arguments.count == 2 ? arguments[1] : .number(0) {
      case .number(let number) where number == number.rounded() && (-15...15).contains(number): digits = number
      default: throw .unsupported("round needs a constant number of digits")
      }
      let number = try number(try formula(arguments[0]))
      return SurveyFormula(
        "round(\(number.text), \(Int(digits)))",
        .number,
        .primary,
        mayBeAbsent: number.mayBeAbsent
      )
    case ("trim", 1):
      return SurveyFormula("\(try text(try formula(arguments[0])).at(.primary)).trim()", .text, .primary)
    case ("substring", 2...3): return try substring(arguments)
    case ("iscontainerready", 1): return try isReady(arguments[0])
    case ("isdisplaymode", 0): return .bool(false)
    default:
      throw Failure(
        code: .function,
        message: "formd has no function \(name) with \(arguments.count) argument(s)",
        remedy: "write a formula in CEL, or ask a service with a lookup"
      )
    }
  }

  private mutating func choice(_ arguments: [SurveyExpression]) throws(Failure) -> SurveyFormula {
    let condition = try condition(arguments[0]).definite
    let (yes, no) = (try formula(arguments[1]), try formula(arguments[2]))
    let kind: SurveyFormula.Kind
    if yes.kind == no.kind || no.kind == .null { kind = yes.kind } else { kind = yes.kind == .null ? no.kind : .any }
    let texts = kind == .any ? ["dyn(\(yes.text))", "dyn(\(no.text))"] : [yes.at(.or), no.at(.or)]
    return SurveyFormula(
      "\(condition.at(.or)) ? \(texts[0]) : \(texts[1])",
      kind,
      .conditional,
      mayBeAbsent: yes.mayBeAbsent || no.mayBeAbsent || yes.kind == .null || no.kind == .null
    )
  }

  /// A list of doubles of all arguments. Answers without a value are absent elements, which sums leave out.
  private mutating func numbers(_ arguments: [SurveyExpression]) throws(Failure) -> String {
    var single: [String] = []
    var lists: [String] = []
    for argument in arguments {
      let formula = try formula(argument)
      guard formula.kind == .list else {
        single.append(try number(formula).text)
        continue
      }
      if let elements = formula.elements {
        for element in elements { single.append(try number(element).text) }
      } else {
        switch formula.elementShape {
        case .number: lists.append(formula.text)
        case .integer: lists.append("\(formula.text).map(x, double(x))")
        default: throw .unsupported("the elements of a list are not numbers")
        }
      }
    }
    if !single.isEmpty { lists.insert("[\(single.joined(separator: ", "))]", at: 0) }
    guard let first = lists.first else { return "[]" }
    return lists.count == 1 ? first : "(\(lists.joined(separator: " + ")))"
  }

  private func average(of numbers: String) -> SurveyFormula {
    SurveyFormula(
      "cel.bind(xs, \(numbers).filter(x, x != null), size(xs) == 0 ? 0.0 : double(xs.sum()) / double(size(xs)))",
      .number,
      .primary
    )
  }

  /// The values of a column of rows: `sumInArray({rows}, 'price', {count} > 0)`.
  private mutating func column(_ arguments: [SurveyExpression], isCounting: Bool = false) throws(Failure) -> String {
    let rows = try formula(arguments[0])
    var name: String?
    if arguments.count > 1 {
      guard case .text(let written) = arguments[1] else {
        throw .unsupported("the name of a column must be a constant")
      }
      name = written
    }
    guard rows.kind == .list, let cell = rows.cell, case .list(let shape) = cell.shape else {
      throw .unsupported("the first argument must be a list of rows")
    }
    guard let name, !name.isEmpty else { return cell.reference }
    guard case .object(let members) = shape, let column = members[name] else {
      throw Failure(
        code: .unknownName,
        message: "the rows have no column \(name)",
        remedy: "correct the name"
      )
    }
    var list = cell.reference
    if arguments.count > 2 {
      var inner = scope
      let entry = SurveyCell(reference: "entry", shape: shape)
      for (member, shape) in members { inner.values[member] = entry.member(member, shape) }
      var writer = SurveyFormulaWriter(inner)
      // SurveyJS takes the condition as an expression, or as the text of one.
      var condition = arguments[2]
      if case .text(let written) = condition {
        guard let read = try? SurveyExpressionReader.read(written) else {
          throw .unsupported("the condition of the rows cannot be read")
        }
        condition = read
      }
      list += ".filter(entry, \(try writer.condition(condition).definite.text))"
    }
    let value = SurveyFormula(SurveyCell(reference: "entry", shape: shape).member(name, column))
    if isCounting { return "\(list).filter(entry, \(value.cell?.reference ?? value.text) != null)" }
    return "\(list).map(entry, \(try number(value).text))"
  }

  // MARK: Dates

  private mutating func shifted(
    _ date: SurveyFormula,
    by argument: SurveyExpression,
    days: Int
  ) throws(Failure) -> SurveyFormula {
    let hours: String
    if case .number(let number) = argument, let whole = Int(exactly: number), whole.magnitude < 100_000 {
      hours = "'\(whole * days * 24)h'"
    } else {
      let number = try number(try formula(argument))
      hours = "string(int(\(number.text)) * \(days * 24)) + 'h'"
    }
    return SurveyFormula(
      "string(date(\(date.text)) + duration(\(hours))).substring(0, 10)",
      .text,
      .primary
    )
  }

  private mutating func part(_ part: String, of argument: SurveyExpression) throws(Failure) -> SurveyFormula {
    let date = try text(try formula(argument))
    return SurveyFormula("double(date(\(date.text)).\(part))", .number, .primary, mayBeAbsent: true)
  }

  private func unit(_ argument: SurveyExpression) throws(Failure) -> String {
    guard case .text(let unit) = argument else { throw .unsupported("the unit of time must be a constant") }
    return unit.lowercased()
  }

  private mutating func difference(_ arguments: [SurveyExpression]) throws(Failure) -> SurveyFormula {
    let (from, to) = (try text(try formula(arguments[0])), try text(try formula(arguments[1])))
    let unit = try unit(arguments.count == 3 ? arguments[2] : .text("days"))
    switch unit {
    case "day", "days":
      return SurveyFormula("double(days(\(from.text), \(to.text)))", .number, .primary, mayBeAbsent: true)
    case "year", "years":
      return SurveyFormula("double(years(\(from.text), \(to.text)))", .number, .primary, mayBeAbsent: true)
    default: throw .unsupported("formulas count days and years between dates, and not \(unit)")
    }
  }

  // MARK: Others

  private mutating func substring(_ arguments: [SurveyExpression]) throws(Failure) -> SurveyFormula {
    var bounds: [Int] = []
    for argument in arguments.dropFirst() {
      guard case .number(let number) = argument, let whole = Int(exactly: number), (0...100_000).contains(whole) else {
        throw .unsupported("the bounds of substring must be constants from 0")
      }
      bounds.append(whole)
    }
    if bounds.count == 2 { bounds.sort() }
    let text = try text(try formula(arguments[0])).at(.primary)
    let limits = bounds.map { "math.least(\($0), size(\(text)))" }.joined(separator: ", ")
    return SurveyFormula("\(text).substring(\(limits))", .text, .primary)
  }

  private func isReady(_ argument: SurveyExpression) throws(Failure) -> SurveyFormula {
    guard case .text(let name) = argument, let container = scope.containers[name] else {
      throw .unsupported("isContainerReady needs the name of a page or a panel")
    }
    switch container {
    case .step(let id): return SurveyFormula("\(CELText.member(id, of: "steps")).isValid", .bool, .primary)
    case .fields(let names):
      guard !names.isEmpty else { return .bool(true) }
      let parts = names.map { "\(CELText.member($0, of: "fields")).isValid" }
      return SurveyFormula(parts.joined(separator: " && "), .bool, parts.count == 1 ? .primary : .and)
    }
  }
}
