internal import Configuration
import Testing

@testable import Server

@Suite struct `A daemon that nobody uses` {
  private func daemon(idleExit: Duration? = .seconds(10)) -> TestDaemon {
    let daemon = TestDaemon { $0.idleExit = idleExit }
    daemon.server.waitForClients()
    return daemon
  }

  @Test func `says so when nobody came for so long`() {
    let daemon = daemon()
    daemon.advance(milliseconds: 9_999)
    #expect(daemon.idled == 0)
    daemon.advance(milliseconds: 1)
    #expect(daemon.idled == 1)
  }

  @Test func `is in use while somebody is connected, and counts anew when the last one goes`() {
    let daemon = daemon()
    daemon.advance(milliseconds: 9_000)
    let clients = [daemon.connect(), daemon.connect()]
    daemon.advance(milliseconds: 60_000)
    clients[0].connection.closed()
    daemon.advance(milliseconds: 60_000)
    #expect(daemon.idled == 0)
    clients[1].connection.closed()
    daemon.advance(milliseconds: 9_999)
    #expect(daemon.idled == 0)
    daemon.advance(milliseconds: 1)
    #expect(daemon.idled == 1)
  }

  @Test func `stays where nothing else is said`() {
    let daemon = daemon(idleExit: nil)
    daemon.connect().connection.closed()
    daemon.advance(milliseconds: 100_000_000)
    #expect(daemon.idled == 0)
  }
}
