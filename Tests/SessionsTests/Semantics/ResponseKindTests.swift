import Forms
import Sessions
import Testing

/// Forms judges comparisons with `response.kind` before a session exists, so it lists the kinds, too.
struct ResponseKindTests {
  @Test func `the kinds of answers that forms compare with are the engine's`() {
    #expect(ResponseKind.allCases.map(\.rawValue) == EffectResponse.Kind.allCases.map(\.rawValue))
  }
}
