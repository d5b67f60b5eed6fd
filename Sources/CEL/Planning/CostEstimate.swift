/// How many steps the evaluation of an expression takes, as far as the declared sizes of values tell.
public struct CostEstimate: Hashable, Sendable {
  /// The upper bound, if every value is at most as large as its declaration says. A size without a bound counts as 1:
  /// its actual cost is charged when the expression is evaluated.
  public let steps: Int
  /// The name of a value without a size bound on which the steps depend; nil if there is none.
  public let unbounded: String?
  /// The sources of the bounds that the steps may depend on: see ``SizeBounds/Factor``.
  package let sources: Set<Int>
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
  /// Its size has no bound; the name of the value.
  case unbounded(String)

  static func + (left: Size, right: Size) -> Size { combine(left, right) { $0 + $1 } }
  static func * (left: Size, right: Size) -> Size { combine(left, right) { $0 * $1 } }
  static func larger(_ left: Size, _ right: Size) -> Size { combine(left, right) { max($0, $1) } }

  /// Bounded only if both are.
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

  /// The bounds of an element. An element of a text is one code point. For a value of unknown type, nothing more is
  /// known.
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
