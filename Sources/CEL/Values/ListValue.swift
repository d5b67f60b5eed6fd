/// A list of values, in order. A copy shares its storage until one of the two is changed.
public struct ListValue: Sendable {
  public private(set) var elements: [Value]

  @inline(__always)
  public init(_ elements: [Value]) { self.elements = elements }

  /// An empty list.
  public init() { self.init([]) }
}

extension ListValue: RandomAccessCollection, MutableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Value {
    get { elements[position] }
    set { elements[position] = newValue }
  }

  /// Other values replace the values at some positions.
  public mutating func replaceSubrange(_ range: Range<Int>, with new: some Collection<Value>) {
    elements.replaceSubrange(range, with: new)
  }
}
