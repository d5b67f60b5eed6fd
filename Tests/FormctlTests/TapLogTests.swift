internal import FormProtocol
internal import Testing

@testable internal import formctl

struct TapLogTests {
  @Test func `without a tap all is fine`() {
    #expect(TapLog().isFine)
    #expect(TapLog().openCount == 0)
  }

  @Test(arguments: [.succeeded, .failed, .rejected, .dropped, .superseded, nil] as [EventKind?])
  func `a tap is fine when it has succeeded, and not before`(_ kind: EventKind?) {
    var log = TapLog()
    let tap = log.sent()
    #expect(log.openCount == 1 && !log.isFine)
    log.ended(tap, kind)
    #expect(log.openCount == 0)
    #expect(log.isFine == (kind == .succeeded))
  }

  @Test func `the tap that was sent last counts, whichever ends last`() {
    var log = TapLog()
    let first = log.sent()
    let second = log.sent()
    log.ended(second, .succeeded)
    log.ended(first, .superseded)
    #expect(log.openCount == 0 && log.isFine)
    let third = log.sent()
    log.ended(third, nil)
    #expect(!log.isFine)
  }
}
