internal import JSON
internal import Sessions
internal import Texts

/// A question that a provider has not answered yet.
struct OpenQuestion {
  /// The session that asks, and for which of its effects.
  let session: LiveSession
  let effect: EffectID
  /// The provider's name.
  let provider: String
  /// Wakes up when the configuration's patience is over; nil where the configuration bounds nothing.
  fileprivate(set) var timer: TimerQueue.Ticket?
}

/// What the providers of one connection were asked, by the number of our request.
struct ProviderQuestions {
  private var open: [Int: OpenQuestion] = [:]

  /// A question was asked.
  mutating func add(_ question: OpenQuestion, _ number: Int, _ timer: TimerQueue.Ticket?) {
    var question = question
    question.timer = timer
    open[number] = question
  }

  /// Takes the question of that number, if nobody has yet.
  mutating func take(_ number: Int) -> OpenQuestion? {
    open.removeValue(forKey: number)
  }

  /// Takes all questions to one provider.
  mutating func takeAll(to provider: String) -> [OpenQuestion] {
    let taken = open.filter { $0.value.provider.hasSameUTF8(as: provider) }
    for number in taken.keys { open[number] = nil }
    return Array(taken.values)
  }

  /// Takes all.
  mutating func takeAll() -> [OpenQuestion] {
    defer { open = [:] }
    return Array(open.values)
  }
}
