internal import Actions
import Testing
internal import Times

struct CircuitBreakerTests {
  private static let settings = {
    var settings = CircuitBreaker.Settings()
    settings.failures = 2
    settings.pause = .seconds(10)
    return settings
  }()

  @Test func `it opens after so many failures in a row, and a success in between counts`() {
    var breaker = CircuitBreaker(Self.settings)
    breaker.failed(at: .milliseconds(0))
    breaker.succeeded()
    breaker.failed(at: .milliseconds(1))
    #expect(breaker.pause(at: .milliseconds(1)) == nil)
    breaker.failed(at: .milliseconds(2))
    #expect(breaker.pause(at: .milliseconds(2)) == .seconds(10))
    #expect(breaker.pause(at: .milliseconds(10_001)) == .milliseconds(1))
    #expect(breaker.pause(at: .milliseconds(10_002)) == nil)
  }

  @Test func `after the pause one attempt decides`() {
    var breaker = CircuitBreaker(Self.settings)
    for _ in 0..<2 { breaker.failed(at: .milliseconds(0)) }
    breaker.attempted(at: .milliseconds(10_000))
    #expect(breaker.pause(at: .milliseconds(10_001)) != nil)
    breaker.failed(at: .milliseconds(11_000))
    #expect(breaker.pause(at: .milliseconds(20_999)) != nil)
    breaker.attempted(at: .milliseconds(21_000))
    breaker.succeeded()
    #expect(breaker.pause(at: .milliseconds(21_001)) == nil)
    breaker.failed(at: .milliseconds(21_002))
    #expect(breaker.pause(at: .milliseconds(21_002)) == nil)
  }
}
