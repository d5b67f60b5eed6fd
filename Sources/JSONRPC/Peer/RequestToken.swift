/// The destination of a request's answer: the part of a request that a caller keeps until it answers.
///
/// ``RPCWriter/accepted(_:)`` makes the token. A token that wants an answer is answered exactly once, at once or later,
/// with ``RPCWriter/answer(_:_:)`` or ``RPCWriter/fail(_:_:)``.
package struct RequestToken {
  /// nil for a notification, which is never answered.
  package let id: RequestID?
  /// The batch that the answer is part of; nil for a request that came alone.
  let batch: BatchAnswer?

  /// Whether the sender wants an answer.
  package var wantsAnswer: Bool { id != nil }
  /// Whether the answer is part of the answer to a batch.
  package var isBatchMember: Bool { batch != nil }
}
