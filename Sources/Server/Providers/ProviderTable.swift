internal import Texts

/// Names a question to a provider as long as it has no answer, whoever is asked. Never used again.
struct QuestionID: Hashable {
  fileprivate let number: UInt64
}

/// How well somebody who holds a provider's name could be asked: the best first.
enum ProviderReadiness: Comparable {
  /// It reads what it is asked.
  case ready
  /// It reads slowly: it is asked where nobody is ready.
  case slow
  /// It reads nothing: it is not asked.
  case full
  /// This session must not ask it.
  case foreign
  /// It is at its end.
  case away
}

/// Which connections hold which provider's name, and what they were asked and have not answered.
///
/// Events go in as calls, and each returns what is to be done; ``FormServer`` asks and answers. A name may have several holders: whoever was
/// asked longest ago comes next. A question has one holder at a time, and leaves the table once: by its answer, by being taken back, or with
/// its holder. Who unregisters is asked nothing more, and still answers what it was asked.
///
/// ```
///  unregistered ──register──▶ holder ──unregister──▶ answers what it has ──answered, taken──▶ forgotten
///                               └──────────────── gone ──────┴──▶ forgotten; its questions are handed back
/// ```
struct ProviderTable<Question> {
  /// A connection, by its number, which is never used again.
  typealias Holder = Int64

  /// Where a question is: the holder that was asked, and the number of our request to it.
  struct Place: Hashable {
    let holder: Holder
    let number: Int
  }

  /// Who is to be asked.
  enum Choice: Equatable {
    /// That holder.
    case holder(Holder)
    /// Nobody of those who hold the name reads.
    case full
    /// Nobody of those who hold the name may be asked by this session.
    case foreign
    /// Nobody holds the name, or all who do are at their ends.
    case nobody
  }

  private struct Asked {
    var question: Question
    var name: String
    var place: Place
  }

  /// By name, those who hold it, whoever was asked longest ago first; never empty, and nobody twice.
  private var holders: [UTF8Key: [Holder]] = [:]
  /// By holder, the names that it holds; never empty.
  private var names: [Holder: [String]] = [:]
  /// The questions without an answer.
  private var questions: [QuestionID: Asked] = [:]
  /// The same by holder and number; never empty.
  private var places: [Holder: [Int: QuestionID]] = [:]
  private var lastID: UInt64 = 0

  // MARK: Names

  /// Whether a connection may hold a name: it does not yet, and so many do not, either.
  func admits(_ name: String, _ holder: Holder, holdersMax: Int) -> Bool {
    (holders[UTF8Key(text: name)]?.count ?? 0) < holdersMax && !holds(name, holder)
  }

  /// From now on a connection holds a name that it did not hold before.
  mutating func register(_ name: String, _ holder: Holder) {
    precondition(admits(name, holder, holdersMax: .max), "\(holder) holds \(name) already")
    holders[UTF8Key(text: name), default: []].append(holder)
    names[holder, default: []].append(name)
  }

  /// Whether a connection holds a name.
  func holds(_ name: String, _ holder: Holder) -> Bool { holders[UTF8Key(text: name)]?.contains(holder) ?? false }

  /// A connection that holds a name is to be asked nothing more by it. What it was asked it still answers.
  mutating func unregister(_ name: String, _ holder: Holder) {
    precondition(holds(name, holder), "\(holder) does not hold \(name)")
    removeHolder(holder, of: name)
    names[holder]?.removeAll { $0.hasSameUTF8(as: name) }
    if names[holder]?.isEmpty ?? false { names[holder] = nil }
  }

  private mutating func removeHolder(_ holder: Holder, of name: String) {
    let key = UTF8Key(text: name)
    holders[key]?.removeAll { $0 == holder }
    if holders[key]?.isEmpty ?? false { holders[key] = nil }
  }

  /// How many names a connection holds.
  func nameCount(of holder: Holder) -> Int { names[holder]?.count ?? 0 }

  /// How many hold each name, all in all.
  var holderCount: Int { names.values.reduce(0) { $0 + $1.count } }

  /// The names that somebody holds, in order, with how many do, and how many questions have no answer.
  var listing: [(name: String, holders: Int, questions: Int)] {
    var open: [UTF8Key: Int] = [:]
    for asked in questions.values { open[UTF8Key(text: asked.name), default: 0] += 1 }
    return holders.map { (name: $0.key.text, holders: $0.value.count, questions: open[$0.key] ?? 0) }
      .sorted { $0.name < $1.name }
  }

  // MARK: Questions

  /// Who is to be asked next: of those who are readiest whoever was asked longest ago.
  ///
  /// - Parameter readiness: how well a holder could be asked.
  func next(_ name: String, _ readiness: (Holder) -> ProviderReadiness) -> Choice {
    guard let those = holders[UTF8Key(text: name)] else { return .nobody }
    var best: (holder: Holder, readiness: ProviderReadiness)?
    for holder in those {
      let readiness = readiness(holder)
      if best.map({ readiness < $0.readiness }) ?? true { best = (holder, readiness) }
      if readiness == .ready { break }
    }
    switch best {
    case nil: preconditionFailure("\(name) stands in the table, and nobody holds it")
    case (_, .away)?: return .nobody
    case (_, .foreign)?: return .foreign
    case (_, .full)?: return .full
    case (let holder, .ready)?, (let holder, .slow)?: return .holder(holder)
    }
  }

  /// The name of another question.
  mutating func nextQuestion() -> QuestionID {
    lastID += 1
    return QuestionID(number: lastID)
  }

  /// A holder was asked: the first, or another one after that has gone.
  mutating func asked(_ name: String, _ question: Question, _ id: QuestionID, at place: Place) {
    precondition(questions[id] == nil, "a question is asked of two at once")
    questions[id] = Asked(question: question, name: name, place: place)
    places[place.holder, default: [:]][place.number] = id
    let key = UTF8Key(text: name)
    if let index = holders[key]?.firstIndex(of: place.holder), let holder = holders[key]?.remove(at: index) {
      holders[key]?.append(holder)
    }
  }

  /// A connection has answered our request of that number.
  ///
  /// - Returns: the question; nil where nobody waits for its answer.
  mutating func answered(at place: Place) -> Question? {
    places[place.holder]?[place.number].flatMap { take($0)?.question }
  }

  /// Whether a connection was asked something that it has not answered.
  func isAsked(_ holder: Holder) -> Bool { places[holder] != nil }

  /// Nobody waits for the answer to a question any more.
  ///
  /// - Returns: the question, and where it is to be taken back; nil where it has its answer.
  mutating func take(_ id: QuestionID) -> (question: Question, place: Place)? {
    guard let asked = questions.removeValue(forKey: id) else { return nil }
    places[asked.place.holder]?[asked.place.number] = nil
    if places[asked.place.holder]?.isEmpty ?? false { places[asked.place.holder] = nil }
    return (asked.question, asked.place)
  }

  /// A connection answers nothing more.
  ///
  /// - Returns: what it was asked and has not answered, in the order in which it was asked.
  mutating func gone(_ holder: Holder) -> [(id: QuestionID, question: Question)] {
    for name in names.removeValue(forKey: holder) ?? [] { removeHolder(holder, of: name) }
    let numbered = places.removeValue(forKey: holder) ?? [:]
    return numbered.sorted { $0.key < $1.key }.compactMap { _, id in
      questions.removeValue(forKey: id).map { (id, $0.question) }
    }
  }
}

extension ProviderTable {
  /// What of what must always hold does not; empty when all does.
  func checkInvariants() -> [String] {
    var problems: [String] = []
    for (key, those) in holders {
      if those.isEmpty { problems.append("\(key.text) stands in the table, and nobody holds it") }
      if Set(those).count != those.count { problems.append("somebody holds \(key.text) twice") }
      for holder in those where names[holder]?.contains(where: { $0.hasSameUTF8(as: key.text) }) != true {
        problems.append("\(holder) does not know that it holds \(key.text)")
      }
    }
    if names.contains(where: { $0.value.isEmpty }) { problems.append("a holder holds nothing") }
    if holderCount != holders.values.reduce(0, { $0 + $1.count }) { problems.append("somebody holds what is not held") }
    for (id, asked) in questions where places[asked.place.holder]?[asked.place.number] != id {
      problems.append("question \(id.number) is not at its holder")
    }
    if places.contains(where: { $0.value.isEmpty }) { problems.append("a holder is kept that was asked nothing") }
    if questions.count != places.values.reduce(0, { $0 + $1.count }) {
      problems.append("somebody has a question that is not asked")
    }
    return problems
  }
}
