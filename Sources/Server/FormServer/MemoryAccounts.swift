/// The memory that clients make the daemon use, in bytes by kind. Each keeper adds its bytes, and takes them away
/// again.
package struct MemoryAccounts {
  /// The data that sessions keep for their clients: values, outputs, results, answers of checks, events for clients
  /// that come back.
  package internal(set) var values = 0
  /// The sessions themselves, and the definitions that clients brought along for them.
  package internal(set) var sessions = 0
  /// Unread input: unfinished texts, texts that wait to be parsed, batches that are parsed and wait.
  package internal(set) var unread = 0
  /// Data that is not sent: unread output, unfinished answers to batches, updates held back, answers to effects that
  /// wait for a slice.
  package internal(set) var queued = 0

  /// The bytes that ``Limit/memoryMax`` bounds.
  @inline(__always)
  package var total: Int { values &+ sessions &+ unread &+ queued }
}

/// The share of one keeper in one of the accounts.
struct AccountShare {
  private(set) var bytes = 0

  /// From now on it keeps so many bytes.
  @inline(__always)
  mutating func set(_ bytes: Int, in account: inout Int) {
    account += bytes - self.bytes
    self.bytes = bytes
  }
}
