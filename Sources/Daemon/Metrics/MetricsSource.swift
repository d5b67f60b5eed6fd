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
  }

  private let host: NIOLoopBound<LoopServer>
  private let kept = NIOLockedValueBox(Kept())

  init(_ host: NIOLoopBound<LoopServer>) {
    self.host = host
  }

  /// Calls back with the state, on the server's event loop or the calling thread.
  func report(_ completion: @escaping @Sendable (Report) -> Void) {
    if let report = kept.withLockedValue({ $0.isFreshUntil > .now() ? $0.report : nil }) { return completion(report) }
    host.eventLoop.execute { [self] in
      let server = host.value.server
      let (statistics, limits) = (server.allStatistics, server.limits.byName)
      var report = Report(notReady: server.notReady)
      for format in [MetricsText.Format.prometheus, .openMetrics] {
        let metrics = MetricsText(statistics, limits: limits, version: FormServer.version, format: format)
        report.texts[format] = metrics.text
      }
      kept.withLockedValue { $0 = Kept(report: report, isFreshUntil: .now() + Self.freshness) }
      completion(report)
    }
  }
}
