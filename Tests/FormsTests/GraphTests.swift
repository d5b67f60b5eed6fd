import DocumentProperties
import JSON
import Testing

@testable import Forms

@Suite struct `What depends on what in a form` {
  /// A form with everything: nested fields, formulas of every kind, object-level keywords, checks.
  private func form() throws -> Form {
    let text = """
      {"form": "f",
       "schema": {"type": "object", "required": ["a"], "if": {"required": ["b"]}, "then": {"required": ["o"]},
         "properties": {"a": {"type": "string"}, "b": {"type": "string"},
           "o": {"type": "object", "minProperties": 1, "properties": {"x": {"type": "string"}, "y": {"type": "string"}}}}},
       "fields": {"b": {"required": "values.a != ''"}, "o": {"visible": "fields.a.isTouched"},
         "/o/y": {"enabled": "values.o.x != ''"}},
       "rules": [{"id": "long", "field": "a", "check": "size(self) > 3", "message": "short"},
         {"id": "same", "check": "values.a == values.b", "message": "different"}],
       "checks": [{"id": "free", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "values.a"}}},
         "outcomes": [{"when": "true", "valid": true}]}],
       "actions": {"go": {}, "stop": {"enabled": "messages.a == ''"}},
       "outputs": {"text": "form.isValid ? values.a : actions.go.message", "again": "outputs.text"}}
      """
    return try #require(Form.compile(Array(text.utf8)).form)
  }

  /// The nodes that become stale at once when a fact changes.
  private func readers(_ owner: Graph.Owner, _ fact: FactSet, in form: Form) -> Set<Graph.Node> {
    Set(form.graph.readers[form.graph.facts.number(owner, fact)].map { form.graph.nodes[Int($0)] })
  }

  @Test func `the edges are the same from both ends`() throws {
    let graph = try form().graph
    var forth: Set<[Int32]> = []
    var back: Set<[Int32]> = []
    for node in graph.nodes.indices { for fact in graph.reads[node] { forth.insert([Int32(node), fact]) } }
    for fact in 0..<graph.facts.count { for node in graph.readers[fact] { back.insert([node, Int32(fact)]) } }
    #expect(forth == back && !forth.isEmpty)
  }

  @Test func `whatever a node reads is written before`() throws {
    let graph = try form().graph
    for fact in 0..<graph.facts.count {
      guard let last = graph.writers[fact].last, let first = graph.readers[fact].first else { continue }
      #expect(last < first, "\(graph.facts.fact(fact)) is read by \(graph.nodes[Int(first)])")
    }
  }

  @Test func `a fact's number says what it is about, and which it is`() throws {
    let graph = try form().graph
    for number in 0..<graph.facts.count {
      let (owner, fact) = graph.facts.fact(number)
      #expect(graph.facts.number(owner, fact) == number)
    }
    #expect(graph.facts.fact(FactSet.fieldStride).owner == .field(1))
    // A fact beyond the bits of a set would be lost.
    #expect(FactSet.fieldStride <= UInt32.bitWidth && FactSet.formStride <= UInt32.bitWidth)
  }

  @Test func `what formulas read is a fact, and what outcomes alone see is none`() throws {
    let form = try form()
    let named = form.graph.factsOfSlots.enumerated().filter { $0.element != nil }.map {
      form.slots.names[$0.offset].name
    }
    #expect(Set(named) == Set(form.slots.names.map(\.name)).subtracting(["response", "previous"]))
  }

  @Test func `each change reaches what reads it, and nothing else`() throws {
    let form = try form()
    #expect(readers(.field(0), .ownValue, in: form) == [.value(0)])
    #expect(readers(.field(0), .value, in: form) == [.required(1), .rule(0), .rule(1), .check(0), .output(0)])
    #expect(readers(.field(0), .isTouched, in: form) == [.visible(2), .check(0), .field(0)])
    #expect(readers(.field(0), .message, in: form) == [.action(1)])
    #expect(readers(.field(1), .isRequired, in: form) == [.field(1)])
    // The members of a hidden object are hidden.
    #expect(readers(.field(2), .isVisible, in: form) == [.value(2), .field(2), .visible(3), .visible(4)])
    // A change inside of an object is one of the object.
    #expect(readers(.field(3), .content, in: form).contains(.value(2)))
    #expect(readers(.field(3), .isValid, in: form) == [.field(2)])
    #expect(readers(.field(2), .isValid, in: form) == [.form])
    #expect(readers(.rule(0), .ruleResult, in: form) == [.check(0), .field(0)])
    #expect(readers(.rule(1), .ruleResult, in: form) == [.formErrors])
    #expect(readers(.check(0), .progress, in: form) == [.field(0)])
    #expect(readers(.form, FactSet(form: .isValid), in: form) == [.action(0), .output(0)])
    #expect(readers(.output(0), .output, in: form) == [.output(1)])
  }
}
