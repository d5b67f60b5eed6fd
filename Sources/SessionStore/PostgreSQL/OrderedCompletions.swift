/// Jobs and their answers. A job is completed when all jobs before it have answers. A value.
struct OrderedCompletions<Work: Sendable> {
  private let jobs: [StoreJob<Work>]
  private var answers: [StoreJob<Work>.Answer?]
  private var next = 0

  init(to jobs: [StoreJob<Work>]) {
    self.jobs = jobs
    answers = Array(repeating: nil, count: jobs.count)
  }

  /// The job of that position has this answer.
  mutating func end(_ index: Int, _ answer: StoreJob<Work>.Answer) {
    answers[index] = answer
    while next < jobs.count, let answer = answers[next] {
      answers[next] = nil
      jobs[next].complete(answer)
      next += 1
    }
  }
}
