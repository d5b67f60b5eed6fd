import Randomness
import Testing

@testable import Server

struct ProviderTableTests {
  private typealias Table = ProviderTable<String>

  /// A table in which these holders have the name `p`.
  private func table(_ holders: Int64...) -> Table {
    var table = Table()
    for holder in holders { table.register("p", holder) }
    return table
  }

  /// Asks the next holder; nil if no holder can be asked.
  private func ask(
    _ table: inout Table,
    _ call: String,
    number: Int,
    _ readiness: (Int64) -> ProviderReadiness = { _ in .ready }
  ) -> Int64? {
    guard case .holder(let holder) = table.next("p", readiness) else { return nil }
    table.asked("p", call, table.nextID(), at: .init(holder: holder, number: number))
    return holder
  }

  @Test
  func `those who hold a name are asked in turn, a new one after the others`() {
    var table = table(1, 2, 3)
    #expect((1...4).map { ask(&table, "q", number: $0) } == [1, 2, 3, 1])
    table.register("p", 4)
    #expect((5...9).map { ask(&table, "q", number: $0) } == [2, 3, 1, 4, 2])
    #expect(table.checkInvariants().isEmpty)
  }

  @Test
  func `whoever cannot be asked is passed over, and comes first when that is over`() {
    var table = table(1, 2, 3)
    #expect((1...3).map { ask(&table, "q", number: $0) { $0 == 1 ? .full : .ready } } == [2, 3, 2])
    #expect(ask(&table, "q", number: 4) == 1)
  }

  @Test
  func `who reads slowly is asked where nobody is ready`() {
    var table = table(1, 2)
    #expect(ask(&table, "q", number: 1) { $0 == 1 ? .slow : .ready } == 2)
    #expect(ask(&table, "q", number: 2) { $0 == 1 ? .slow : .full } == 1)
  }

  @Test(arguments: [
    ([ProviderReadiness.full, .foreign], ProviderTable<String>.Choice.full), ([.foreign, .foreign], .foreign),
    ([.away, .full], .full), ([.away, .foreign], .foreign), ([.away, .away], .nobody),
  ])
  func `where nobody can be asked the nearest reason counts`(
    _ readiness: [ProviderReadiness],
    _ choice: ProviderTable<String>.Choice
  ) {
    #expect(table(0, 1).next("p") { readiness[Int($0)] } == choice)
  }

  @Test
  func `nobody holds a name that nobody has registered, or that is spelled otherwise`() {
    var table = Table()
    table.register("caf\u{e9}", 1)
    #expect(table.next("cafe\u{301}") { _ in .ready } == .nobody)
    #expect(table.next("caf\u{e9}") { _ in .ready } == .holder(1))
  }

  @Test
  func `a name is held by as many as may, and by nobody twice`() {
    var table = table(1)
    #expect(!table.admits("p", 1, holdersMax: 3))
    #expect(!table.admits("p", 2, holdersMax: 1))
    #expect(table.admits("p", 2, holdersMax: 2))
    table.register("p", 2)
    #expect(!table.admits("p", 3, holdersMax: 2))
    table.unregister("p", 1)
    #expect(table.admits("p", 1, holdersMax: 2))
    #expect(table.nameCount(of: 1) == 0 && table.nameCount(of: 2) == 1 && table.holderCount == 1)
  }

  @Test
  func `who unregisters is asked nothing more and still answers`() {
    var table = table(1, 2)
    #expect(ask(&table, "first", number: 1) == 1)
    table.unregister("p", 1)
    #expect(!table.holds("p", 1))
    #expect((1...2).map { ask(&table, "q", number: $0) } == [2, 2])
    #expect(table.answered(at: .init(holder: 1, number: 1)) == "first")
    #expect(table.answered(at: .init(holder: 1, number: 1)) == nil)
    #expect(table.checkInvariants().isEmpty)
  }

  @Test
  func `the questions of one that goes come back once, the oldest first`() {
    var table = table(1, 2)
    for (number, call) in ["a", "b", "c", "d"].enumerated() { _ = ask(&table, call, number: number) }
    table.unregister("p", 1)
    let back = table.gone(1)
    #expect(back.map(\.call) == ["a", "c"])
    #expect(table.gone(1).isEmpty)
    #expect(table.answered(at: .init(holder: 1, number: 0)) == nil)
    for (number, asked) in back.enumerated() {
      table.asked("p", asked.call, asked.id, at: .init(holder: 2, number: 10 + number))
    }
    #expect(table.checkInvariants().isEmpty)
    #expect(table.gone(2).map(\.call) == ["b", "d", "a", "c"])
    #expect(table.next("p") { _ in .ready } == .nobody)
    #expect(table.checkInvariants().isEmpty)
  }

  @Test
  func `a question that is taken back says where it is`() {
    var table = table(1, 2)
    let id = table.nextID()
    table.asked("p", "q", id, at: .init(holder: 1, number: 7))
    for (id, call) in table.gone(1) { table.asked("p", call, id, at: .init(holder: 2, number: 3)) }
    let taken = table.take(id)
    #expect(taken?.call == "q" && taken?.request == .init(holder: 2, number: 3))
    #expect(table.take(id) == nil)
    #expect(table.checkInvariants().isEmpty)
  }

  @Test
  func `a listing counts those who hold a name, and its questions wherever they are`() {
    var table = table(1, 2)
    table.register("a", 2)
    for number in 0..<3 { _ = ask(&table, "q", number: number) }
    table.unregister("p", 2)
    let listing = table.listing
    #expect(listing.map(\.name) == ["a", "p"])
    #expect(listing.map(\.holders) == [1, 1])
    #expect(listing.map(\.calls) == [0, 3])
  }

  @Test(arguments: 1...UInt64(50))
  func `whatever happens, each question is at one holder and comes back once`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = Table()
    var open: [ProviderCallID: ProviderTable<String>.RequestKey] = [:]
    var number = 0
    func ask(_ name: String, _ id: ProviderCallID) {
      guard case .holder(let holder) = table.next(name, { _ in .ready }) else {
        open[id] = nil
        return
      }
      number += 1
      let request = ProviderTable<String>.RequestKey(holder: holder, number: number)
      table.asked(name, name, id, at: request)
      open[id] = request
    }
    for _ in 0..<300 {
      let (name, holder) = (random.pick(["p", "q"]), Int64(random.below(5)))
      switch random.below(100) {
      case ..<20: if table.admits(name, holder, holdersMax: 3) { table.register(name, holder) }
      case ..<30: if table.holds(name, holder) { table.unregister(name, holder) }
      case ..<60: ask(name, table.nextID())
      case ..<80:
        guard let (id, request) = open.min(by: { $0.value.number < $1.value.number }) else { continue }
        #expect(table.answered(at: request) != nil)
        open[id] = nil
      case ..<90:
        guard let (id, request) = open.max(by: { $0.value.number < $1.value.number }) else { continue }
        #expect(table.take(id)?.request == request)
        open[id] = nil
      default:
        let back = table.gone(holder)
        let mine = open.filter { $0.value.holder == holder }
        #expect(Set(back.map(\.id)) == Set(mine.keys) && back.count == mine.count)
        for asked in back { ask(asked.call, asked.id) }
      }
      #expect(table.checkInvariants().isEmpty)
      #expect(table.listing.reduce(0) { $0 + $1.calls } <= open.count)
    }
  }
}
