/// The sender of an input to a session that several clients share.
@frozen public struct Sender: Hashable, Sendable {
  /// The number of the client; 0: no client.
  @usableFromInline let number: Int64

  /// The client of that number, from 1 on. No two clients that have the session at the same time have the same number.
  @inlinable public init(client number: Int64) { self.number = number }

  /// No client has sent the input: a time has come, or an effect has its answer.
  @inlinable public static var nobody: Sender { Sender(client: 0) }
}
