internal import Budgets
import CEL
import Formats
import FuzzCost

/// The input is an expression. Reading, checking, planning and evaluating it must end without a trap. A printed
/// expression must read as an equal expression.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCEL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runInput(start, count, test)
}

private func test(_ input: UnsafeBufferPointer<UInt8>, _ meter: inout CostMeter) -> Reached {
  let source = String(decoding: input, as: UTF8.self)
  let parsed: ParsedExpression
  do {
    parsed = try environment.parse(source)
  } catch {
    precondition(!error.problems.isEmpty, "refused without a diagnostic")
    return Reached("refused")
  }
  let printed = parsed.printed
  guard let again = try? environment.parse(printed) else { fatalError("the printed expression is invalid: \(printed)") }
  precondition(again.printed == printed, "the expression changes when it is printed, parsed and printed again")
  evaluate(environment.resolveWithoutChecking(parsed), &meter)
  guard let checked = try? environment.check(parsed) else { return Reached("parsed") }
  evaluate(checked, &meter)
  return Reached("checked")
}

private let environment: Environment = {
  var environment = Environment()
  environment.declare(variable: "text", type: .string, slot: 0)
  environment.declare(variable: "number", type: .int, slot: 1)
  environment.declare(variable: "any", type: .dyn, slot: 2)
  environment.declare(variable: "list", type: .list(.int), slot: 3)
  return environment
}()

/// The budget of one evaluation.
private let units = 20_000

private func evaluate(_ expression: CheckedExpression, _ meter: inout CostMeter) {
  guard let program = try? environment.plan(expression) else { return }
  let slots: [Value] = ["kim@example.com", 7, Value(["a": 1, "b": [true, .null]]), [1, 2, 3]]
  var budget = WorkBudget(units: units)
  meter.bounded(units: units) {
    _ = slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) }.description
  }
}
