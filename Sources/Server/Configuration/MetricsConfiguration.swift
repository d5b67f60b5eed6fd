/// Where the daemon tells what it counts, for whoever watches many machines (``MetricsText``). Nowhere by default: `formctl metrics` asks.
package struct MetricsConfiguration: Hashable, Sendable {
  /// A file that is written anew again and again; nil: none.
  package var file: String?
  /// How often that file is written.
  package var interval = Duration.seconds(15)
  /// A loopback address at which HTTP is answered; nil: none.
  package var address: Address?

  /// The host and the port of a loopback address.
  package struct Address: Hashable, Sendable {
    /// `127.0.0.1`, or another of that net, or `::1`.
    package var host: String
    /// 0: any that is free.
    package var port: Int

    /// That address.
    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// The address in a text such as `127.0.0.1:9469` or `[::1]:9469`; nil for another text.
    init?(_ text: String) {
      guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
        (0...65_535).contains(port)
      else { return nil }
      host = text[..<colon].filter { $0 != "[" && $0 != "]" }
      self.port = port
    }
  }

  /// The defaults.
  package init() {}
}
