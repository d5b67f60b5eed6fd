internal import FormProtocol
internal import Foundation
internal import Glibc
internal import LanguageServer
internal import Testing

@testable internal import formctl

/// A daemon that is connected to, and never reads.
private final class MuteDaemon {
  let socket: SocketPath
  private let descriptor: CInt

  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "mute-\(UUID().uuidString.prefix(8))").path
    socket = SocketPath(path, namedBy: "the test")
    descriptor = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    try #require(listen(descriptor, 4) == 0)
  }

  deinit {
    close(descriptor)
    unlink(socket.path)
  }
}

@Suite struct `A daemon that does not read` {
  private func request(_ number: Int, bytes: Int) -> CheckRequest {
    var params = TextValidateParams()
    params.form = "f"
    params.text = String(repeating: "x", count: bytes)
    return CheckRequest(number: number, params: params)
  }

  @Test func `is not waited for, however much it is asked`() throws {
    let mute = try MuteDaemon()
    let daemon = CheckingDaemon(at: mute.socket)
    daemon.ask(request(1, bytes: 3 << 20))
    daemon.ask(request(2, bytes: 3 << 20))
    #expect(daemon.hasOutput)
    daemon.send()
    daemon.receive()
    daemon.expire()
    #expect(daemon.hasOutput && daemon.takeAnswers().isEmpty)
    #expect(daemon.timeLeft.map { $0 > .zero } == true)
  }

  @Test func `is given up when the time is up, with an answer to each question`() throws {
    let mute = try MuteDaemon()
    let daemon = CheckingDaemon(at: mute.socket, answerTime: .zero)
    daemon.ask(request(1, bytes: 10))
    daemon.ask(request(2, bytes: 3 << 20))
    #expect(daemon.timeLeft == .zero)
    daemon.expire()
    let answers = daemon.takeAnswers()
    #expect(answers.map(\.number) == [1, 2])
    for (_, answer) in answers {
      guard case .failed(let reason) = answer else {
        Issue.record("\(answer)")
        continue
      }
      #expect(reason.contains(mute.socket.path) && reason.contains("has not answered for"))
    }
    #expect(daemon.descriptor == -1 && daemon.timeLeft == nil)
    // A further request tries again.
    daemon.ask(request(3, bytes: 10))
    #expect(daemon.descriptor >= 0)
  }
}
