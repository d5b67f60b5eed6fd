internal import Configuration
internal import FormProtocol
internal import JSONRPC

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

  /// That configuration.
  init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
    readerLimits = configuration.limits.forReaders
    valueBytesPerConnectionMax = configuration.limits[.valueBytesPerConnectionMax]
    valueBytesMax = configuration.limits[.valueBytesMax]
    memoryMax = configuration.limits[.memoryMax]
    slowWorkNanoseconds = Int64(configuration.slowTurn / .nanoseconds(1))
  }
}
