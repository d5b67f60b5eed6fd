package import FormProtocol
package import JSONRPC
package import Sessions

/// A method that feeds a session: its params become an input of the engine, and the turn of the input becomes its
/// answer.
package protocol InputCall: Call {
  /// The cause that the updates of the turn name.
  static var cause: Cause { get }

  /// The number of the session; nil: the connection's only session.
  var session: Int64? { get }

  /// The input for the engine.
  ///
  /// - Throws: the error that answers the call; nothing was changed then.
  func input(for session: Session) throws(RPCError) -> Input

  /// The answer when the input is applied.
  ///
  /// - Throws: the error if the input had no effect, because timers that were due came first.
  func answer(to turn: borrowing Turn) throws(RPCError) -> Answer
}

extension InputCall where Answer == InputAnswer {
  package func answer(to turn: borrowing Turn) -> InputAnswer { InputAnswer(revision: turn.revision) }
}
