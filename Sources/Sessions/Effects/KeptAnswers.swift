internal import JSON

/// What asks a question: a check or a lookup, by its address. In rows each row asks for itself, and what is known is known to all.
enum Asker: Hashable {
  case check(Int)
  case lookup(Int)

  var isLookup: Bool { if case .lookup = self { true } else { false } }
}

/// Answers that are used again when their question comes again.
///
/// What is kept is what the service said. What it means is found anew each time: the formulas that say it may read other cells, and those of
/// another row.
struct KeptAnswers {
  private struct Kept {
    let key: JSON
    let response: EffectResponse

    var bytes: Int { key.approximateBytes + response.bytes }
  }

  /// A question and its answer are not kept when they are larger than this.
  static let bytesMax = 65_536

  /// Oldest first.
  private var kept: [Kept] = []

  /// How many are kept.
  var count: Int { kept.count }

  /// What they count for in ``Session/computedBytes``.
  var bytes: Int { kept.reduce(0) { $0 + $1.bytes } }

  /// The answer to a question, if it is known.
  subscript(question: EffectQuestion) -> EffectResponse? { kept.first { $0.key == question.key }?.response }

  /// Keeps an answer, and forgets the oldest where there are more than `countMax` of them.
  mutating func keep(_ response: EffectResponse, to question: EffectQuestion, countMax: Int) {
    guard countMax > 0, self[question] == nil else { return }
    let new = Kept(key: question.key, response: response)
    guard new.bytes <= Self.bytesMax else { return }
    if kept.count >= countMax { kept.removeFirst() }
    kept.append(new)
  }
}

extension EffectResponse {
  /// Bytes of memory, approximately.
  fileprivate var bytes: Int {
    64 + JSON.object(headers).approximateBytes + body.bytes + rows.map { .array($0) }.bytes
  }
}

extension Engine {
  /// What is known of the answer to a question.
  func keptAnswer(to question: EffectQuestion, by asker: Asker, in session: Session) -> EffectResponse? {
    session.extras?.answers[asker]?[question]
  }

  /// Keeps an answer for the session, at most so many of one asker.
  func keep(
    _ response: EffectResponse,
    to question: EffectQuestion,
    by asker: Asker,
    countMax: Int,
    in session: Session
  ) {
    guard countMax > 0 else { return }
    var answers = session.madeExtras.answers[asker] ?? KeptAnswers()
    session.computedBytes -= answers.bytes
    answers.keep(response, to: question, countMax: countMax)
    session.computedBytes += answers.bytes
    session.madeExtras.answers[asker] = answers
  }

  /// Forgets what was answered to checks. What lookups have found is as good as before.
  func forgetAnswersOfChecks(in session: Session) {
    guard let extras = session.extras else { return }
    for (asker, answers) in extras.answers where !asker.isLookup {
      session.computedBytes -= answers.bytes
      extras.answers[asker] = nil
    }
  }
}
