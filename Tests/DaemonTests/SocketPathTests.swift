internal import Daemon
import FormProtocol
import Foundation
internal import Processes
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

  /// A private folder in `/tmp`, with a user ID that no machine has.
  private func withPrivateFolder(_ body: (_ path: SocketPath, _ folder: String) throws -> Void) rethrows {
    let path = SocketPath.standard(runtimeVariable: nil, userID: .random(in: 3_000_000_000...4_000_000_000)) { _ in
      false
    }
    let folder = String(path.path.dropLast("/formd.sock".count))
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(path, folder)
  }

  @Test
  func `the private folder is made for its owner only, and used again`() throws {
    try withPrivateFolder { path, folder in
      try path.makeFolder()
      let attributes = try FileManager.default.attributesOfItem(atPath: folder)
      #expect(attributes[.posixPermissions] as? Int == 0o700)
      try path.makeFolder()
    }
  }

  @Test
  func `a private folder that is open to others is refused`() throws {
    try withPrivateFolder { path, folder in
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o755]
      )
      let error = #expect(throws: StartError.self) { try path.makeFolder() }
      #expect(error?.description.contains("\(folder) is open to other users") == true)
      #expect(error?.description.contains("--socket") == true)
    }
  }

  @Test
  func `a link in place of the private folder is refused`() throws {
    try withPrivateFolder { path, folder in
      try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: NSTemporaryDirectory())
      let error = #expect(throws: StartError.self) { try path.makeFolder() }
      #expect(error?.description.contains("\(folder) is not a folder") == true)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"))
  func `a private folder of somebody else is refused`() throws {
    try withPrivateFolder { path, folder in
      try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
      )
      #expect(chown(folder, 65_534, 65_534) == 0)
      let error = #expect(throws: StartError.self) { try path.makeFolder() }
      #expect(error?.description.contains("belongs to the user 65534") == true)
    }
  }

  /// A folder with this mode, and a socket's path in it.
  private func withFolder(mode: mode_t, _ body: (_ path: SocketPath, _ folder: String) throws -> Void) throws {
    let folder = "/tmp/formd-folder-\(UUID().uuidString.prefix(8))"
    #expect(mkdir(folder, 0o700) == 0)
    defer { rmdir(folder) }
    #expect(chmod(folder, mode) == 0)
    try body(try SocketPath(folder + "/formd.sock"), folder)
  }

  @Test(arguments: [0o700, 0o755, 0o1777, 0o1770])
  func `a folder in which nobody else can replace the socket is fine`(mode: mode_t) throws {
    try withFolder(mode: mode) { path, _ in
      try path.makeFolder()
      try path.refuseUnsafeFolder()
    }
  }

  @Test(arguments: [0o777, 0o722, 0o770, 0o720])
  func `a folder that others may write to is refused with a remedy`(mode: mode_t) throws {
    try withFolder(mode: mode) { path, folder in
      let error = #expect(throws: StartError.self) { try path.refuseUnsafeFolder() }
      #expect(error?.description.contains("other users may write to the folder \(folder)") == true)
      #expect(error?.description.contains("chmod go-w \(folder)") == true)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a folder away"), arguments: [0o700, 0o1777])
  func `a folder of somebody else is refused`(mode: mode_t) throws {
    try withFolder(mode: mode) { path, folder in
      #expect(chown(folder, 65_534, 65_534) == 0)
      let error = #expect(throws: StartError.self) { try path.refuseUnsafeFolder() }
      #expect(error?.description.contains("\(folder) belongs to the user 65534") == true)
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
