internal import Forms
internal import JSON
internal import Sessions
internal import Times

/// A session whose cells do the work of an operator. Its sources are fields; its results are an output or an action's
/// result.
///
/// Values are wrapped in lists of one element, because an empty text would not be a value.
final class CellMachine {
  private let engine = Engine()
  private let session: Session

  /// - Parameter sources: the number of fields `s0`, `s1`, ...
  init(sources: Int, _ more: JSONObject) {
    var definition = more
    var properties = JSONObject()
    for source in 0..<sources { properties["s\(source)"] = [:] }
    definition["form"] = "cells"
    definition["schema"] = .object(["type": "object", "properties": .object(properties)])
    let compilation = Form.compile(.object(definition))
    guard let form = compilation.form else { preconditionFailure("\(compilation.diagnostics)") }
    session = engine.open(form, at: .milliseconds(0)).session
  }

  /// Gives a source a new value; returns the output `o` if the update contains it.
  func change(_ source: Int, to value: JSON) -> JSON? {
    let turn = engine.apply(.set(field: source, to: value), to: session, at: .milliseconds(0))
    guard turn.hasUpdate else { return nil }
    // The patch of an output is a list or missing: lists are replaced whole.
    return session.patch(engine.changes(of: turn))["outputs"]?["o"]
  }

  /// Requests the action; returns its result, or nil if the form refuses.
  func tap() -> JSON? {
    let turn = engine.apply(.tap(action: 0), to: session, at: .milliseconds(0))
    return turn.events.first { $0.kind == .succeeded }?.result
  }
}

extension RxStream {
  /// `distinctUntilChanged`: an output over a cell is sent when it changes. With `key`, the cell holds the key.
  func distinct(key: ((JSON) -> Listener.Event)?) -> RxStream {
    RxStream { listener in
      let cells = CellMachine(sources: 1, ["outputs": ["o": "values.s0"]])
      listen(
        listener.upstream { event in
          guard case .next(let value) = event else { return listener.tell(event) }
          var compared = value
          if let key {
            switch key(value) {
            case .next(let made): compared = made
            case let end: return listener.tell(end)
            }
          }
          if cells.change(0, to: [compared]) != nil { listener.tell(event) }
        }
      )
    }
  }

  /// `combineLatest`: a formula over several cells. Each value carries its number, so that equal values count as new,
  /// as in Rx. An unchanged result of a formula would otherwise not be sent again.
  static func combined(_ streams: [RxStream], _ project: @escaping ([JSON]) -> Listener.Event) -> RxStream {
    RxStream { listener in
      let names = streams.indices.map { "values.s\($0)" }
      let allThere = streams.indices.map { "!fields.s\($0).isEmpty" }.joined(separator: " && ")
      let cells = CellMachine(
        sources: max(1, streams.count),
        [
          "outputs": [
            "o": .string("\(allThere.isEmpty ? "false" : allThere) ? [\(names.joined(separator: ", "))] : []")
          ]
        ]
      )
      var number: Int64 = 0
      var open = streams.count
      if streams.isEmpty { return listener.tell(.complete) }
      for (index, stream) in streams.enumerated() {
        stream.listen(
          listener.upstream { event in
            switch event {
            case .next(let value):
              number += 1
              guard let latest = cells.change(index, to: [value, .integer(number)])?.arrayValue, !latest.isEmpty else {
                return
              }
              listener.tell(project(latest.map { $0.arrayValue?.first ?? .null }))
            case .error: listener.tell(event)
            case .complete:
              open -= 1
              if open == 0 { listener.tell(.complete) }
            }
          }
        )
      }
    }
  }

  /// `withLatestFrom`: an action that reads the current cells when it fires.
  func withLatest(_ others: [RxStream], _ project: @escaping ([JSON]) -> Listener.Event) -> RxStream {
    RxStream { listener in
      let names = (0...others.count).map { "values.s\($0)" }.joined(separator: ", ")
      let ready = (0...others.count).map { "!fields.s\($0).isEmpty" }.joined(separator: " && ")
      let cells = CellMachine(
        sources: others.count + 1,
        ["actions": ["fire": ["enabled": .string(ready), "outcomes": [["success": .string("[\(names)]")]]]]]
      )
      for (index, other) in others.enumerated() {
        other.listen(
          listener.upstream { event in
            switch event {
            case .next(let value): _ = cells.change(index + 1, to: [value])
            case .error: listener.tell(event)
            case .complete: break
            }
          }
        )
      }
      listen(
        listener.upstream { event in
          guard case .next(let value) = event else { return listener.tell(event) }
          _ = cells.change(0, to: [value])
          if let latest = cells.tap()?.arrayValue {
            listener.tell(project(latest.map { $0.arrayValue?.first ?? .null }))
          }
        }
      )
    }
  }
}
