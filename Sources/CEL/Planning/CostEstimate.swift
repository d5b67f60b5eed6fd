/// How many steps the evaluation of an expression takes.
public enum CostEstimate: Hashable, Sendable {
  /// Never more than so many.
  case bounded(Int)
  /// Nothing bounds it; the reason says what to bound.
  case unbounded(reason: String)

  /// Numbers beyond this say no more than "too many".
  static let stepsMax = 1 << 60
}

extension CostEstimate {
  static func + (left: CostEstimate, right: CostEstimate) -> CostEstimate {
    switch (left, right) {
    case (.bounded(let a), .bounded(let b)): .bounded(min(a + b, stepsMax))
    case (.unbounded, _): left
    case (_, .unbounded): right
    }
  }

  static func * (left: CostEstimate, right: CostEstimate) -> CostEstimate {
    switch (left, right) {
    case (.bounded(let a), .bounded(let b)):
      let (product, overflows) = a.multipliedReportingOverflow(by: b)
      return .bounded(overflows ? stepsMax : min(product, stepsMax))
    case (.unbounded, _): return left
    case (_, .unbounded): return right
    }
  }

  static func larger(_ left: CostEstimate, _ right: CostEstimate) -> CostEstimate {
    switch (left, right) {
    case (.bounded(let a), .bounded(let b)): .bounded(max(a, b))
    case (.unbounded, _): left
    case (_, .unbounded): right
    }
  }
}

/// How large a value can be: the number of its code points, bytes, elements or entries, and what bounds its elements.
struct Extent {
  var size: CostEstimate
  /// At most one.
  private var inner: [Extent]

  init(_ size: CostEstimate, elements: Extent? = nil) {
    self.size = size
    inner = elements.map { [$0] } ?? []
  }

  static let scalar = Extent(.bounded(1))

  /// What an element can be. Of a text it is one code point.
  var elements: Extent { inner.first ?? Extent(size) }
  var hasElements: Bool { !inner.isEmpty }

  /// The number of values inside, with all that is inside those.
  var deepSize: CostEstimate {
    guard let element = inner.first else { return size }
    return .bounded(1) + size * (.bounded(1) + element.deepSize)
  }

  static func larger(_ left: Extent, _ right: Extent) -> Extent {
    let elements: Extent? =
      switch (left.inner.first, right.inner.first) {
      case (let a?, let b?): larger(a, b)
      case (let a, let b): a ?? b
      }
    return Extent(.larger(left.size, right.size), elements: elements)
  }
}

extension Extent {
  /// What is declared about a variable or field.
  ///
  /// - Parameter name: what to bound, where nothing is.
  init(_ bounds: SizeBounds, of type: CELType, named name: String, assuming assumed: Int?) {
    switch type {
    case .string, .bytes:
      self.init(Self.size(bounds.max ?? assumed, name, remedy: "maxLength"))
    case .list(let element):
      self.init(
        Self.size(bounds.max ?? assumed, name, remedy: "maxItems"),
        elements: Extent(bounds.elements, of: element, named: "the items of \(name)", assuming: assumed)
      )
    case .map(_, let value):
      self.init(
        Self.size(bounds.max ?? assumed, name, remedy: "maxProperties"),
        elements: Extent(bounds.elements, of: value, named: "the values of \(name)", assuming: assumed)
      )
    case .dyn, .any, .object, .abstract, .parameter, .error:
      self.init(Self.size(bounds.max ?? assumed, name, remedy: "maxLength or maxItems"))
    case .optional(let wrapped), .wrapper(let wrapped):
      self.init(bounds, of: wrapped, named: name, assuming: assumed)
    default:
      self = .scalar
    }
  }

  private static func size(_ max: Int?, _ name: String, remedy: String) -> CostEstimate {
    if let max { return .bounded(max) }
    return .unbounded(reason: "nothing bounds the size of \(name); give it a \(remedy)")
  }
}
