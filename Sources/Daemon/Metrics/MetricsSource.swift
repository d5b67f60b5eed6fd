internal import Configuration
internal import FormProtocol
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Server

/// The source of the metrics' text: the server's event loop. It is asked at most once a second, however many clients
/// want the text.
final class MetricsSource: Sendable {
  private static let freshness = TimeAmount.seconds(1)

  private struct Kept {
    var text = ""
    var isFreshUntil = NIODeadline.uptimeNanoseconds(0)
  }

  private let host: NIOLoopBound<LoopServer>
  private let kept = NIOLockedValueBox(Kept())

  init(_ host: NIOLoopBound<LoopServer>) {
    self.host = host
  }

  /// Calls back with the text, on the server's event loop or the calling thread.
  func text(_ completion: @escaping @Sendable (String) -> Void) {
    if let text = kept.withLockedValue({ $0.isFreshUntil > .now() ? $0.text : nil }) { return completion(text) }
    host.eventLoop.execute { [self] in
      let server = host.value.server
      let text = MetricsText(server.currentStatistics, limits: server.limits.byName).text
      kept.withLockedValue { $0 = Kept(text: text, isFreshUntil: .now() + Self.freshness) }
      completion(text)
    }
  }
}
