import Forms
import JSON
import Testing

@testable import Sessions

@Suite struct `What a check says` {
  private static let taken = FieldError.detailed(
    ErrorDetail(code: "taken", severity: .error, source: .check, message: "It is taken.")
  )

  private func state(_ verdict: CheckAnswer.Verdict) -> CheckState {
    var state = CheckState()
    let answer = CheckAnswer(verdict: verdict, result: ["free": false])
    _ = state.machine.asked(inquiry(1), known: answer, isDebounced: false, effect: effect(1))
    return state
  }

  @Test func `the error of its end, which is a failure where its service has failed`() {
    let found = [state(.valid), state(.invalid(Self.taken)), state(.failed(Self.taken)), state(.failed(nil))]
    #expect(found.map { $0.error != nil } == [false, true, true, false])
    #expect(found.map { $0.failure != nil } == [false, false, true, false])
    #expect(found.allSatisfy { $0.result == ["free": false] })
  }

  @Test func `one that cannot ask has an error, but nobody has failed`() {
    var state = CheckState()
    _ = state.machine.faulted(CheckAnswer(verdict: .failed(Self.taken)))
    #expect(state.error != nil && state.failure == nil)
  }

  @Test func `nothing while it asks`() {
    var state = state(.invalid(Self.taken))
    _ = state.machine.asked(inquiry(2), known: nil, isDebounced: true, effect: effect(2))
    #expect(state.error == nil && state.result == nil && state.machine.isPending)
  }
}
