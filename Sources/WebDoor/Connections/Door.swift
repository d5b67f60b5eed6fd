internal import Configuration
internal import Logging
internal import NIOCore
internal import Times

/// The state that all connections of the door share. It lives on one event loop, as all that it touches does.
final class Door {
  /// Connects a link to the daemon.
  typealias Connect = (DaemonLink) -> EventLoopFuture<Void>

  /// The settings. A ``LocalDoor`` knows its host and its origin only when it listens.
  var configuration: WebConfiguration
  /// The files of the client, by name.
  let files: [String: ClientFile]
  /// The use of each address.
  var accounts: AddressAccounts
  let logger: Logger
  /// The turns of browsers that have sent very much.
  let turns = FrameTurns()
  /// Connects a browser's link to the daemon. The daemon sees one connection for each browser.
  let connect: Connect
  /// Browsers whose connection is open, also those that are just sent away.
  private var browsers: [ObjectIdentifier: BrowserHandler] = [:]
  /// Connections that have not asked for a WebSocket, the oldest first.
  private var requests: [any Channel] = []
  /// Set when the door ends: called when no connection is left.
  private var ended: (() -> Void)?

  /// Connections at once that have not asked for a WebSocket; the next one replaces the oldest. Each lasts as long as
  /// one request, so a browser that comes at the same time as so many others finds its place.
  static let requestsMax = 256
  /// How long such a connection may last, until its answer is sent.
  static let requestMax = TimeAmount.seconds(10)

  init(_ configuration: WebConfiguration, files: [ClientFile], logger: Logger, connect: @escaping Connect) {
    self.configuration = configuration
    self.files = Dictionary(files.map { ($0.name, $0) }) { $1 }
    accounts = AddressAccounts(configuration.limits)
    self.logger = logger
    self.connect = connect
  }

  // MARK: Connections that have not asked for a WebSocket

  /// A connection was accepted.
  func accepted(_ channel: any Channel) {
    requests.append(channel)
    if requests.count > Self.requestsMax {
      logger.warning(
        "the oldest connection without a request was closed to make room for a new one",
        metadata: ["connectionsMax": "\(Self.requestsMax)"]
      )
      requests.removeFirst().close(promise: nil)
    }
  }

  /// The connection has ended, or is a WebSocket now.
  func forget(_ channel: any Channel) {
    requests.removeAll { $0 === channel }
    tellEnd()
  }

  // MARK: Browsers

  /// A browser has connected.
  ///
  /// - Returns: why it is sent away; nil if it counts for its address until ``left(_:)``.
  func came(_ browser: BrowserHandler, from address: InternetAddress, at now: Instant) -> CloseReason? {
    browsers[ObjectIdentifier(browser)] = browser
    return ended == nil ? accounts.connect(address, at: now) : .ended("the door has ended")
  }

  /// The connection of a browser is closed.
  ///
  /// - Parameter address: the address for which the browser counts; nil: it does not.
  func left(_ browser: BrowserHandler, from address: InternetAddress?) {
    browsers[ObjectIdentifier(browser)] = nil
    if let address { accounts.left(address) }
    tellEnd()
  }

  // MARK: The end

  /// Sends all browsers away. Later connections are sent away, too.
  func end(_ whenEnded: @escaping () -> Void) {
    ended = whenEnded
    for browser in browsers.values { browser.close(.ended("the door has ended")) }
    for channel in requests { channel.close(promise: nil) }
    tellEnd()
  }

  /// Closes what is left.
  func abort() {
    for browser in browsers.values { browser.abort() }
  }

  private func tellEnd() {
    guard let ended, browsers.isEmpty, requests.isEmpty else { return }
    ended()
  }
}

extension Instant {
  /// The time of a loop's clock.
  init(_ loop: any EventLoop) {
    self.init(nanoseconds: Int64(clamping: loop.now.uptimeNanoseconds))
  }
}
