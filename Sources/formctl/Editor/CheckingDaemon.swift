internal import Client
internal import FormProtocol
internal import LanguageServer

/// The daemon that runs checks for an editor. It is connected to when there is first something to ask, and anew when it went meanwhile.
///
/// Always true: nothing waits for it, and each question gets one answer, if only that nobody could be asked, or that no answer came in time.
final class CheckingDaemon {
  private struct Question {
    let number: Int
    /// When its time is up.
    let end: ContinuousClock.Instant
  }

  /// What runs longer than any check should: an editor's user has gone on long ago.
  static let answerTimeMax: Duration = .seconds(60)

  private let socket: SocketPath
  private let answerTime: Duration
  private let clock = ContinuousClock()
  private var connection: FormConnection?
  /// The questions that it has not answered, the oldest first.
  private var unanswered: [Question] = []
  private var answers: [(number: Int, answer: CheckAnswer)] = []

  /// The daemon at that socket, which is not connected to yet.
  ///
  /// - Parameter answerTime: so long an answer may take.
  init(at socket: SocketPath, answerTime: Duration = answerTimeMax) {
    self.socket = socket
    self.answerTime = answerTime
  }

  /// For `poll`: there is something to ``receive()``, or to ``send()``. -1 while there is no connection.
  var descriptor: CInt { connection?.descriptor ?? -1 }

  /// Whether ``send()`` has something to do as soon as the daemon reads.
  var hasOutput: Bool { connection?.hasPosted ?? false }

  /// How long until ``expire()`` has something to do; nil while nothing is waited for.
  var timeLeft: Duration? { unanswered.first.map { max($0.end - clock.now, .zero) } }

  /// Asks, and does not wait.
  func ask(_ question: CheckQuestion) {
    unanswered.append(Question(number: question.number, end: clock.now + answerTime))
    reach { () throws(ClientError) in
      try connected().post(question.params) { [unowned self] in
        answered(question.number, $0.map(CheckAnswer.judged))
      }
    }
  }

  /// Sends what the daemon takes, without waiting.
  func send() {
    reach { () throws(ClientError) in try connection?.flush() }
  }

  /// Takes in what has arrived, without waiting.
  func receive() {
    reach { () throws(ClientError) in try connection?.receive() }
  }

  /// Gives up a daemon that has not answered in time.
  func expire() {
    guard timeLeft == .zero else { return }
    lost("the daemon at \(socket.path) has not answered for \(answerTime)")
  }

  /// The answers that came since this was asked last.
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

  /// There is no connection any more.
  private func lost(_ reason: String) {
    connection = nil
    for question in unanswered { answers.append((question.number, Self.failure(reason))) }
    unanswered = []
  }

  private static func failure(_ reason: String) -> CheckAnswer {
    .failed("The checks of a form were not run: \(reason)")
  }
}
