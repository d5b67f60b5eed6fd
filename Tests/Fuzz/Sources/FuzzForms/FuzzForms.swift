internal import Budgets
import Forms
import FuzzCost
import JSON
import Sessions
internal import SourceTexts
internal import Times

/// The input is a form definition. Compiling it must end without a trap. A compiled form must live through a short
/// life, in which a document kept by merging patches stays equal to a fresh one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzForms(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  runInput(start, count, test)
}

private func test(_ input: UnsafeBufferPointer<UInt8>, _ meter: inout CostMeter) -> Reached {
  let compilation = Form.compile(Array(input), file: "fuzz", fallbackName: "fuzz")
  precondition(compilation.form != nil || !compilation.diagnostics.isEmpty, "refused without a diagnostic")
  for diagnostic in compilation.diagnostics { _ = diagnostic.description }
  guard let form = compilation.form else {
    // A text that is not JSON is refused at little cost.
    let isBroken = compilation.diagnostics.contains { SyntaxProblem.Code(rawValue: $0.code) != nil }
    return Reached(isBroken ? "no JSON" : "refused")
  }
  live(form, &meter)
  return Reached("compiled")
}

private func live(_ form: Form, _ meter: inout CostMeter) {
  let engine = Engine(cpuTime: WorkBudget.threadCPUTime)
  var now = Instant(nanoseconds: 0)
  let (session, opening) = meter.bounded(by: Engine.turnCPUTimeMax) {
    engine.open(form, options: OpenOptions(locale: "ko"), at: now)
  }
  var kept = session.document
  var started = opening.starts
  func apply(_ input: Input) {
    let turn = meter.bounded(by: Engine.turnCPUTimeMax) { engine.apply(input, to: session, at: now) }
    started += turn.starts
    if turn.hasUpdate { kept.merge(session.patch(engine.changes(of: turn))) }
    precondition(session.document == kept, "the kept document differs from a fresh document")
  }
  for field in form.fields.indices.prefix(8) {
    for value: JSON in ["a@b.c", 7, "", [1, ["x": .null]], true] {
      apply(.set(field: field, to: value))
      now = now + .milliseconds(40)
    }
    apply(.blur(field: field))
  }
  for action in form.actions.indices.prefix(8) { apply(.tap(action: action)) }
  for effect in started.prefix(8) {
    apply(.effect(effect.id, EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"])))
  }
  for _ in 0..<64 {
    guard let deadline = session.deadline else { break }
    now = max(now, deadline)
    apply(.timer)
  }
  apply(.reset(keepValues: false))
  _ = session.explanation()
}
