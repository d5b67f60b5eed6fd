internal import Configuration
internal import FormProtocol
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Server

/// The source of the metrics' text and of the readiness: the server's event loop. It is asked at most once a second,
/// however many clients ask.
final class MetricsSource: Sendable {
  private static let freshness = TimeAmount.seconds(1)

  /// The state of the daemon at one time.
  struct Report {
    /// The metrics, in each format.
    fileprivate var texts: [MetricsText.Format: String] = [:]
    /// Why the daemon is not ready for clients; empty if it is ready.
    var notReady: [ReadinessProblem] = []

    /// The metrics in a format; empty until the server has given them.
    func text(_ format: MetricsText.Format) -> String { texts[format] ?? "" }
  }

  private struct Kept {
    var report = Report()
    var isFreshUntil = NIODeadline.uptimeNanoseconds(0)
    /// The calls that wait for the answer of the event loop.
    var waiting: [@Sendable (Report) -> Void] = []
  }

  private let eventLoop: any EventLoop
  private let makeReport: @Sendable () -> Report
  private let kept = NIOLockedValueBox(Kept())

  /// - Parameter makeReport: makes a report, on that event loop.
  init(on eventLoop: any EventLoop, makeReport: @escaping @Sendable () -> Report) {
    self.eventLoop = eventLoop
    self.makeReport = makeReport
  }

  convenience init(_ host: NIOLoopBound<LoopServer>) {
    self.init(on: host.eventLoop) { Report(of: host.value.server) }
  }

  /// Calls back with the state, on the server's event loop or the calling thread.
  func report(_ completion: @escaping @Sendable (Report) -> Void) {
    let (report, isFirst) = kept.withLockedValue { kept -> (Report?, Bool) in
      if kept.isFreshUntil > .now() { return (kept.report, false) }
      kept.waiting.append(completion)
      return (nil, kept.waiting.count == 1)
    }
    if let report { return completion(report) }
    if isFirst { eventLoop.execute { [self] in answer() } }
  }

  /// Gives a report to all calls that wait.
  private func answer() {
    let report = makeReport()
    let waiting = kept.withLockedValue { kept in
      defer { kept = Kept(report: report, isFreshUntil: .now() + Self.freshness) }
      return kept.waiting
    }
    for completion in waiting { completion(report) }
  }
}

extension MetricsSource.Report {
  fileprivate init(of server: FormServer) {
    let (statistics, limits) = (server.allStatistics, server.limits.byName)
    notReady = server.notReady
    for format in [MetricsText.Format.prometheus, .openMetrics] {
      let metrics = MetricsText(statistics, limits: limits, version: FormServer.version, format: format)
      texts[format] = metrics.text
    }
  }
}
