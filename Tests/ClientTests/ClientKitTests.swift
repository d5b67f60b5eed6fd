internal import ClientKit
internal import Files
internal import FormProtocol
internal import JSON
internal import Testing

@testable internal import Client

#if canImport(Glibc)
  internal import Glibc
#endif

/// The client passes the kit of all clients.
struct ClientKitTests {
  @Test(arguments: Scenario.all.map(\.name))
  func `The client does what every client must do`(name: String) async throws {
    let scenario = try #require(Scenario.all.first { $0.name == name })
    let problem = await DetachedThread.result { () -> String? in
      do throws(KitFailure) {
        try scenario.play(with: Self.adapter(), patience: .seconds(30))
        return nil
      } catch {
        return error.description
      }
    }
    #expect(problem == nil)
  }

  @Test func `The names of the scenarios differ`() {
    #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
  }

  /// The kit's end of an adapter that runs on a thread of its own.
  private static func adapter() -> Adapter {
    // The kit closes its end after a failure, when the adapter may still write.
    signal(SIGPIPE, SIG_IGN)
    var commands: [CInt] = [-1, -1]
    var reports: [CInt] = [-1, -1]
    precondition(pipe(&commands) == 0 && pipe(&reports) == 0, "pipe: \(SystemError.last)")
    let (input, output) = (commands[0], reports[1])
    DetachedThread.start {
      drive(input: input, output: output)
      close(input)
      close(output)
    }
    return Adapter(input: commands[1], output: reports[0])
  }

  /// The adapter: one report for each command.
  private static func drive(input: CInt, output: CInt) {
    guard let commands = fdopen(dup(input), "r") else { return }
    defer { fclose(commands) }
    var connection: FormConnection?
    var session: FormSession?
    var events: [JSON] = []
    while let line = readLine(from: commands), let command = try? JSON(parsing: line) {
      var problem: JSON = .null
      do throws(ClientError) {
        switch command["do"] {
        case "open":
          let opened = try FormConnection(socketPath: command["socket"]?.stringValue ?? "")
          connection = opened
          let kept: Duration? = command["keep"] == nil ? nil : .seconds(600)
          session = try opened.open(command["form"]?.stringValue ?? "", SessionOptions(kept: kept))
          session?.onChange = { change in
            if case .updated(_, let ended, _) = change { events += ended.map { .integer(Int64($0.sequence)) } }
          }
        case "set": try session?.change(command["field"]?.stringValue ?? "", to: command["value"] ?? .null)
        default: _ = try session?.tap(command["action"]?.stringValue ?? "")
        }
      } catch {
        problem = name(of: error)
      }
      let document: JSON = session?.document.json ?? .null
      let report: JSON = ["error": problem, "document": document, "events": .array(events)]
      let bytes = Array((report.description + "\n").utf8)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
    withExtendedLifetime(connection) {}
  }

  private static func name(of error: ClientError) -> JSON {
    switch error {
    case .outcomeUnknown: "unknown"
    case .refused(_, let refusal): .integer(Int64(refusal.code))
    case .sessionLost, .disconnected, .notRunning: "closed"
    default: .string("\(error)")
    }
  }

  private static func readLine(from file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      let byte = getc(file)
      if byte == EOF { return nil }
      if byte == 0x0A { return line }
      line.append(UInt8(truncatingIfNeeded: byte))
    }
  }
}
