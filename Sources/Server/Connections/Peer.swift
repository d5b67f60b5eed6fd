/// The process at the other end of a connection.
package struct Peer: Hashable, Sendable {
  /// The user that the process runs as, from the kernel.
  package var userID: UInt32
  /// Its process ID. If its parent handed it the connection, the parent's process ID.
  package var processID: Int32

  /// The groups that it had when it connected. Empty if they do not matter, because its user has all roles.
  package var groupIDs: [UInt32]

  package init(userID: UInt32, processID: Int32, groupIDs: [UInt32] = []) {
    self.userID = userID
    self.processID = processID
    self.groupIDs = groupIDs
  }
}
