internal import ArgumentParser
internal import ClientKit
internal import JSON
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl client-kit`: tests a client of any language against a scripted daemon.
struct ClientKitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client-kit",
    abstract: "Test a client library against a scripted daemon. No daemon is needed.",
    discussion: """
      The command plays the daemon in scenarios that a real daemon seldom shows: lost
      connections, split messages, refusals, events twice. An adapter of about twenty
      lines drives the client. It reads one command per line on its standard input,
      and writes one report per line. protocol/clients/README.md describes both.

        formctl client-kit -- python3 my_adapter.py
        formctl client-kit --only tap --only repeat -- ./my-adapter

      For each scenario, the command starts the adapter and prints "passed", or what
      the client did wrong. The last line is always "N passed, M failed".

      Exit status: 0 all scenarios passed, 1 some failed, 2 the adapter cannot be
      started, or there is no such scenario.
      """
  )

  @Option(help: "Play only the scenario of that name. It can be given several times.") var only: [String] = []
  @Flag(help: "Write the results as one JSON value, with the rule of each scenario.") var json = false
  @Option(help: "How many seconds the daemon waits for each step of the client.") var timeout = 10.0
  @Argument(parsing: .postTerminator, help: "The adapter and its arguments, behind \"--\".") var command: [String]

  func validate() throws {
    try validateSeconds(timeout, option: "--timeout")
    let names = Scenario.all.map(\.name)
    for name in only where !names.contains(name) {
      let closest = closestName(to: name, among: names).map { " Did you mean \($0)?" } ?? ""
      let all = names.joined(separator: ", ")
      throw ValidationError("There is no scenario \(name).\(closest) The scenarios are: \(all).")
    }
  }

  func run() throws {
    // An adapter that ends early fails its scenario.
    signal(SIGPIPE, SIG_IGN)
    let scenarios = Scenario.all.filter { only.isEmpty || only.contains($0.name) }
    let width = scenarios.map(\.name.count).max() ?? 0
    var results: [JSON] = []
    var failedCount = 0
    for scenario in scenarios {
      let adapter: Adapter
      do throws(KitFailure) { adapter = try Adapter(command: command) } catch {
        throw CommandFailure(message: error.description)
      }
      var result: JSONObject = [
        "name": .string(scenario.name), "passed": true, "daemon": .string(scenario.daemon),
        "client": .string(scenario.client), "page": .string(scenario.page),
      ]
      let name = scenario.name.padded(to: width)
      do throws(KitFailure) {
        try scenario.play(with: adapter, patience: .seconds(timeout))
        if !json { Console.say("\(name)  passed") }
      } catch {
        failedCount += 1
        result["passed"] = false
        result["problem"] = .string(error.description)
        if !json {
          Console.say("\(name)  failed: \(error)")
          Console.say("  the daemon \(scenario.daemon)")
          Console.say("  the client \(scenario.client) (protocol/\(scenario.page))")
        }
      }
      results.append(.object(result))
    }
    let passedCount = scenarios.count - failedCount
    if json {
      Console.say([
        "passed": .integer(Int64(passedCount)), "failed": .integer(Int64(failedCount)), "scenarios": .array(results),
      ])
    } else {
      Console.say("\(passedCount) passed, \(failedCount) failed")
    }
    if failedCount > 0 { throw ExitCode(1) }
  }
}

extension String {
  /// The text with spaces behind it, so that it has at least that number of characters.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }
}
