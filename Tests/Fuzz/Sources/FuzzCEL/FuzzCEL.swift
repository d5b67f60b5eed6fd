import CEL
import TextFormats

/// The input is an expression. Reading, checking, planning and evaluating it must end without a trap; what was read is the same when
/// it is printed and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCEL(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let source = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let parsed: ParsedExpression
  do {
    parsed = try environment.parse(source)
  } catch {
    precondition(!error.all.isEmpty, "refused without a diagnostic")
    return 0
  }
  let printed = parsed.printed
  guard let again = try? environment.parse(printed) else { fatalError("what was printed cannot be read: \(printed)") }
  precondition(again.printed == printed, "printed, read and printed again it is another expression")
  evaluate(environment.resolveWithoutChecking(parsed))
  if let checked = try? environment.check(parsed) { evaluate(checked) }
  return 0
}

private let environment: Environment = {
  var environment = Environment()
  environment.declare(variable: "text", type: .string, slot: 0)
  environment.declare(variable: "number", type: .int, slot: 1)
  environment.declare(variable: "any", type: .dyn, slot: 2)
  environment.declare(variable: "list", type: .list(.int), slot: 3)
  return environment
}()

private func evaluate(_ expression: CheckedExpression) {
  guard let program = try? environment.plan(expression) else { return }
  let slots: [Value] = ["kim@example.com", 7, Value(["a": 1, "b": [true, .null]]), [1, 2, 3]]
  var budget = WorkBudget(units: 20_000)
  _ = slots.withUnsafeBufferPointer { program.evaluate($0, budget: &budget) }.description
}
