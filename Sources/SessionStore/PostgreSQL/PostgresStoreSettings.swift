package import PostgreSQL

/// The address of the database, and the identity of its user.
package struct PostgresStoreSettings: Sendable {
  /// The address of the database.
  package var url: PostgresURL
  /// The password; nil: none is needed, or libpq finds one.
  package var password: PostgresPassword?
  /// This daemon's instance ID, which clients see.
  package var instance: String
  /// Equal for every process that has this machine's lock file; there is one such process at a time. A process takes
  /// the sessions of the processes before it at once. Nil: none.
  package var machine: String?
  /// How often a store that is away tries again.
  package var retryInterval: Duration
  /// The server's time limit for one transaction; then it is given up.
  package var patience: Duration
  /// How long a transaction may wait for another transaction's lock. After a second the server has looked for
  /// deadlocks (`deadlock_timeout`), and has stopped its own vacuum if that was in the way.
  package var lockPatience: Duration
  /// The largest row that is read in bytes. No process writes more at once.
  package var rowBytesMax: Int
  /// This process's clock, in seconds since 1970, by which ``StoredFacts/expiry`` is counted.
  package var wallClock: @Sendable () -> Double
  /// The identity of this process. No other process has it, even if this machine is a copy of another.
  var process = ""
  /// Lets tests interrupt the connection on the way of a transaction.
  var interruption = ConnectionInterruption()

  /// Settings of those parts.
  package init(
    url: PostgresURL,
    password: PostgresPassword? = nil,
    instance: String,
    machine: String? = nil,
    retryInterval: Duration = .seconds(1),
    patience: Duration = .seconds(10),
    lockPatience: Duration = .seconds(2),
    rowBytesMax: Int = SessionWriter.writeBytesMax,
    wallClock: @escaping @Sendable () -> Double = SessionDatabase.systemClock
  ) {
    self.url = url
    self.password = password
    self.instance = instance
    self.machine = machine
    self.retryInterval = retryInterval
    self.patience = patience
    self.lockPatience = lockPatience
    self.rowBytesMax = rowBytesMax
    self.wallClock = wallClock
  }
}

/// Lets tests interrupt the connection of a store in PostgreSQL at points on the way of a transaction. In
/// production it does nothing.
package struct ConnectionInterruption: Sendable {
  /// The purpose of a transaction.
  package enum Purpose: String, Sendable {
    case enrollment, write, lookUp, claim, removal, release, answer, expiry, renewal, probe, end
  }

  /// A point on the way of a transaction.
  package enum Point: Hashable, Sendable {
    /// It is about to be sent.
    case before(Purpose)
    /// It is committed, and no completion was called.
    case behind(Purpose)
  }

  /// Called on the thread that has the connection, at each point. Returns whether the connection is lost there.
  package var losesConnection: @Sendable (Point) -> Bool

  /// An interruption that does this.
  package init(losesConnection: @escaping @Sendable (Point) -> Bool = { _ in false }) {
    self.losesConnection = losesConnection
  }
}
