internal import Client
internal import FormProtocol
internal import LanguageServer

/// The daemon that runs checks for an editor. It is connected to when there is first something to ask, and anew when it went meanwhile.
///
/// Always true: each question gets one answer, if only that nobody could be asked.
final class CheckingDaemon {
  private let socket: SocketPath
  private var connection: FormConnection?
  /// The numbers of the questions that it has not answered.
  private var unanswered: [Int] = []
  private var answers: [(number: Int, answer: CheckAnswer)] = []

  /// The daemon at that socket, which is not connected to yet.
  init(at socket: SocketPath) {
    self.socket = socket
  }

  /// For `poll`: there is something to ``receive()``. -1 while there is no connection.
  var descriptor: CInt { connection?.descriptor ?? -1 }

  /// Asks, and does not wait.
  func ask(_ question: CheckQuestion) {
    unanswered.append(question.number)
    do throws(ClientError) {
      try connected().send(question.params) { [unowned self] in
        answered(question.number, $0.map(CheckAnswer.judged))
      }
    } catch {
      lost(error)
    }
  }

  /// Takes in what has arrived, without waiting.
  func receive() {
    do throws(ClientError) {
      try connection?.receive()
    } catch {
      lost(error)
    }
  }

  /// The answers that came since this was asked last.
  func takeAnswers() -> [(number: Int, answer: CheckAnswer)] {
    defer { answers = [] }
    return answers
  }

  private func connected() throws(ClientError) -> FormConnection {
    if let connection { return connection }
    let connection = try FormConnection(to: socket)
    self.connection = connection
    return connection
  }

  private func answered(_ number: Int, _ result: Result<CheckAnswer, ClientError>) {
    unanswered.removeAll { $0 == number }
    switch result {
    case .success(let answer): answers.append((number, answer))
    case .failure(let error): answers.append((number, .failed(Self.words(for: error))))
    }
  }

  /// There is no connection any more.
  private func lost(_ error: ClientError) {
    connection = nil
    for number in unanswered { answers.append((number, .failed(Self.words(for: error)))) }
    unanswered = []
  }

  private static func words(for error: ClientError) -> String { "The checks of a form were not run: \(error)" }
}
