/// The sender of an input to a session that several clients share.
@frozen public struct Sender: Hashable, Sendable {
  /// The number of the client among all clients that the session has ever had; 0: no client.
  @usableFromInline let number: Int32

  /// The client of that number, from 1 on.
  @inlinable public init(client number: Int32) { self.number = number }

  /// No client has sent the input: a time has come, or an effect has its answer.
  @inlinable public static var nobody: Sender { Sender(client: 0) }
}
