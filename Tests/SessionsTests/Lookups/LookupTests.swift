import Forms
import JSON
import Sessions
import Testing

@Suite struct `Lookups` {
  /// A form with a country, and a lookup with those members over one that asks a provider for its cities.
  private func definition(_ members: JSONObject = [:], _ more: JSONObject = [:]) -> JSON {
    var lookup: JSONObject = [
      "run": ["provider": ["name": "cities", "arguments": ["country": "values.country"]]],
      "value": "response.body.cities",
    ]
    for member in members { lookup[member.name] = member.value }
    var form: JSONObject = [
      "schema": [
        "type": "object",
        "properties": [
          "country": ["type": "string", "maxLength": 40], "size": ["type": "integer"],
          "pin": ["type": "string", "writeOnly": true, "maxLength": 40],
        ],
      ], "lookups": ["cities": .object(lookup)],
      "outputs": [
        "first": "lookups.cities.value[?0].orValue('none')", "isLoading": "lookups.cities.isLoading",
        "error": "lookups.cities.error",
      ],
    ]
    for member in more { form[member.name] = member.value }
    return .object(form)
  }

  private func open(
    _ members: JSONObject = [:],
    _ more: JSONObject = [:],
    values: JSONObject? = nil
  ) throws -> SessionDriver {
    try SessionDriver(definition(members, more), options: OpenOptions(values: values))
  }

  private func found(_ cities: JSON...) -> EffectResponse {
    EffectResponse(kind: .ok, body: ["cities": .array(cities)])
  }

  private func arguments(of effect: Effect) -> JSON? {
    if case .provider(let request) = effect.request { .object(request.arguments) } else { nil }
  }

  // MARK: When they ask

  @Test func `one whose argument is absent asks nobody, and has no value`() throws {
    let form = try open()
    #expect(form.effects.isEmpty)
    #expect(form["/lookups"] == ["cities": ["isLoading": false]])
    #expect(form["/outputs"] == ["first": "none", "isLoading": false, "error": ""])
  }

  @Test func `it asks as soon as the session is opened, although nobody has touched anything`() throws {
    let form = try open(["debounce": "300ms"], values: ["country": "KR"])
    #expect(arguments(of: form.onlyEffect) == ["country": "KR"])
    #expect(form["/lookups/cities"] == ["isLoading": true])
    form.answer(form.onlyEffect, found("Seoul", "Busan"))
    #expect(form["/lookups/cities"] == ["isLoading": false, "value": ["Seoul", "Busan"]])
    #expect(form["/outputs"] == ["first": "Seoul", "isLoading": false, "error": ""])
  }

  @Test func `it asks when what it reads changes, and only then`() throws {
    let form = try open(values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    form.change("size", 3)
    form.change("country", "KR")
    #expect(form.effects.isEmpty)
    form.change("country", "FR")
    #expect(arguments(of: form.onlyEffect) == ["country": "FR"])
    #expect(form["/lookups/cities"] == ["isLoading": true, "value": ["Seoul"]])
    form.answer(form.onlyEffect, found("Paris"))
    #expect(form["/lookups/cities"] == ["isLoading": false, "value": ["Paris"]])
  }

  @Test func `a condition that no longer holds ends it, and takes the value away`() throws {
    let form = try open(["when": "values.size == null || values.size > 2"], values: ["country": "KR"])
    let asked = form.onlyEffect
    form.change("size", 1)
    #expect(form.effects.isEmpty)
    form.answer(asked, found("Seoul"))
    #expect(form["/lookups/cities"] == ["isLoading": false])
    form.change("size", 3)
    form.answer(form.onlyEffect, found("Seoul"))
    #expect(form["/lookups/cities/value"] == ["Seoul"])
    form.change("size", 1)
    #expect(form["/lookups/cities"] == ["isLoading": false])
    #expect(form["/outputs/first"] == "none")
  }

  @Test func `an argument that becomes absent takes the value away`() throws {
    let form = try open(values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    form.change("country", "")
    #expect(form.effects.isEmpty && form["/lookups/cities"] == ["isLoading": false])
  }

  @Test func `an absent argument in a path is no fault`() throws {
    let form = try open(["run": ["http": ["service": "s", "path": "/{country}/cities"]]])
    #expect(form.faults.isEmpty && form["/lookups/cities"] == ["isLoading": false])
    form.change("country", "KR")
    #expect(form.target(of: form.onlyEffect) == "/KR/cities")
  }

  @Test func `an argument that reads a hidden field is absent`() throws {
    let form = try open(
      ["run": ["http": ["service": "s", "path": "/cities", "query": ["c": "'x' + values.country"]]]],
      ["fields": ["country": ["visible": "values.size != 1"]]]
    )
    #expect(form.target(of: form.onlyEffect) == "/cities?c=x")
    form.change("size", 1)
    #expect(form.effects.isEmpty && form["/lookups/cities/isLoading"] == false)
    form.change("size", 2)
    #expect(form.effects.count == 1)
  }

  @Test func `one without arguments asks once`() throws {
    let form = try open([
      "run": ["sql": ["database": "d", "query": "select name from city"]], "value": "response.rows",
    ])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, rows: [["name": "Seoul"]]))
    #expect(form["/lookups/cities/value"] == [["name": "Seoul"]])
    form.change("country", "KR")
    #expect(form.effects.isEmpty)
  }

  // MARK: The latest wins

  @Test func `a debounce waits until nothing has changed for its time, and loads meanwhile`() throws {
    let form = try open(["debounce": "300ms"])
    form.change("country", "K")
    #expect(form.effects.isEmpty && form["/lookups/cities/isLoading"] == true)
    form.advance(milliseconds: 200)
    form.change("country", "KR")
    form.advance(milliseconds: 299)
    #expect(form.effects.isEmpty)
    form.advance(milliseconds: 1)
    #expect(arguments(of: form.onlyEffect) == ["country": "KR"])
  }

  @Test func `a later inquiry cancels the earlier one, whose answer counts no more`() throws {
    let form = try open(values: ["country": "KR"])
    let first = form.onlyEffect
    form.change("country", "FR")
    #expect(form.effects.count == 1 && form.effects[first.id] == nil)
    let second = form.onlyEffect
    form.answer(first, found("Seoul"))
    #expect(form["/lookups/cities"] == ["isLoading": true])
    form.answer(second, found("Paris"))
    #expect(form["/lookups/cities/value"] == ["Paris"])
  }

  @Test func `an object is patched member by member`() throws {
    let form = try open(["value": "response.body"], ["outputs": [:]], values: ["country": "KR"])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["a": 1, "b": ["c": 2], "n": .null]))
    form.change("country", "FR")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["a": 1, "b": ["d": 3]]))
    #expect(
      form.patches.last
        == ["lookups": ["cities": ["isLoading": false, "value": ["b": ["c": .null, "d": 3]]]]]
    )
    #expect(form["/lookups/cities/value"] == ["a": 1, "b": ["d": 3]])
  }

  // MARK: What an answer comes to

  @Test func `without a formula the value is the body, or the rows`() throws {
    for (response, value) in [
      (EffectResponse(kind: .ok, status: 200, body: ["a": .null, "b": 1]), ["b": 1] as JSON),
      (EffectResponse(kind: .ok, rows: [["a": 1]]), [["a": 1]] as JSON),
    ] {
      var lookup = definition()["lookups"]!["cities"]!.objectValue!
      lookup["value"] = nil
      let form = try SessionDriver(
        definition([:], ["lookups": ["cities": .object(lookup)], "outputs": [:]]),
        options: OpenOptions(values: ["country": "KR"])
      )
      form.answer(form.onlyEffect, response)
      #expect(form["/lookups/cities"] == ["isLoading": false, "value": value])
    }
  }

  @Test(arguments: [
    (EffectResponse(kind: .refused), "refused"), (EffectResponse(kind: .noProvider), "noProvider"),
    (EffectResponse(kind: .badBody, status: 200), "badBody"),
    (EffectResponse(kind: .ok, status: 404, body: ["cities": ["Nowhere"]]), "status"),
    (EffectResponse(kind: .ok, status: 500), "status"), (EffectResponse(kind: .ok, body: ["cities": 1]), nil),
    (EffectResponse(kind: .ok, body: [:]), nil),
  ])
  func `a failure is told by its kind, and takes the old value away; what is absent is no failure`(
    _ response: EffectResponse,
    _ error: String?
  ) throws {
    let form = try open([:], ["outputs": ["error": "lookups.cities.error"]], values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    form.change("country", "FR")
    form.answer(form.onlyEffect, response)
    #expect(form["/lookups/cities/error"] == error.map { .string($0) })
    #expect(form["/outputs/error"] == .string(error ?? ""))
    #expect(form["/lookups/cities/value"] == (error == nil ? response.body?["cities"] : nil))
  }

  @Test func `a formula that faults is a failure, and is reported`() throws {
    let form = try open(["value": "response.body.cities[3]"], ["outputs": [:]], values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    #expect(form["/lookups/cities"] == ["isLoading": false, "error": "fault"])
    #expect(form.faults.map(\.pointer) == ["/lookups/cities/value"])
  }

  @Test func `a request that cannot be made is a failure, until it can`() throws {
    let form = try open(
      ["run": ["provider": ["name": "cities", "arguments": ["n": "10 / values.size"]]]],
      ["outputs": [:]],
      values: ["size": 0]
    )
    #expect(form.effects.isEmpty && form["/lookups/cities"] == ["isLoading": false, "error": "fault"])
    form.change("size", 5)
    #expect(form["/lookups/cities"] == ["isLoading": true])
    form.answer(form.onlyEffect, found("Seoul"))
    #expect(form["/lookups/cities"] == ["isLoading": false, "value": ["Seoul"]])
  }

  @Test func `no answer in time is a failure, and ends the effect`() throws {
    let form = try open(["timeout": "2s"], values: ["country": "KR"])
    form.advance(milliseconds: 1_999)
    #expect(form["/lookups/cities/isLoading"] == true)
    form.advance(milliseconds: 1)
    #expect(form.effects.isEmpty && form["/lookups/cities"] == ["isLoading": false, "error": "timeout"])
  }

  // MARK: Again

  @Test func `it is tried again as its definition says, and loads all the while`() throws {
    let form = try open(["retry": ["times": 2, "delay": "100ms"]], values: ["country": "KR"])
    form.answer(kind: .refused)
    #expect(form.effects.isEmpty && form["/lookups/cities"] == ["isLoading": true])
    form.advance(milliseconds: 100)
    form.answer(status: 503)
    form.advance(milliseconds: 199)
    #expect(form.effects.isEmpty)
    form.advance(milliseconds: 1)
    form.answer(kind: .refused)
    #expect(form["/lookups/cities"] == ["isLoading": false, "error": "refused"])
    #expect(form.session.deadline == nil)
  }

  @Test func `another inquiry ends the pause before the next try`() throws {
    let form = try open(["retry": ["times": 1, "delay": "100ms"]], values: ["country": "KR"])
    form.answer(kind: .refused)
    form.change("country", "FR")
    #expect(arguments(of: form.onlyEffect) == ["country": "FR"])
    form.advance(milliseconds: 100)
    #expect(form.effects.count == 1)
  }

  @Test func `a tap asks again where it has failed`() throws {
    let form = try open([:], ["actions": ["go": ["enabled": "true", "scope": "none"]]], values: ["country": "KR"])
    form.answer(kind: .refused)
    form.tap("go")
    #expect(form["/lookups/cities"] == ["isLoading": true])
    form.answer(form.onlyEffect, found("Seoul"))
    form.tap("go")
    #expect(form.effects.isEmpty)
  }

  @Test func `answers are used again when they are to be kept, failures never`() throws {
    let form = try open(["cache": 1], values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    form.change("country", "FR")
    form.answer(kind: .refused)
    form.change("country", "KR")
    #expect(form.effects.isEmpty && form["/lookups/cities"] == ["isLoading": false, "value": ["Seoul"]])
    form.change("country", "FR")
    form.answer(form.onlyEffect, found("Paris"))
    form.change("country", "KR")
    #expect(form.effects.count == 1)
  }

  // MARK: The session

  @Test func `a reset asks again only where what is read has changed`() throws {
    let form = try open(values: ["country": "KR"])
    let asked = form.onlyEffect
    form.reset()
    #expect(form.effects.keys.map(\.self) == [asked.id])
    form.answer(asked, found("Seoul"))
    form.reset()
    #expect(form.effects.isEmpty && form["/lookups/cities/value"] == ["Seoul"])
    form.change("country", "FR")
    form.answer(form.onlyEffect, found("Paris"))
    form.reset()
    #expect(arguments(of: form.onlyEffect) == ["country": "KR"])
  }

  @Test func `a reset leaves a debounce and a pause as they are`() throws {
    let waiting = try open(["debounce": "300ms"])
    waiting.change("country", "KR")
    waiting.advance(milliseconds: 200)
    waiting.reset(keepValues: true)
    waiting.advance(milliseconds: 100)
    #expect(waiting.effects.count == 1)
    let pausing = try open(["retry": ["times": 1, "delay": "100ms"]], values: ["country": "KR"])
    pausing.answer(kind: .refused)
    pausing.reset()
    pausing.advance(milliseconds: 100)
    #expect(pausing.effects.count == 1)
  }

  @Test func `a lookup neither makes the form pending, nor holds a tap`() throws {
    let form = try open([:], ["actions": ["go": [:]]], values: ["country": "KR"])
    #expect(form["/isPending"] == false)
    #expect(form.tap("go").outcome == .started)
  }

  @Test func `a lookup may read another`() throws {
    let form = try open(
      [:],
      [
        "lookups": [
          "cities": ["run": ["provider": ["name": "cities", "arguments": ["c": "values.country"]]]],
          "weather": ["run": ["provider": ["name": "weather", "arguments": ["city": "lookups.cities.value[?0]"]]]],
        ], "outputs": [:],
      ],
      values: ["country": "KR"]
    )
    #expect(form["/lookups/weather"] == ["isLoading": false])
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: ["Seoul"]))
    #expect(arguments(of: form.onlyEffect) == ["city": "Seoul"])
  }

  @Test func `what a lookup finds, and keeps, counts as memory`() throws {
    let form = try open(["cache": true], values: ["country": "KR"])
    let before = form.session.computedBytes
    form.answer(form.onlyEffect, found(.string(String(repeating: "x", count: 10_000))))
    #expect(form.session.computedBytes - before > 20_000)
    form.change("country", "")
    #expect(form.session.computedBytes - before > 10_000)
    form.reset()
  }

  @Test func `a session without checks asks nothing`() throws {
    let form = try SessionDriver(definition(), options: OpenOptions(values: ["country": "KR"], runsChecks: false))
    #expect(form.effects.isEmpty && form["/lookups/cities"] == ["isLoading": false])
  }

  @Test func `one member can be watched`() throws {
    let form = try SessionDriver(
      definition(),
      options: OpenOptions(values: ["country": "KR"], watch: [JSONPointer("/lookups/cities/isLoading")!])
    )
    #expect(form.kept == ["lookups": ["cities": ["isLoading": true]]])
    form.answer(form.onlyEffect, found("Seoul"))
    #expect(form.patches.last == ["lookups": ["cities": ["isLoading": false]]])
  }

  // MARK: Options

  /// The options of `city` come from the lookup, and more.
  private func openChoice() throws -> SessionDriver {
    var schema = definition()["schema"]!.objectValue!
    var properties = schema["properties"]!.objectValue!
    properties["city"] = ["type": "string", "maxLength": 40]
    schema["properties"] = .object(properties)
    return try open(
      [:],
      [
        "schema": .object(schema), "actions": ["go": [:], "other": ["scope": ["size"]]],
        "fields": ["city": ["options": "lookups.cities.value.orValue([]) + ['Elsewhere']", "show": "always"]],
      ],
      values: ["country": "KR", "city": "Seoul"]
    )
  }

  @Test func `a field is pending while its options are asked for, and holds taps`() throws {
    let form = try openChoice()
    #expect(form["/fields/city/isPending"] == true && form["/isPending"] == true && !form.isValid)
    #expect(form.codes("city") == [])
    #expect(form.tap("go").outcome == .held && form.tap("other").outcome == .started)
    form.answer(form.onlyEffect, found("Seoul"))
    #expect(form["/fields/city/isPending"] == false && form.isValid)
    #expect(form.events.map(\.kind) == [.succeeded, .succeeded])
  }

  @Test func `a held tap waits for options that are asked for anew, but no longer than its action may take`() throws {
    let form = try openChoice()
    form.tap("go")
    form.change("country", "FR")
    form.advance(milliseconds: 9_000)
    form.change("country", "DE")
    form.advance(milliseconds: 1_000)
    #expect(form.events.map(\.kind) == [.rejected])
    #expect(form.events.last?.blockers == [Blocker(field: "city", code: "pending")])
  }

  @Test func `a value is judged by options that are the answer to what is asked now`() throws {
    let form = try openChoice()
    form.answer(form.onlyEffect, found("Seoul"))
    form.change("country", "FR")
    form.change("city", "Paris")
    #expect(form.codes("city") == [] && form["/fields/city/options/0/value"] == "Seoul")
    form.answer(form.onlyEffect, found("Paris"))
    #expect(form.codes("city") == [] && form.isValid)
    form.change("city", "Seoul")
    #expect(form.codes("city") == ["options"])
    form.change("country", "DE")
    form.answer(kind: .refused)
    #expect(form.codes("city") == [] && form.isValid)
  }

  @Test func `an explanation says which lookup a field waits for`() throws {
    let form = try openChoice()
    #expect(form.session.explanation()["fields"]?["city"]?["pending"] == [["lookup": "cities", "phase": "running"]])
  }

  // MARK: Snapshots

  private func restored(_ form: SessionDriver, for use: SnapshotUse = .resuming) throws -> (JSON, [Effect]) {
    let snapshot = form.session.snapshot(for: use)
    let restored = try Engine().restore(form.form, from: snapshot, at: form.now)
    #expect(restored.session.checkInvariants() == [])
    return (restored.session.document, restored.turn.starts)
  }

  @Test func `a restored session knows what was found, and why nothing was`() throws {
    let form = try open(values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    let (document, starts) = try restored(form)
    #expect(document == form.kept && starts.isEmpty)
    form.change("country", "FR")
    form.answer(kind: .refused)
    let (failed, none) = try restored(form)
    #expect(failed == form.kept && none.isEmpty)
  }

  @Test func `one under way asks again, and the old value stands meanwhile`() throws {
    let form = try open(values: ["country": "KR"])
    form.answer(form.onlyEffect, found("Seoul"))
    form.change("country", "FR")
    let (document, starts) = try restored(form)
    #expect(document == form.kept && starts.compactMap(arguments) == [["country": "FR"]])
  }

  @Test func `what was found with a secret is in no snapshot without secrets`() throws {
    let form = try open(
      ["run": ["provider": ["name": "cities", "arguments": ["pin": "values.pin"]]]],
      values: ["pin": "1234"]
    )
    form.answer(form.onlyEffect, found("Seoul"))
    let (document, starts) = try restored(form)
    #expect(document == form.kept && starts.isEmpty)
    #expect(!form.session.snapshot(for: .keeping).text.contains("Seoul"))
    let (without, none) = try restored(form, for: .keeping)
    #expect(without["lookups"] == ["cities": ["isLoading": false]] && none.isEmpty)
  }

  // MARK: Explanation

  @Test func `an explanation says where a lookup stands and what it reads`() throws {
    let form = try open(["when": "values.size != 1", "debounce": "1s"], [:])
    func lookup() -> JSON? { form.session.explanation()["lookups"]?["cities"] }
    let absent: JSON = ["values.country": .null, "values.size": .null]
    #expect(lookup() == ["phase": "idle", "when": "values.size != 1", "reads": absent])
    form.change("country", "KR")
    #expect(lookup()?["phase"] == "debounce")
    #expect(lookup()?["reads"] == ["values.country": "KR", "values.size": .null])
    form.advance(milliseconds: 1_000)
    #expect(lookup()?["phase"] == "running")
    form.answer(kind: .refused)
    #expect(lookup()?["phase"] == "failed" && lookup()?["error"] == "refused")
  }
}
