import Forms
import JSON
import Sessions
import Testing

@Suite struct `the search form` {
  private func open() throws -> SessionDriver {
    SessionDriver(try example("search"), options: OpenOptions(locale: "en"))
  }

  private func page(_ number: Int64, of term: String, _ apps: [JSON], hasMore: Bool) -> JSON {
    ["term": .string(term), "page": .integer(number), "total": 3, "hasMore": .bool(hasMore), "apps": .array(apps)]
  }

  @Test func `starts on the first page, with nothing found and the button enabled`() throws {
    let search = try open()
    #expect(search["/outputs"] == ["count": 0, "isEmpty": false, "hasMore": false])
    #expect(search.isEnabled("search"))
    #expect(search.session.values() == ["page": 1])
    #expect(search["/isDirty"] == false)
  }

  @Test func `an empty term is searched for, too, when it is tapped`() throws {
    let search = try open()
    #expect(search.tap("search").outcome == .started)
    #expect(search.target(of: search.onlyEffect) == "/apps?term=&page=1")
    search.answer(status: 200, body: page(1, of: "", ["a"], hasMore: false))
    #expect(search["/outputs/count"] == 1)
    #expect(search["/messages"] == [:])
  }

  @Test func `pages of two terms are never mixed`() throws {
    let search = try open()
    search.change("term", "notes")
    search.tap("search")
    search.answer(status: 200, body: page(1, of: "notes", ["a", "b"], hasMore: true))
    search.change("page", 2)
    search.tap("search")
    search.answer(status: 200, body: page(2, of: "notes", ["c"], hasMore: false))
    // The client leaves the page unchanged: the new term begins with its own first page.
    search.change("term", "tea")
    search.tap("search")
    #expect(search.target(of: search.onlyEffect) == "/apps?term=tea&page=1")
    search.answer(status: 200, body: page(1, of: "tea", ["t"], hasMore: true))
    #expect(search["/actions/search/result/apps"] == ["t"])
    search.tap("search")
    #expect(search.target(of: search.onlyEffect) == "/apps?term=tea&page=2")
    search.answer(status: 200, body: page(2, of: "tea", ["u"], hasMore: false))
    #expect(search["/actions/search/result/apps"] == ["t", "u"])
  }

  @Test func `a later page of another term is never appended, nor the only thing shown`() throws {
    let search = try open()
    search.change(["term": "notes", "page": 2])
    search.tap("search")
    #expect(search.target(of: search.onlyEffect) == "/apps?term=notes&page=1")
  }

  @Test func `the same page twice adds nothing`() throws {
    let search = try open()
    search.change("term", "notes")
    for (number, apps) in [(1, ["a", "b"]), (2, ["c"]), (2, ["c"])] as [(Int64, [JSON])] {
      search.change("page", .integer(number))
      search.tap("search")
      search.answer(status: 200, body: page(number, of: "notes", apps, hasMore: number == 1))
    }
    #expect(search["/actions/search/result/apps"] == ["a", "b", "c"])
    #expect(search.events.map(\.kind) == [.succeeded, .succeeded, .succeeded])
  }

  @Test func `a later page is appended, the first one replaces`() throws {
    let search = try open()
    search.change("term", "가계부")
    search.tap("search")
    #expect(search.target(of: search.onlyEffect) == "/apps?term=%EA%B0%80%EA%B3%84%EB%B6%80&page=1")
    search.answer(status: 200, body: page(1, of: "가계부", ["a", "b"], hasMore: true))
    #expect(search["/outputs"] == ["count": 2, "isEmpty": false, "hasMore": true])
    search.change(["page": 2], origin: .program)
    search.tap("search")
    search.answer(status: 200, body: page(2, of: "가계부", ["c"], hasMore: false))
    #expect(search["/actions/search/result/apps"] == ["a", "b", "c"])
    #expect(search["/outputs"] == ["count": 3, "isEmpty": false, "hasMore": false])
    search.change(["term": "game", "page": 1])
    search.tap("search")
    search.answer(status: 200, body: page(1, of: "game", [], hasMore: false))
    #expect(search["/outputs"] == ["count": 0, "isEmpty": true, "hasMore": false])
  }

  @Test func `the latest search wins and the one before it is superseded`() throws {
    let search = try open()
    search.change("term", "a")
    search.tap("search")
    let first = search.onlyEffect
    search.change("term", "ab")
    search.tap("search")
    #expect(search.effects.count == 1)
    search.answer(status: 200, body: page(1, of: "ab", ["x"], hasMore: false))
    search.answer(first, EffectResponse(kind: .ok, status: 200, body: page(1, of: "a", ["y"], hasMore: false)))
    #expect(search["/actions/search/result/term"] == "ab")
    #expect(search.events.map(\.kind) == [.superseded, .succeeded])
  }

  @Test func `a failure keeps what was found`() throws {
    let search = try open()
    search.change("term", "a")
    search.tap("search")
    search.answer(status: 200, body: page(1, of: "a", ["x"], hasMore: false))
    search.tap("search")
    search.answer(status: 500)
    #expect(search["/actions/search/error"] == "serverError")
    #expect(search["/outputs/count"] == 1)
  }
}
