/// A list of values, in order. A copy shares its storage until one of the two is changed.
public struct ListValue: Sendable {
  /// What tells elements of a list apart where their order does not count.
  package enum Identity: Sendable {
    /// Their position: the order counts.
    case position
    /// Their value: the list is a set.
    case value
    /// The members of those names: the list is a map of what these say to the elements.
    case members([String])
  }

  /// The elements.
  public private(set) var elements: [Value]
  /// What tells them apart.
  private let identity: Identity

  /// A list of those elements.
  @inline(__always)
  public init(_ elements: [Value]) {
    self.elements = elements
    identity = .position
  }

  /// An empty list.
  public init() { self.init([]) }

  /// A list of those elements, no two of which are the same.
  package init(_ elements: [Value], identity: Identity) {
    self.elements = elements
    self.identity = identity
  }

  /// Appends in place when nobody else holds the list.
  public mutating func append(_ value: Value) { elements.append(value) }

  /// Appends all of the other list.
  public mutating func append(contentsOf other: ListValue) { elements.append(contentsOf: other.elements) }
}

extension ListValue: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Value {
    get { elements[position] }
    set { elements[position] = newValue }
  }
}

/// Lists of which the order does not count, as Kubernetes has them (`x-kubernetes-list-type`; "Common Expression Language in Kubernetes",
/// "Schema merge strategy"). The list on the left of an operator says what is done.
extension ListValue {
  /// Whether the order of the elements counts.
  var hasOrder: Bool {
    if case .position = identity { true } else { false }
  }

  /// What tells an element from the others; nil where its position does.
  private func key(of element: Value) -> EqualityKey? {
    switch identity {
    case .position: nil
    case .value: EqualityKey(value: element)
    case .members(let names):
      EqualityKey(
        value: .list(
          names.map { name in
            if case .map(let map) = element { map[name] ?? .null } else { .null }
          }
        )
      )
    }
  }

  /// Whether both have equal elements: in the same order where it counts, else of the same keys.
  func equals(_ other: ListValue) -> Bool {
    guard count == other.count else { return false }
    if hasOrder { return zip(elements, other.elements).allSatisfy { $0.equals($1) } }
    var own: [EqualityKey: Value] = Dictionary(minimumCapacity: count)
    for element in elements { if let key = key(of: element) { own[key] = element } }
    return other.elements.allSatisfy { element in key(of: element).flatMap { own[$0] }?.equals(element) ?? false }
  }

  /// The elements of both; where the order does not count, each once: what the other one has takes the place of what is the same.
  func adding(_ other: ListValue) -> ListValue {
    if hasOrder { return ListValue(elements + other.elements) }
    var sum = elements
    var positions: [EqualityKey: Int] = Dictionary(minimumCapacity: count + other.count)
    for (position, element) in elements.enumerated() { if let key = key(of: element) { positions[key] = position } }
    for element in other.elements {
      guard let key = key(of: element) else { continue }
      if let position = positions[key] {
        sum[position] = element
      } else {
        positions[key] = sum.count
        sum.append(element)
      }
    }
    return ListValue(sum, identity: identity)
  }
}
