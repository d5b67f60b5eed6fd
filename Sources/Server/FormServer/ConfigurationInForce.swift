internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Logging

/// The configuration in force, with the numbers of it that are needed often.
struct ConfigurationInForce {
  let configuration: ServerConfiguration
  /// The limits that the reader of a new connection enforces.
  let readerLimits: RPCLimits
  /// ``Limit/valueBytesPerConnectionMax``, ``Limit/valueBytesMax`` and ``Limit/memoryMax``, kept as numbers because
  /// every change compares them.
  let valueBytesPerConnectionMax: Int
  let valueBytesMax: Int
  let memoryMax: Int
  /// ``ServerConfiguration/slowTurn`` in nanoseconds.
  let slowWorkNanoseconds: Int64
  /// Work that takes so long is reported to the log: slow work, or all work if each message is logged. So a log without
  /// messages costs nothing.
  let loggedWorkNanoseconds: Int64
  /// Whether each message is logged.
  let logsMessages: Bool
  /// Whether each turn is logged.
  let logsTurns: Bool

  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    readerLimits = configuration.limits.forReaders
    valueBytesPerConnectionMax = configuration.limits[.valueBytesPerConnectionMax]
    valueBytesMax = configuration.limits[.valueBytesMax]
    memoryMax = configuration.limits[.memoryMax]
    slowWorkNanoseconds = Int64(configuration.slowTurn / .nanoseconds(1))
    logsMessages = configuration.logLevel <= .debug
    logsTurns = configuration.logLevel <= .trace
    loggedWorkNanoseconds = logsMessages ? .min : slowWorkNanoseconds
  }
}
