/// How many steps the evaluation of an expression takes, as far as it is declared how large values can be.
public struct CostEstimate: Hashable, Sendable {
  /// Never more, where every value is as large as its declaration says. A size that nothing bounds counts as 1: what it takes is charged
  /// when the expression is evaluated.
  public let steps: Int
  /// What has a size that nothing bounds and that the steps depend on; nil where there is nothing of the kind.
  public let unbounded: String?
  /// The places whose bounds the steps may depend on: see ``SizeBounds/Factor``.
  package let places: Set<Int>
}

/// A number of steps, or of elements, that is not negative. Beyond ``most`` it says no more than "too many".
struct Count: Hashable, Comparable, ExpressibleByIntegerLiteral {
  let number: Int

  private static let most = 1 << 60

  init(_ number: Int) { self.number = min(number, Self.most) }
  init(integerLiteral number: Int) { self.init(number) }

  static func < (left: Count, right: Count) -> Bool { left.number < right.number }

  static func + (left: Count, right: Count) -> Count { Count(left.number + right.number) }

  static func * (left: Count, right: Count) -> Count {
    let (product, overflows) = left.number.multipliedReportingOverflow(by: right.number)
    return Count(overflows ? most : product)
  }
}

/// The size of a value: the number of its code points, bytes, elements or entries.
enum Size: Hashable {
  /// Never larger.
  case atMost(Count)
  /// Nothing bounds it; the name says what.
  case unbounded(String)

  static func + (left: Size, right: Size) -> Size { combine(left, right) { $0 + $1 } }
  static func * (left: Size, right: Size) -> Size { combine(left, right) { $0 * $1 } }
  static func larger(_ left: Size, _ right: Size) -> Size { combine(left, right) { max($0, $1) } }

  /// Bounded only where both are.
  private static func combine(_ left: Size, _ right: Size, _ operation: (Count, Count) -> Count) -> Size {
    switch (left, right) {
    case (.atMost(let a), .atMost(let b)): .atMost(operation(a, b))
    case (.unbounded, _): left
    case (_, .unbounded): right
    }
  }
}

/// How large a value can be, and how large its elements can be.
struct Extent {
  let size: Size
  /// At most one.
  private let inner: [Extent]

  init(_ size: Size, elements: Extent? = nil) {
    self.size = size
    inner = elements.map { [$0] } ?? []
  }

  static let scalar = Extent(.atMost(1))

  /// What an element can be. Of a text it is one code point; of a value of no known type nothing more is known.
  var elements: Extent { inner.first ?? Extent(size) }
  /// Whether it is a list or a map, and no text.
  var hasElements: Bool { !inner.isEmpty }

  static func larger(_ left: Extent, _ right: Extent) -> Extent {
    let elements: Extent? =
      switch (left.inner.first, right.inner.first) {
      case (let a?, let b?): larger(a, b)
      case (let a, let b): a ?? b
      }
    return Extent(.larger(left.size, right.size), elements: elements)
  }
}
