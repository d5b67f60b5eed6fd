import CEL
import Forms
import JSON
import Sessions
import Testing
internal import Times

@Suite struct `the booking form` {
  private func open(_ time: String = "2026-05-01T10:00:00Z", zone: Zone = .utc) throws -> SessionDriver {
    SessionDriver(try example("booking"), options: OpenOptions(locale: "en", zone: zone), wall: WallClock(time))
  }

  /// The form with all values that a booking needs. No provider has been asked about the slug.
  private func filled() throws -> SessionDriver {
    let booking = try open()
    booking.change([
      "title": "Spring in Seoul", "arrival": "2026-05-10", "departure": "2026-05-13", "guests": " 2 ",
      "born": "1990-01-01", "email": "kim@example.com", "code": "123 456",
    ])
    return booking
  }

  // MARK: Dates

  @Test func `an arrival is today or later, and at midnight in the user's zone it is past`() throws {
    let booking = try open("2026-05-01T14:59:00Z", zone: #require(Zone(named: "Asia/Seoul")))
    booking.change(["arrival": "2026-04-30"], commit: true)
    #expect(booking.codes("arrival") == ["arrival.past"] && booking.message("arrival") == "That day is past.")
    booking.change(["arrival": "2026-05-01"], commit: true)
    booking.advance(milliseconds: 59_999)
    #expect(booking.codes("arrival") == [] && booking.message("arrival") == nil)
    booking.advance(milliseconds: 1)
    #expect(booking.codes("arrival") == ["arrival.past"] && booking.message("arrival") == "That day is past.")
  }

  @Test func `nights follow both dates and are told, and so does the price`() throws {
    let booking = try open()
    booking.change("arrival", "2026-05-30")
    #expect(booking.values["nights"] == nil && booking["/outputs/total"] == nil)
    booking.change("departure", "2026-06-02")
    #expect(booking.told.values == ["nights": 3] && booking["/outputs/total"] == nil)
    booking.change("guests", "2")
    #expect(booking.values["guests"] == 2 && booking["/outputs/total"] == 194.7)
    booking.change("arrival", "2026-06-01")
    #expect(booking.told.values == ["nights": 1] && booking["/outputs/total"] == 64.9)
    booking.change("departure", "2026-06-0x")
    #expect(booking.told.absent == ["nights"] && booking.codes("departure") == ["format"])
    #expect(booking["/outputs/total"] == nil && booking["/fields/nights/isDirty"] == false)
  }

  @Test(
    arguments: [
      ("2026-05-09", -1, ["departure.order"]), ("2026-05-10", 0, ["departure.order"]), ("2026-05-11", 1, []),
      ("2026-06-09", 30, []), ("2026-06-10", 31, ["departure.long"]),
    ] as [(String, Int64, [String])]
  )
  func `a stay has from one to thirty nights`(_ departure: String, _ nights: Int64, _ codes: [String]) throws {
    let booking = try filled()
    booking.change("departure", .string(departure))
    #expect(booking.values["nights"] == .integer(nights) && booking.codes("departure") == codes)
    #expect((booking["/outputs/total"] == nil) == (nights < 1))
  }

  @Test func `who books is eighteen on the day of the arrival`() throws {
    let booking = try filled()
    booking.change(["born": "2008-05-11"], commit: true)
    #expect(booking.codes("born") == ["born.adult"])
    #expect(booking.message("born") == "You must be 18 on the day of your arrival.")
    booking.change("arrival", "2026-05-11")
    #expect(booking.codes("born") == [] && booking.message("born") == nil)
  }

  // MARK: The slug

  @Test(
    arguments: [
      ("Spring in Seoul", "spring-in-seoul"), (" -- Jeju,  2026! --", "jeju-2026"), ("서울 3", "3"), ("제주", nil),
    ] as [(String, String?)]
  )
  func `a slug is what the title has of letters and digits`(_ title: String, _ slug: String?) throws {
    let booking = try open()
    booking.change("title", .string(title))
    #expect(booking.values["slug"]?.stringValue == slug)
    #expect(booking.codes("slug") == (slug == nil ? ["required"] : []))
  }

  @Test func `the slug follows the title until it is edited, and again after a reset`() throws {
    let booking = try open()
    booking.change("title", "Spring")
    #expect(booking.told.values == ["slug": "spring"] && booking["/fields/slug/isDirty"] == false)
    booking.change("title", "Spring in Seoul")
    #expect(booking.told.values == ["slug": "spring-in-seoul"])
    booking.change("slug", "mine")
    booking.change("title", "Autumn")
    #expect(booking.values["slug"] == "mine" && booking["/fields/slug/isDirty"] == true)
    booking.reset()
    #expect(booking.values == [:] && booking["/isDirty"] == false)
    booking.change("title", "Winter")
    #expect(booking.values["slug"] == "winter")
  }

  @Test func `a slug that is taken is told with another one that is free`() throws {
    let booking = try open()
    booking.change("title", "Spring in Seoul")
    booking.advance(milliseconds: 300)
    #expect(booking.effects.isEmpty, "nobody has touched the slug")
    booking.blur("slug")
    booking.advance(milliseconds: 300)
    #expect(booking.target(of: booking.onlyEffect) == "/slugs?slug=spring-in-seoul")
    booking.answer(status: 200, body: ["available": false, "instead": "spring-in-seoul-2"])
    #expect(booking.codes("slug") == ["slug.taken"] && booking.message("slug") == "That address is taken.")
    #expect(booking["/outputs/slugHelp"] == "spring-in-seoul-2 is free.")
    booking.apply(.setLocale("ko"))
    #expect(booking["/outputs/slugHelp"] == "spring-in-seoul-2은(는) 사용할 수 있습니다.")
    booking.change("slug", "spring-in-seoul-2")
    #expect(booking["/outputs/slugHelp"] == "")
    booking.advance(milliseconds: 300)
    booking.answer(status: 200, body: ["available": true])
    #expect(booking.codes("slug") == [] && booking["/outputs/slugHelp"] == "")
    // That answer is known.
    booking.change("slug", "spring-in-seoul")
    booking.advance(milliseconds: 300)
    #expect(booking.effects.isEmpty && booking.codes("slug") == ["slug.taken"])
    #expect(booking["/outputs/slugHelp"] == "spring-in-seoul-2은(는) 사용할 수 있습니다.")
  }

  @Test func `a slug that cannot be looked up is a warning in the form's own words, and the tap books`() throws {
    let booking = try filled()
    booking.change(["slug": "mine"], commit: true)
    booking.advance(milliseconds: 300)
    booking.answer(kind: .timeout)
    #expect(booking.codes("slug") == ["slug.free"] && booking.isValid && booking.isEnabled("book"))
    #expect(booking.message("slug") == "We cannot look this up now. We will when you book.")
    #expect(booking.tap("book").outcome == .held)
    #expect(booking.target(of: booking.onlyEffect) == "/slugs?slug=mine")
    booking.answer(status: 500)
    #expect(booking.target(of: booking.onlyEffect) == "/bookings?locale=en")
    booking.answer(status: 201, body: ["id": 2])
    #expect(booking.events.map(\.kind) == [.succeeded])
  }

  // MARK: The code

  @Test func `a code needs an e-mail and nothing else`() throws {
    let booking = try open()
    #expect(!booking.isEnabled("sendCode"))
    booking.change("email", "kim@")
    #expect(booking.tap("sendCode").blockers == [Blocker(field: "email", code: "format")])
    #expect(booking["/messages"] == ["email": "That is not an email address."])
    booking.change("email", " Kim@Example.com")
    #expect(booking.isEnabled("sendCode") && !booking.isValid)
    #expect(booking.tap("sendCode").outcome == .started)
    #expect(booking.onlyHTTPRequest?.target == "/codes")
    #expect(booking.onlyHTTPRequest?.json == ["email": "kim@example.com"])
    booking.answer(status: 202, body: ["code": "519387"])
    #expect(booking["/actions/sendCode/message"] == "The code is sent to kim@example.com.")
  }

  @Test func `it is sent again after thirty seconds, which the clock counts down`() throws {
    let booking = try filled()
    #expect(booking["/outputs/secondsLeft"] == 0 && booking["/outputs/codeHelp"] == "")
    booking.tap("sendCode")
    booking.answer(status: 202)
    #expect(booking["/outputs/secondsLeft"] == 30 && booking["/outputs/codeHelp"] == "Send again in 30 s")
    #expect(!booking.isEnabled("sendCode"))
    booking.advance(milliseconds: 999)
    #expect(booking["/outputs/secondsLeft"] == 30)
    booking.advance(milliseconds: 1)
    #expect(booking.patches.last == ["outputs": ["secondsLeft": 29, "codeHelp": "Send again in 29 s"]])
    booking.advance(milliseconds: 28_000)
    #expect(booking["/outputs/secondsLeft"] == 1)
    #expect(booking.tap("sendCode").blockers == [Blocker(field: nil, code: "disabled")])
    booking.advance(milliseconds: 1_000)
    #expect(booking["/outputs/secondsLeft"] == 0 && booking["/outputs/codeHelp"] == "")
    #expect(booking.isEnabled("sendCode"))
    // Now the clock ticks and no client is notified.
    let count = booking.patches.count
    booking.advance(milliseconds: 60_000)
    #expect(booking.patches.count == count)
    #expect(booking.tap("sendCode").outcome == .started)
  }

  @Test func `after a failure nobody waits`() throws {
    let booking = try filled()
    booking.tap("sendCode")
    booking.answer(status: 500)
    #expect(booking["/actions/sendCode/error"] == "serverError")
    #expect(booking["/actions/sendCode/message"] == "The code could not be sent.")
    #expect(booking["/outputs/secondsLeft"] == 0 && booking.isEnabled("sendCode"))
  }

  @Test func `a restored session goes on counting, by the clock of the day`() throws {
    let booking = try filled()
    booking.tap("sendCode")
    booking.answer(status: 202)
    booking.advance(milliseconds: 10_000)
    let snapshot = booking.session.snapshot(for: .resuming)
    let same = try booking.engine.restore(booking.form, from: snapshot, at: booking.now)
    #expect(!same.turn.hasUpdate && same.session.document == booking.kept)
    booking.wall.goOn(by: .seconds(5))
    let later = try booking.engine.restore(booking.form, from: snapshot, at: booking.now).session
    #expect(later.document["outputs"]?["secondsLeft"] == 20 && later.deadline == booking.now)
    _ = booking.engine.apply(.timer, to: later, at: booking.now)
    #expect(later.document["outputs"]?["secondsLeft"] == 15)
    #expect(later.document["actions"]?["sendCode"]?["isEnabled"] == false && later.checkInvariants().isEmpty)
  }

  // MARK: Booking

  @Test func `all values are sent, and what the server refuses stands at its field until that changes`() throws {
    let booking = try filled()
    #expect(booking.tap("book").outcome == .held, "the slug has to be looked up")
    booking.advance(milliseconds: 300)
    booking.answer(status: 200, body: ["available": true])
    #expect(
      booking.onlyHTTPRequest?.json == [
        "title": "Spring in Seoul", "slug": "spring-in-seoul", "arrival": "2026-05-10", "departure": "2026-05-13",
        "nights": 3, "guests": 2, "born": "1990-01-01", "email": "kim@example.com", "code": "123456",
      ]
    )
    let wrong = "That is not the code that was sent."
    booking.answer(status: 422, body: ["errors": ["code": [.string(wrong)], "slug": ["That address is taken."]]])
    #expect(booking.events.last?.kind == .failed && booking.events.last?.error == "refused")
    #expect(booking["/messages"] == ["slug": "That address is taken.", "code": .string(wrong)])
    #expect(booking.isValid && booking.isEnabled("book"), "a server's error blocks nothing")
    booking.change("code", "519387")
    #expect(booking["/messages"] == ["slug": "That address is taken."])
    #expect(booking.tap("book").outcome == .started)
    booking.answer(status: 201, body: ["id": 7])
    #expect(booking["/messages"] == [:])
    #expect(booking.events.last?.kind == .succeeded && booking.events.last?.result == ["id": 7])
    #expect(booking.events.last?.message == "Booked.")
  }
}
