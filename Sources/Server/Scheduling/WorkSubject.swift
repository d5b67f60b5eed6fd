internal import FormProtocol
internal import Forms
internal import JSONRPC
internal import Logging
internal import Sessions
internal import Texts

/// The subject of a piece of work in the log: names only, never a value.
struct WorkSubject {
  /// Why there was work: a method of the protocol, or `timer`, `effect`, `definition`, `text`, `response` or
  /// `invalid message`.
  private var cause = ""
  private(set) var form: String?
  /// The part of the form: a field, an action, a step, a check, a lookup.
  private var part: String?
  private var session: Int64?

  /// Something without a name.
  init() {}

  /// Something that only has a cause.
  init(cause: String) {
    self.cause = cause
  }

  /// The method of a request, and the part of the form that its params name.
  init(_ request: RPCRequest, _ sessions: ConnectionSessions) {
    cause = String(decoding: request.method.prefix(64), as: UTF8.self)
    let subject = CallSubject(request.params)
    form = subject.form
    part = subject.cell
    session = subject.session
    guard session != nil || Method(utf8: request.method)?.meansOnlySession == true,
      let session = try? sessions.session(session)
    else { return }
    describe(session)
  }

  /// Work of a session without a message of its client. It concerns a part of the form.
  init(_ work: SessionWork, of waiter: Waiter?) {
    switch work {
    case .timer(let session), .expiry(let session):
      cause = Cause.timer.wireName.description
      describe(session)
      part = waiter.map(session.engineSession.name)
    case .answer(_, _, let session):
      cause = Cause.effect.wireName.description
      describe(session)
      part = waiter.map(session.engineSession.name)
    }
  }

  /// A session was opened with that form, which the client had brought along.
  init(definition name: String) {
    cause = "definition"
    form = name
  }

  private mutating func describe(_ session: LiveSession) {
    form = session.engineSession.form.name
    self.session = session.number
  }

  var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = ["cause": "\(cause.forLog)"]
    if let form { metadata.merge(["form": "\(form.forLog)"]) { $1 } }
    if let part { metadata.merge(["part": "\(part.forLog)"]) { $1 } }
    if let session { metadata.merge(["session": "\(session)"]) { $1 } }
    return metadata
  }
}
