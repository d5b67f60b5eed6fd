import JSON
import Testing

@testable import Sessions

@Suite struct `What a lookup has found` {
  /// One that has found `old` for inquiry 9.
  private static var old: LookupState {
    var state = LookupState()
    _ = state.tell { $0.asked(inquiry(9), known: .value("old"), isDebounced: false, effect: effect(1)) }
    return state
  }

  private func expect(_ state: LookupState, _ value: JSON?, _ error: String?, isLoading: Bool) {
    #expect(state.value == value && state.error == error && state.isLoading == isLoading)
    #expect(state.isReliable == (!isLoading && error == nil))
  }

  @Test(arguments: [true, false]) func `it stays while it asks anew`(_ isDebounced: Bool) {
    var state = Self.old
    _ = state.tell { $0.asked(inquiry(1), known: nil, isDebounced: isDebounced, effect: effect(2)) }
    expect(state, "old", nil, isLoading: true)
    _ = state.tell { $0.debounceEnded(effect: effect(2)) }
    _ = state.tell { $0.answered(.failed("network"), by: effect(2)) { _ in .milliseconds(1) } }
    expect(state, "old", nil, isLoading: true)
    _ = state.tell { $0.pauseEnded(effect: effect(3)) }
    _ = state.tell { $0.answered(.value("new"), by: effect(3)) }
    expect(state, "new", nil, isLoading: false)
  }

  @Test func `it goes when the lookup fails, cannot be asked or does not apply`() {
    var failed = Self.old
    _ = failed.tell { $0.asked(inquiry(1), known: nil, isDebounced: false, effect: effect(2)) }
    _ = failed.tell { $0.answered(.failed("network"), by: effect(2)) }
    expect(failed, nil, "network", isLoading: false)
    var faulted = Self.old
    _ = faulted.tell { $0.faulted(.failed("fault")) }
    expect(faulted, nil, "fault", isLoading: false)
    var stopped = Self.old
    _ = stopped.tell { $0.stopped() }
    expect(stopped, nil, nil, isLoading: false)
  }

  @Test func `an error goes with the next inquiry`() {
    var state = LookupState()
    _ = state.tell { $0.asked(inquiry(1), known: .failed("network"), isDebounced: false, effect: effect(1)) }
    expect(state, nil, "network", isLoading: false)
    _ = state.tell { $0.askedAgain(effect: effect(2)) }
    expect(state, nil, nil, isLoading: true)
  }

  @Test func `what a snapshot says stands until there is an answer`() {
    var state = LookupState()
    state.restore("old", nil)
    _ = state.tell { $0.asked(inquiry(1), known: nil, isDebounced: false, effect: effect(7)) }
    expect(state, "old", nil, isLoading: true)
    state = LookupState()
    state.restore("old", nil)
    let steps = state.tell { $0.stopped() }
    #expect(steps == nil)
    expect(state, nil, nil, isLoading: false)
  }
}
