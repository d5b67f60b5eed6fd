import Forms
import JSON
import Sessions
import Testing

/// Taps that were open when the snapshot was made.
@Suite struct `A restored tap` {
  private func text(_ action: String) -> String {
    """
    {"form": "t", "schema": {"properties": {"a": {"type": "string", "maxLength": 9}}},
     "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
       "outcomes": [{"valid": true}]}],
     "actions": {"go": {"run": {"provider": {"name": "q"}}, \(action)}}}
    """
  }

  private func restored(_ form: SessionDriver, on engine: Engine = Engine()) throws -> RestoredSession {
    let restored = try engine.restore(form.form, from: form.session.snapshot(for: .keeping), at: form.now)
    #expect(restored.session.checkInvariants() == [])
    return restored
  }

  @Test func `fails as interrupted when its run had begun, once, and is not sent again`() throws {
    let form = try SessionDriver(text: text(#""retry": {"times": 5}"#))
    form.tap("go")
    #expect(form["/actions/go/isLoading"] == true)
    let engine = Engine()
    let restored = try restored(form, on: engine)
    #expect(restored.turn.starts.isEmpty && restored.turn.events.count == 1)
    let event = try #require(restored.turn.events.first)
    #expect(event.kind == .failed && event.error == "interrupted" && event.run == 1 && event.sequence == 1)
    #expect(event.token == form.lastTap?.token)
    #expect(
      restored.session.document["actions"]?["go"]
        == ["isEnabled": true, "isLoading": false, "attempts": 1, "error": "interrupted"]
    )
    #expect(restored.session.revision == form.session.revision + 1)
    #expect(!restored.session.isBusy)
    // The next run has a new number and a new tap.
    let turn = engine.apply(.tap(action: 0), to: restored.session, at: form.now)
    #expect(turn.tap?.run == 2 && turn.tap?.token ?? 0 > event.token)
  }

  @Test func `fails while its run waits for another try`() throws {
    let form = try SessionDriver(text: text(#""retry": {"times": 5}"#))
    form.tap("go")
    form.answer(kind: .refused)
    #expect(try restored(form).turn.events.map(\.error) == ["interrupted"])
  }

  @Test func `comes to what its outcomes say of an interruption`() throws {
    let form = try SessionDriver(
      text: text(
        """
        "outcomes": [{"when": "response.kind == 'interrupted'", "failure": "'unknown'", "message": "Please look whether it was sent.",
            "fieldErrors": {"a": "'not sure'"}},
          {"success": "1"}]
        """
      )
    )
    form.tap("go")
    let restored = try restored(form)
    #expect(restored.turn.events.map(\.message) == ["Please look whether it was sent."])
    #expect(restored.session.document["actions"]?["go"]?["error"] == "unknown")
    // The sent value is not known any more, so the session cannot know whether the field still holds it.
    #expect(restored.session.document["fields"]?["a"]?["errors"] == [])
  }

  @Test func `is dropped when its run had not begun: while it waits for a check`() throws {
    let form = try SessionDriver(text: text(#""label": "Go""#))
    form.change("a", "abc")
    form.tap("go")
    #expect(form.lastTap?.outcome == .held)
    let restored = try restored(form)
    #expect(
      restored.turn.events.map(\.kind) == [.dropped] && restored.turn.events.map(\.token) == [form.lastTap?.token]
    )
    // The check runs again, and its end sends nothing to anyone.
    #expect(restored.turn.starts.count == 1)
  }

  @Test func `is dropped while it waits behind the run that is interrupted`() throws {
    let form = try SessionDriver(text: text(#""flight": "queue""#))
    form.tap("go")
    form.tap("go")
    let events = try restored(form).turn.events
    #expect(
      events.map(\.kind) == [.failed, .dropped] && events.map(\.sequence) == [1, 2] && events.map(\.token) == [1, 2]
    )
  }

  @Test func `is dropped while a debounce holds it back`() throws {
    let form = try SessionDriver(text: text(#""debounce": "1s""#))
    form.tap("go")
    #expect(try restored(form).turn.events.map(\.kind) == [.dropped])
  }

  @Test func `has its event only once, however often the session is restored`() throws {
    let form = try SessionDriver(text: text(#""flight": "merge""#))
    form.tap("go")
    form.tap("go")
    let first = try restored(form)
    #expect(first.turn.events.map(\.kind) == [.failed, .failed])
    let again = try Engine().restore(form.form, from: first.session.snapshot(for: .keeping), at: form.now)
    #expect(again.turn.events.isEmpty && again.session.document == first.session.document)
    #expect(again.session.revision == first.session.revision)
  }

  @Test func `says the same key with each try, another with each tap, and none that a session had before`() throws {
    let form = try SessionDriver(
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}}},
         "actions": {"pay": {"idempotency": true, "run": {"http": {"service": "s", "method": "POST", "path": "/pay"}},
           "retry": {"times": 1, "delay": "1s"}}}}
        """
    )
    form.engine.newIdentity = { "0af7" }
    func key() -> String? { form.onlyHTTPRequest?.headers.first { $0.name == "Idempotency-Key" }?.value }
    form.tap("pay")
    #expect(key() == "\"0af7-1\"")
    form.answer(status: 503)
    form.advance(milliseconds: 1_000)
    #expect(key() == "\"0af7-1\"")
    form.answer(status: 200)
    form.tap("pay")
    #expect(key() == "\"0af7-2\"")
    let engine = Engine()
    let restored = try restored(form, on: engine)
    let turn = engine.apply(.tap(action: 0), to: restored.session, at: form.now)
    guard case .http(let request)? = turn.starts.first?.request else { throw SnapshotError.noRequest }
    #expect(request.headers.map(\.value) == ["\"0af7-2\""], "the tap repeats the interrupted one")
    let answer = EffectResponse(kind: .ok, status: 200)
    _ = engine.apply(.effect(turn.starts[0].id, answer), to: restored.session, at: form.now)
    let next = engine.apply(.tap(action: 0), to: restored.session, at: form.now)
    guard case .http(let later)? = next.starts.first?.request else { throw SnapshotError.noRequest }
    #expect(later.headers.map(\.value) == ["\"0af7-4\""])
    let (other, opening) = engine.open(form.form, at: form.now)
    #expect(opening.starts.isEmpty)
    let first = engine.apply(.tap(action: 0), to: other, at: form.now)
    guard case .http(let another)? = first.starts.first?.request else { throw SnapshotError.noRequest }
    #expect(another.headers.first?.value.utf8.count == 36 && another.headers.first?.value != "\"0af7-1\"")
  }

  @Test func `tells a provider the same key, and nobody else that asks only`() throws {
    let form = try SessionDriver(
      text: """
        {"form": "t", "schema": {"properties": {"a": {"type": "string"}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}, "outcomes": [{"valid": true}]}],
         "actions": {"plain": {"scope": "none", "run": {"provider": {"name": "p"}}},
           "pay": {"scope": "none", "idempotency": true, "run": {"provider": {"name": "p"}}, "retry": {"times": 1, "delay": "1s"}}}}
        """
    )
    form.engine.newIdentity = { "0af7" }
    form.tap("plain")
    #expect(form.onlyEffect.onlyAsks == false && form.onlyProviderRequest?.idempotencyKey == nil)
    form.answer(status: 200)
    form.tap("pay")
    #expect(form.onlyEffect.onlyAsks == false && form.onlyProviderRequest?.idempotencyKey == "0af7-2")
    form.answer(kind: .gone)
    form.advance(milliseconds: 1_000)
    #expect(form.onlyProviderRequest?.idempotencyKey == "0af7-2")
    form.answer(status: 200)
    form.change("a", "x")
    #expect(form.onlyEffect.onlyAsks && form.onlyProviderRequest?.idempotencyKey == nil)
  }

  private enum SnapshotError: Error { case noRequest }
}
