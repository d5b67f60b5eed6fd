import Forms
import JSON
import Sessions
import Testing

@Suite struct `the address form` {
  private func open() throws -> SessionDriver {
    SessionDriver(try example("address"), options: OpenOptions(locale: "en"))
  }

  private static let korea: JSON = [["value": "seoul", "label": "Seoul"], ["value": "busan", "label": "Busan"]]
  private static let america: JSON = [["value": "chicago", "label": "Chicago"]]

  /// The form with a country whose cities are there.
  private func open(_ country: JSON, _ cities: JSON) throws -> SessionDriver {
    let address = try open()
    address.change("country", country)
    address.advance(milliseconds: 100)
    address.answer(status: 200, body: ["cities": cities])
    return address
  }

  @Test func `asks nobody before there is a country`() throws {
    let address = try open()
    #expect(address.effects.isEmpty && address["/lookups"] == ["cities": ["isLoading": false]])
    #expect(address["/fields/city/isEnabled"] == false && address["/fields/city/options"] == nil)
  }

  @Test func `the cities of a country are the choices, and what is none of them is refused`() throws {
    let address = try open()
    address.change("country", "KR")
    #expect(address["/fields/city/isPending"] == true && address["/fields/city/isEnabled"] == true)
    address.advance(milliseconds: 100)
    #expect(address.target(of: address.onlyEffect) == "/cities?country=KR&locale=en")
    address.answer(status: 200, body: ["cities": Self.korea])
    #expect(address["/fields/city/options"] == Self.korea && address["/fields/city/isPending"] == false)
    address.change(["city": "chicago"], commit: true)
    #expect(address.codes("city") == ["options"])
    #expect(address.message("city") == "Choose a city of that country.")
    address.change("city", "busan")
    #expect(address.codes("city") == [] && address.message("city") == nil)
  }

  @Test func `another country refuses the city that was chosen, when its list is there`() throws {
    let address = try open("KR", Self.korea)
    address.change(["city": "busan", "street": "Haeundae-ro 1", "postalCode": "48094"])
    #expect(address.isValid)
    address.change("country", "US")
    #expect(address["/fields/city/options"] == Self.korea && address.codes("city") == [])
    #expect(address.tap("save").outcome == .held)
    address.advance(milliseconds: 100)
    address.answer(status: 200, body: ["cities": Self.america])
    #expect(address["/fields/city/options"] == Self.america && address.codes("city") == ["options"])
    #expect(address.events.map(\.kind) == [.rejected])
    // That list is known.
    address.change("country", "KR")
    #expect(address.effects.isEmpty && address.codes("city") == [] && address.isValid)
    address.tap("save")
    #expect(address.events.last?.kind == .succeeded)
  }

  @Test func `without a list any city will do, and a tap asks again`() throws {
    let address = try open()
    address.change(["country": "KR", "city": "Gyeongju", "street": "Cheomseong-ro 140", "postalCode": "38171"])
    address.advance(milliseconds: 100)
    address.answer(kind: .refused)
    #expect(address["/lookups/cities/isLoading"] == true)
    address.advance(milliseconds: 500)
    address.answer(kind: .refused)
    #expect(address["/outputs/cityHelp"] == "The list of cities cannot be loaded.")
    #expect(address.isValid)
    #expect(address.tap("save").outcome == .held)
    address.answer(kind: .refused)
    address.advance(milliseconds: 500)
    address.answer(kind: .refused)
    #expect(address.events.map(\.kind) == [.succeeded])
  }

  @Test func `in another language the labels are asked for again`() throws {
    let address = try open("KR", Self.korea)
    address.apply(.setLocale("ko"))
    address.advance(milliseconds: 100)
    #expect(address.target(of: address.onlyEffect) == "/cities?country=KR&locale=ko")
  }

  @Test(arguments: [
    ("KR", "48094", [] as [String]), ("KR", "4809", ["postalCode.other"]), ("US", "60601-1234", []),
    ("US", "6060", ["postalCode.us"]), ("DE", "10115", []),
  ])
  func `a postal code is as its country writes it`(_ country: String, _ code: String, _ codes: [String]) throws {
    let address = try open()
    address.change(["country": .string(country), "postalCode": .string(code)])
    #expect(address.codes("postalCode") == codes)
  }
}
