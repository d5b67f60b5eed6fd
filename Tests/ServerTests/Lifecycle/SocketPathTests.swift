import Foundation
import Server
import Testing

struct SocketPathTests {
  @Test
  func `a path that is too long is refused with a remedy`() {
    let fits = "/" + String(repeating: "x", count: 106)
    #expect((try? SocketPath(fits))?.path == fits)
    do throws(StartError) {
      _ = try SocketPath(fits + "x")
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains("108 bytes"))
      #expect(error.description.contains("--socket"))
    }
  }

  @Test
  func `a second instance says who holds the lock, and a freed lock can be taken`() throws {
    let path = NSTemporaryDirectory() + "formd-lock-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    do {
      let lock = try InstanceLock(path: path)
      do throws(StartError) {
        _ = try InstanceLock(path: path)
        Issue.record("locked twice")
      } catch {
        #expect(error.description.contains("process \(ProcessInfo.processInfo.processIdentifier) holds"))
      }
      _ = consume lock
    }
    _ = try InstanceLock(path: path)
  }
}
