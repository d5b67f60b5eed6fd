import FormProtocol
import Testing

@Suite struct `The socket's path` {
  @Test func `is in the runtime folder that the environment names`() {
    let path = SocketPath.standard(runtimeVariable: "/run/user/7", userID: 1000) { _ in true }
    #expect(path.path == "/run/user/7/formd/formd.sock")
    #expect(path.origin == .runtimeVariable)
    #expect(path.problem == nil)
  }

  @Test func `is in the user's runtime folder when the environment names none`() {
    var asked: [String] = []
    let path = SocketPath.standard(runtimeVariable: nil, userID: 1000) { folder in
      asked.append(folder)
      return true
    }
    #expect(path.path == "/run/user/1000/formd/formd.sock")
    #expect(path.origin == .runtimeFolder("/run/user/1000"))
    #expect(asked == ["/run/user/1000"])
  }

  @Test func `is in a private folder when there is no other`() {
    let path = SocketPath.standard(runtimeVariable: nil, userID: 3_999_999_999) { _ in false }
    #expect(path.path == "/tmp/formd-3999999999/formd.sock")
    #expect(path.origin == .privateFolder("/tmp/formd-3999999999"))
    #expect(path.problem == "there is no folder /tmp/formd-3999999999")
  }

  @Test func `that is named is that path, and says who named it`() {
    let path = SocketPath.forClient(named: "/tmp/a.sock")
    #expect(path.path == "/tmp/a.sock")
    #expect("\(path.origin)" == "--socket")
  }
}
