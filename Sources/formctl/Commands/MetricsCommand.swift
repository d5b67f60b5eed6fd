internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl metrics`: prints the daemon's counters, for monitoring programs.
struct MetricsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metrics",
    abstract: "Print the daemon's metrics, in Prometheus' text format.",
    discussion: """
      The daemon can also write its metrics to a file, or serve them at a loopback
      address: see metrics in formd.json(5).

        formctl metrics | grep formd_memory_bytes
      """
  )

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let daemon = try connection.connect()
    let info = try daemon.info(timeout: .seconds(10))
    let statistics = try daemon.stats(named: true, timeout: .seconds(10))
    let metrics = MetricsText(statistics, limits: info.limits, version: info.version)
    // The text ends with the line break that `say` adds.
    Console.say(String(metrics.text.dropLast()))
  }
}
