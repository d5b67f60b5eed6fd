package import JSON

/// One live copy of a form on the daemon, with its document kept current here.
///
/// It takes over its connection's ``FormConnection/onNotification``.
package final class FormSession {
  /// What arrived for the session.
  package enum Change {
    /// An update; the document holds it already.
    case updated(patch: JSON, events: [JSON], cause: String)
    /// Updates were lost; the document was asked for again and is current.
    case replaced
    /// The daemon closed the session, or is about to end.
    case closed(reason: String)
    /// Anything else: its method and params.
    case other(method: String, params: JSON)
  }

  private let connection: FormConnection
  private var replica: DocumentReplica
  /// The values at the time of opening, without secrets.
  package let values: JSON
  /// Whether the daemon closed it.
  package private(set) var isClosed = false
  /// Called for each change, in order.
  package var onChange: ((Change) -> Void)?

  /// The current document.
  package var document: JSON { replica.document }
  /// The current revision.
  package var revision: Int64 { replica.revision }
  /// The session's number on its connection's daemon.
  package var number: Int64 { replica.session }

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - form: its name.
  ///   - options: further params of `session/open`: `locale`, `values`, `show`, `watch`.
  package init(opening form: String, options: JSONObject = [:], on connection: FormConnection) throws(ClientError) {
    var params = options
    params["form"] = .string(form)
    let answer = try connection.call("session/open", params)
    guard let replica = DocumentReplica(answer: answer) else {
      throw .protocolViolation("session/open answered without session, revision or document")
    }
    self.connection = connection
    self.replica = replica
    values = answer["values"] ?? [:]
    connection.onNotification = { [unowned self] method, params in notified(method, params) }
  }

  // MARK: Inputs

  /// A field got a value.
  @discardableResult
  package func change(_ field: String, to value: JSON, commit: Bool = false) throws(ClientError) -> JSON {
    var params: JSONObject = ["field": .string(field), "value": value]
    if commit { params["commit"] = true }
    return try input("field/change", params)
  }

  /// Any input by its method: `field/blur`, `action/tap`, `session/reset`, ...
  ///
  /// - Returns: its answer; the document is current by then.
  @discardableResult
  package func input(_ method: String, _ params: JSONObject = [:]) throws(ClientError) -> JSON {
    var params = params
    params["session"] = .integer(number)
    let answer = try connection.call(method, params)
    try mend()
    return answer
  }

  /// Takes in what has arrived; waits for nothing.
  package func receive() throws(ClientError) {
    try connection.receiveNotifications()
    try mend()
  }

  /// Takes in what arrives until `isDone` says so, or the session is closed.
  package func receive(until isDone: () -> Bool) throws(ClientError) {
    try receive()
    while !isDone(), !isClosed {
      _ = Poll.wait(for: [connection.descriptor], timeout: nil)
      try receive()
    }
  }

  /// Asks for the document again when something was lost.
  private func mend() throws(ClientError) {
    guard replica.isOutdated, !isClosed else { return }
    replica.replaced(by: try connection.call("session/get", ["session": .integer(number)]))
    onChange?(.replaced)
  }

  private func notified(_ method: String, _ params: JSON) {
    let isOurs = params["session"]?.integerValue == number
    switch method {
    case "session/update" where isOurs:
      guard replica.updated(params) == .merged else { return }
      onChange?(
        .updated(
          patch: params["patch"] ?? [:],
          events: params["events"]?.arrayValue ?? [],
          cause: params["cause"]?.stringValue ?? ""
        )
      )
    case "session/desync" where isOurs:
      replica.desynchronised()
    case "session/closed" where isOurs:
      isClosed = true
      onChange?(.closed(reason: params["reason"]?.stringValue ?? "closed"))
    default:
      onChange?(.other(method: method, params: params))
    }
  }

  /// Whether nothing is under way: no check pending, no action loading.
  package var isSettled: Bool {
    if document["isPending"]?.boolValue == true { return false }
    return document["actions"]?.objectValue?.allSatisfy { $0.value["isLoading"]?.boolValue != true } ?? true
  }
}
