import FormProtocol
import Sessions
import Testing

/// The engine does not know the protocol, so both state the limits of the engine.
struct EngineLimitsTests {
  @Test
  func `an engine without limits of its caller has the standard limits of the daemon`() {
    #expect(Engine.errorsPerFieldMaxDefault == Limit.errorsPerFieldMax.standard)
    #expect(Engine.undoMaxDefault == Limit.undoMax.standard)
    #expect(Engine.undoBytesMaxDefault == Limit.undoBytesMax.standard)
  }
}
