import Configuration
import FormProtocol
import JSON
import Sessions
import Testing

@testable import Server

/// What users with one role may do. The methods come from the list of all methods, so a new method must say its role.
struct RoleTests {
  private static let subjects: [(role: Role, userID: UInt32)] = [(.client, 33), (.provider, 34), (.operator, 35)]

  private static func daemon(_ change: (inout ServerConfiguration) -> Void = { _ in }) -> TestDaemon {
    TestDaemon { configuration in
      configuration.peers = subjects.map { PeerConfiguration(.user($0.userID), roles: [$0.role]) }
      change(&configuration)
    }
  }

  @Test(arguments: Method.allCases)
  func `a method is for its role only, and says which role it needs`(_ method: Method) throws {
    for (role, userID) in Self.subjects {
      let daemon = Self.daemon()
      let client = daemon.connect(from: Peer(userID: userID, processID: 7))
      let error = client.request(method.wireName.description, ["connection": 4711]).last?["error"]
      guard let needed = method.role, needed != role else {
        #expect(error?["code"] != 1015, "\(role)")
        continue
      }
      #expect(error?["code"] == 1015, "\(role)")
      #expect(error?["data"] == ["role": .string(needed.wireName.description)])
      let line = try #require(daemon.logged.last)
      #expect(line.metadata["method"] == method.wireName.description && line.metadata["uid"] == "\(userID)")
    }
  }

  @Test(arguments: Method.allCases)
  func `root, the daemon's own user and a client without a known process may call every method`(_ method: Method) {
    let own = PeerConfiguration(.user(1), roles: [.client])
    for peer in [nil, Peer(userID: 0, processID: 1)] {
      let client = TestDaemon { $0.peers = [own] }.connect(from: peer)
      let answer = client.request(method.wireName.description, ["connection": 4711]).last
      #expect(answer?.at("error", "code") != 1015)
    }
  }

  @Test
  func `a client cannot disconnect others, reload, back up, watch others or take a provider's name`() {
    let daemon = Self.daemon()
    let client = daemon.connect(from: Peer(userID: 33, processID: 7))
    let other = daemon.connect()
    client.open("login")
    for (method, params, role) in [
      ("server/disconnect", ["connection": 2], "operator"), ("server/reload", [:], "operator"),
      ("server/backup", ["file": "/tmp/x"], "operator"), ("server/stats", ["top": 9], "operator"),
      ("provider/register", ["name": "oracle"], "provider"),
    ] as [(String, JSON, JSON)] {
      #expect(
        client.error(method, params) == [
          "code": 1015, "message": "This user does not have the needed role", "data": ["role": role],
        ]
      )
    }
    #expect(!other.isAborted)
    #expect(client.result("field/change", ["field": "email", "value": "kim"])["revision"] == 1)
    // A refused notification is not carried out, either.
    #expect(client.notify("server/disconnect", ["connection": 2]).isEmpty)
    #expect(!other.isAborted)
  }

  @Test
  func `an operator cannot feed sessions, also by notifications`() {
    let client = Self.daemon().connect(from: Peer(userID: 35, processID: 7))
    #expect(client.error("session/attach", ["key": "x"])["code"] == 1015)
    let rejected = client.notify("field/change", ["field": "email", "value": "kim"]).last
    #expect(rejected?.at("params", "error", "code") == 1015)
  }

  @Test
  func `a refused operator's method takes no seat of operators`() {
    let daemon = Self.daemon { $0.limits[.connectionsMax] = 1 }
    _ = daemon.connect()
    let operators = (0..<ConnectionSeats.operatorsMax).map { _ in
      daemon.connect(from: Peer(userID: 35, processID: 7))
    }
    for one in operators { #expect(one.result("server/stats")["connections"] != nil) }
    let client = daemon.connect(from: Peer(userID: 33, processID: 7))
    #expect(client.error("server/stats")["code"] == 1015)
    #expect(operators.allSatisfy { !$0.isAborted })
  }

  @Test
  func `a user has the roles of all entries, and a group's roles are those of its members`() {
    var configuration = ServerConfiguration()
    #expect(configuration.roles(of: 33, groupIDs: [], daemon: 9) == [])
    configuration.peers = [
      PeerConfiguration(.user(33), roles: [.client]), PeerConfiguration(.group(50), roles: [.operator]),
      PeerConfiguration(.group(33), roles: [.provider]),
    ]
    #expect(configuration.roles(of: 33, groupIDs: [1], daemon: 9) == [.client])
    #expect(configuration.roles(of: 33, groupIDs: [1, 50], daemon: 9) == [.client, .operator])
    #expect(configuration.roles(of: 50, groupIDs: [1], daemon: 9) == [])
    #expect(configuration.roles(of: 0, groupIDs: [], daemon: 9) == Role.all)
    #expect(configuration.roles(of: 9, groupIDs: [], daemon: 9) == Role.all)
  }

  @Test
  func `a reload ends the connections of users who lose a role, and others have more roles at once`() {
    let daemon = Self.daemon()
    let loser = daemon.connect(from: Peer(userID: 33, processID: 7))
    let winner = daemon.connect(from: Peer(userID: 34, processID: 8, groupIDs: [50]))
    let root = daemon.connect(from: Peer(userID: 0, processID: 9))
    loser.open("login")
    #expect(winner.error("form/list")["code"] == 1015)
    var configuration = daemon.server.configuration
    configuration.peers = [
      PeerConfiguration(.user(33), roles: [.operator]), PeerConfiguration(.user(34), roles: [.provider]),
      PeerConfiguration(.group(50), roles: [.client]),
    ]
    daemon.server.reload(TestForms.all, configuration: configuration)
    #expect(loser.isAborted)
    #expect(
      loser.messages().last?["error"] == [
        "code": 1015, "message": "This user does not have the needed role", "data": ["role": "client"],
      ]
    )
    #expect(daemon.server.currentStatistics.sessions == 0)
    #expect(!winner.isAborted && !root.isAborted)
    #expect(winner.result("form/list")["forms"] != nil)
  }
}
