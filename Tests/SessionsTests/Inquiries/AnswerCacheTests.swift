import JSON
import Testing

@testable import Sessions

@Suite struct `Answers that are kept` {
  @Test func `they are kept up to a number, the oldest goes first`() {
    var answers = AnswerCache()
    for number in 1...3 {
      answers.keep(EffectResponse(kind: .ok, body: .integer(Int64(number))), to: inquiry(number), countMax: 2)
    }
    #expect((1...3).map { answers[inquiry($0)]?.body } == [nil, 2, 3] && answers.count == 2)
  }

  @Test func `the first answer to an inquiry stays, and none is kept where none may be, or is too large`() {
    var answers = AnswerCache()
    answers.keep(EffectResponse(kind: .ok, body: 1), to: inquiry(1), countMax: 0)
    answers.keep(
      EffectResponse(kind: .ok, body: .string(String(repeating: "x", count: AnswerCache.bytesMax))),
      to: inquiry(1),
      countMax: 2
    )
    #expect(answers.count == 0 && answers.bytes == 0)
    for body in 1...2 {
      answers.keep(EffectResponse(kind: .ok, body: .integer(Int64(body))), to: inquiry(1), countMax: 2)
    }
    #expect(answers.count == 1 && answers[inquiry(1)]?.body == 1)
  }
}
