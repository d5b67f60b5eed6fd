internal import Configuration
internal import Times

/// The connections of each address now, and its messages lately. A value without input and output.
///
/// An address is one IPv4 address or one IPv6 network (``InternetAddress/network``).
struct AddressAccounts {
  private struct Account {
    /// Connections that are open.
    var connections = 0
    /// Messages and connections.
    var bucket: TokenBucket
    /// For each kept session that it has opened lately: the end of the time for which the session is kept, if nobody
    /// has used it. In the order in which the sessions were opened.
    var kept: [Instant] = []

    func isUnused(at now: Instant) -> Bool {
      connections == 0 && bucket.isFull(at: now) && !kept.contains { $0 > now }
    }
  }

  private let limits: WebLimits
  private var accounts: [InternetAddress: Account] = [:]
  /// The connections of all accounts.
  private(set) var connections = 0
  /// The number of accounts at which accounts that are as new are dropped.
  private var sweepAt = 1_024

  /// Accounts with those limits.
  init(_ limits: WebLimits) {
    self.limits = limits
  }

  /// How many accounts are kept.
  var count: Int { accounts.count }

  /// A browser of that address wants to connect.
  ///
  /// - Returns: why it has to wait; nil if it is connected from now on, until ``left(_:)``.
  mutating func connect(_ address: InternetAddress, at now: Instant) -> CloseReason? {
    guard connections < limits[.connectionsMax] else { return .later("too many connections") }
    let address = address.network
    var account = account(address, at: now)
    guard account.connections < limits[.connectionsPerAddressMax] else {
      return .later("too many connections from this address")
    }
    guard account.bucket.take(at: now) else { return .later("too many messages from this address") }
    account.connections += 1
    connections += 1
    accounts[address] = account
    return nil
  }

  /// A browser of that address has sent a message.
  ///
  /// - Returns: a reason to close its connection.
  mutating func sent(_ address: InternetAddress, at now: Instant) -> CloseReason? {
    guard accounts[address.network]?.bucket.take(at: now) == true else {
      return .later("too many messages from this address")
    }
    return nil
  }

  /// A browser of that address, which is connected, wants to open a session that is kept so long.
  ///
  /// - Returns: a reason to close its connection; nil if the session counts for its address for that time.
  mutating func opened(_ address: InternetAddress, keep: Duration, at now: Instant) -> CloseReason? {
    let address = address.network
    var kept = accounts[address]?.kept ?? []
    kept.removeAll { $0 <= now }
    defer { accounts[address]?.kept = kept }
    guard kept.count < limits[.keptSessionsPerAddressMax] else {
      return .later("too many kept sessions from this address")
    }
    kept.append(now + keep)
    return nil
  }

  /// A browser of that address, which ``connect(_:at:)`` has connected, is gone.
  mutating func left(_ address: InternetAddress) {
    let address = address.network
    guard let count = accounts[address]?.connections, count > 0 else {
      preconditionFailure("an address without connections has left: \(address)")
    }
    accounts[address]?.connections = count - 1
    connections -= 1
  }

  private mutating func account(_ address: InternetAddress, at now: Instant) -> Account {
    if let account = accounts[address] { return account }
    if accounts.count >= sweepAt {
      // Such an account is as good as none.
      accounts = accounts.filter { !$0.value.isUnused(at: now) }
      sweepAt = max(1_024, 2 * accounts.count)
    }
    let perSecond = limits[.messagesPerSecond] * limits[.connectionsPerAddressMax]
    let bucket = TokenBucket(
      perSecond: perSecond,
      capacity: perSecond * BrowserConversation.burstSeconds,
      at: now
    )
    return Account(bucket: bucket)
  }
}
