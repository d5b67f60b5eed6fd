/// The result of a job of a store that several daemons share.
enum JobResult {
  case done
  case claimed(ClaimAnswer)
  /// Whether the condition was true.
  case truth(Bool)
  case sessions([StoredSessionID])
  case count(Int)
  case failure(StoreFailure)

  init(_ result: Result<Void, StoreFailure>, _ answer: JobResult = .done) {
    if case .failure(let failure) = result { self = .failure(failure) } else { self = answer }
  }

  fileprivate func tell(_ job: PostgresStoreJob) {
    switch (job, self) {
    case (_, .failure(let failure)): job.fail(failure)
    case (.write(_, _, let completion), .done): completion(.success(()))
    case (.claim(_, _, let completion), .claimed(let claim)): completion(.success(claim))
    case (.remove(_, _, let completion), .truth(let wasThere)): completion(.success(wasThere))
    case (.release(_, let completion), .done): completion(.success(()))
    case (.answer(_, _, let completion), .done): completion(.success(()))
    case (.expired(_, _, let completion), .sessions(let sessions)): completion(.success(sessions))
    case (.count(let completion), .count(let count)): completion(.success(count))
    default: preconditionFailure("the answer to a job is of another kind")
    }
  }
}

/// Jobs and their results. A completion is called when all jobs before it have results. A value.
struct OrderedCompletions {
  private let jobs: [PostgresStoreJob]
  private var answers: [JobResult?]
  private var next = 0

  init(to jobs: [PostgresStoreJob]) {
    self.jobs = jobs
    answers = Array(repeating: nil, count: jobs.count)
  }

  /// The job of that position has this result.
  mutating func end(_ index: Int, _ answer: JobResult) {
    answers[index] = answer
    while next < jobs.count, let answer = answers[next] {
      answers[next] = nil
      answer.tell(jobs[next])
      next += 1
    }
  }
}
