internal import Client
internal import FormProtocol
internal import LanguageServer

/// The daemon that runs checks for an editor. The program connects at the first request, and again after a disconnect.
///
/// Always true: no call waits for the daemon, and each request gets one answer. The answer may say that no daemon could
/// be reached, or that no answer came in time.
final class CheckingDaemon {
  private struct OpenRequest {
    let number: Int
    /// The request's deadline.
    let end: ContinuousClock.Instant
  }

  /// A limit beyond the time of any check: the editor's user does not wait that long.
  static let answerTimeMax: Duration = .seconds(60)

  private let socket: SocketPath
  private let answerTime: Duration
  private let clock = ContinuousClock()
  private var connection: FormConnection?
  /// The requests without an answer, the oldest first.
  private var unanswered: [OpenRequest] = []
  private var answers: [(number: Int, answer: CheckAnswer)] = []

  /// Creates a client of the daemon at that socket, without a connection yet.
  ///
  /// - Parameter answerTime: the time limit for an answer.
  init(at socket: SocketPath, answerTime: Duration = answerTimeMax) {
    self.socket = socket
    self.answerTime = answerTime
  }

  /// The descriptor for `poll`, before ``receive()`` and ``send()``. -1 while there is no connection.
  var descriptor: CInt { connection?.descriptor ?? -1 }

  /// Whether ``send()`` has output, once the daemon reads.
  var hasOutput: Bool { connection?.hasPosted ?? false }

  /// The time until ``expire()`` has something to do; nil while no request waits.
  var timeLeft: Duration? { unanswered.first.map { max($0.end - clock.now, .zero) } }

  /// Posts a request without waiting.
  func ask(_ request: CheckRequest) {
    unanswered.append(OpenRequest(number: request.number, end: clock.now + answerTime))
    reach { () throws(ClientError) in
      try connected().post(request.params) { [unowned self] in
        answered(request.number, $0.map(CheckAnswer.judged))
      }
    }
  }

  /// Sends as much as the daemon accepts, without waiting.
  func send() {
    reach { () throws(ClientError) in try connection?.flush() }
  }

  /// Receives the available input, without waiting.
  func receive() {
    reach { () throws(ClientError) in try connection?.receive() }
  }

  /// Disconnects from a daemon that did not answer in time.
  func expire() {
    guard timeLeft == .zero else { return }
    lost("the daemon at \(socket.path) has not answered for \(answerTime)")
  }

  /// The answers that arrived since the last call.
  func takeAnswers() -> [(number: Int, answer: CheckAnswer)] {
    defer { answers = [] }
    return answers
  }

  private func reach(_ body: () throws(ClientError) -> Void) {
    do throws(ClientError) { try body() } catch { lost("\(error)") }
  }

  private func connected() throws(ClientError) -> FormConnection {
    if let connection { return connection }
    let connection = try FormConnection(withoutWaitingTo: socket)
    self.connection = connection
    return connection
  }

  private func answered(_ number: Int, _ result: Result<CheckAnswer, ClientError>) {
    unanswered.removeAll { $0.number == number }
    switch result {
    case .success(let answer): answers.append((number, answer))
    case .failure(let error): answers.append((number, Self.failure("\(error)")))
    }
  }

  /// Handles the end of the connection.
  private func lost(_ reason: String) {
    connection = nil
    for request in unanswered { answers.append((request.number, Self.failure(reason))) }
    unanswered = []
  }

  private static func failure(_ reason: String) -> CheckAnswer {
    .failed("The checks of a form were not run: \(reason)")
  }
}
