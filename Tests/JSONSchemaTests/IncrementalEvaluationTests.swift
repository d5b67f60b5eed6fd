internal import Budgets
import Formats
import JSON
import JSONSchema
import Testing

/// Results that must not depend on the way of asking: validity, failures and evaluation agree, and parts make up the
/// whole.
@Suite struct IncrementalEvaluationTests {
  private static let seeds = (0..<16).map { UInt64($0) }

  @Test(arguments: seeds)
  func `validity failures and evaluation agree`(seed: UInt64) throws {
    var generator = RandomSchemas(seed: seed)
    for _ in 0..<50 {
      let document = generator.document()
      let schema = try Schema.compile(document)
      for _ in 0..<20 {
        let instance: JSON = .object(generator.object())
        let isValid = schema.validate(instance)
        let failures = schema.failures(of: instance)
        let evaluation = schema.evaluate(instance)
        #expect(failures.isEmpty == isValid, "\(document) \(instance)")
        #expect(evaluation.isValid == isValid, "\(document) \(instance)")
        #expect(evaluation.failures == failures, "\(document) \(instance)")
      }
    }
  }

  @Test(arguments: seeds)
  func `the parts of an object schema make up the whole`(seed: UInt64) throws {
    var generator = RandomSchemas(seed: seed &+ 1000)
    for _ in 0..<50 {
      let document = generator.document()
      let schema = try Schema.compile(document)
      let parts = schema.objectParts()
      for _ in 0..<20 {
        let object = generator.object()
        let whole = Set(schema.failures(of: .object(object), limit: 1000))
        var cache = PartCache(parts)
        cache.evaluateAll(object)
        #expect(Set(cache.failures) == whole, "\(document) \(JSON.object(object))")
        #expect(cache.isValid == whole.isEmpty, "\(document) \(JSON.object(object))")
      }
    }
  }

  @Test(arguments: seeds)
  func `the parts of a list schema make up the whole`(seed: UInt64) throws {
    var generator = RandomSchemas(seed: seed &+ 3000)
    var (lists, failing, instances) = (0, 0, 0)
    for _ in 0..<80 {
      let document = generator.listDocument()
      let schema = try Schema.compile(document)
      let tree = try #require(schema.objectTree(budget: CompileBudget()))
      guard tree.members[0].element != nil, let unit = tree.members[0].object else { continue }
      let parts = tree.objects[unit].parts
      lists += 1
      for _ in 0..<20 {
        let count = generator.pick([0, 1, 2, 3])
        let elements = (0..<count).map { _ in generator.value() }
        instances += 1
        let whole = schema.failures(of: ["list": .array(elements)], limit: 1000)
        if !whole.isEmpty { failing += 1 }
        let found = failures(of: elements, by: parts)
        #expect(
          Set(found.map(\.withoutPosition)) == Set(whole.map(\.withoutPosition)),
          "\(document) \(JSON.array(elements))"
        )
      }
    }
    #expect(lists > 20 && failing > instances / 5 && failing < instances * 19 / 20)
  }

  /// The failures of each element and of the list, as failures of the object that has the list as `list`.
  private func failures(of elements: [JSON], by parts: ObjectParts) -> [Failure] {
    var found: [Failure] = []
    var budget = WorkBudget(units: .max)
    #expect(parts.required.isEmpty && parts.properties.count <= 1)
    for property in parts.properties.indices {
      for (position, element) in elements.enumerated() {
        var failures: [Failure] = []
        parts.failures(of: element, property: property, into: &failures, limit: 1000, budget: &budget)
        #expect(failures.isEmpty == parts.isValid(element, property: property, budget: &budget))
        #expect(failures.allSatisfy { $0.instanceLocation.tokens.first == "*" })
        found += failures.map { $0.moved { [String(position)] + $0.dropFirst() } }
      }
    }
    for (index, part) in parts.keywords.enumerated() {
      let failures = parts.failures(of: .array(elements), keyword: index, limit: 1000, budget: &budget)
      #expect(failures.isEmpty == parts.isValid(.array(elements), keyword: index, budget: &budget))
      #expect(part.reads == .everything)
      if part.readsCountAlone {
        let others = elements.map { _ in JSON.null }
        #expect(failures.isEmpty == parts.isValid(.array(others), keyword: index, budget: &budget))
      }
      found += failures
    }
    return found.map { failure in failure.moved { ["list"] + $0 } }
  }

  @Test(arguments: seeds)
  func `after a change only what reads the member needs another look`(seed: UInt64) throws {
    var generator = RandomSchemas(seed: seed &+ 2000)
    var failing = 0
    for _ in 0..<30 {
      let document = generator.document()
      let schema = try Schema.compile(document)
      var object = generator.object()
      var cache = PartCache(schema.objectParts())
      cache.evaluateAll(object)
      for _ in 0..<20 {
        let name = generator.pick(RandomSchemas.names)
        object[name] = generator.chance(25) ? nil : generator.value()
        cache.evaluate(object, changed: name)
        let whole = Set(schema.failures(of: .object(object), limit: 1000))
        #expect(Set(cache.failures) == whole, "\(document) \(JSON.object(object))")
        if !whole.isEmpty { failing += 1 }
      }
    }
    // The generator would test nothing if everything were valid, or nothing were.
    #expect(failing > 50 && failing < 590)
  }
}

extension Failure {
  /// The failure with a changed location, and with changed locations of its causes.
  fileprivate func moved(_ change: ([String]) -> [String]) -> Failure {
    var failure = self
    failure.instanceLocation = JSONPointer(tokens: change(instanceLocation.tokens))
    failure.causes = causes.map { $0.moved(change) }
    return failure
  }

  /// The failure as an element's parts report it: the caller of the parts knows which element `false` refuses.
  fileprivate var withoutPosition: Failure {
    guard keyword == .items, instanceLocation.tokens.count == 2 else { return self }
    var failure = self
    failure.parameters = .none
    return failure
  }
}

/// The failures of every part, as a form keeps them: they are renewed only if a change can matter.
private struct PartCache {
  let parts: ObjectParts
  private var byProperty: [[Failure]]
  private var byPart: [[Failure]]
  private var missing: [Bool]
  private(set) var isValid = true

  init(_ parts: ObjectParts) {
    self.parts = parts
    byProperty = parts.properties.map { _ in [] }
    byPart = parts.keywords.map { _ in [] }
    missing = parts.required.map { _ in false }
  }

  var failures: [Failure] {
    byProperty.flatMap { $0 } + byPart.flatMap { $0 }
      + missing.indices.filter { missing[$0] }.map { parts.failure(missing: $0) }
  }

  mutating func evaluateAll(_ object: JSONObject) {
    isValid = true
    evaluate(object) { _ in true }
  }

  mutating func evaluate(_ object: JSONObject, changed name: String) {
    evaluate(object) { $0.contains(name) }
  }

  private mutating func evaluate(_ object: JSONObject, where isAffected: (ReadSet) -> Bool) {
    var budget = WorkBudget(units: .max)
    for (index, property) in parts.properties.enumerated() where isAffected(.names([property.name])) {
      byProperty[index] = []
      guard let value = object[property.name] else { continue }
      parts.failures(of: value, property: index, into: &byProperty[index], limit: 1000, budget: &budget)
      if !parts.isValid(value, property: index, budget: &budget) { isValid = false }
    }
    for (index, requirement) in parts.required.enumerated() where isAffected(.names([requirement.name])) {
      missing[index] = object[requirement.name] == nil
      if missing[index] { isValid = false }
    }
    for (index, part) in parts.keywords.enumerated() where isAffected(part.reads) {
      byPart[index] = parts.failures(of: .object(object), keyword: index, limit: 1000, budget: &budget)
      let isMet = parts.isValid(.object(object), keyword: index, budget: &budget)
      #expect(byPart[index].isEmpty == isMet, "\(part.keywordLocation) \(object)")
      if !byPart[index].isEmpty { isValid = false }
    }
  }
}
