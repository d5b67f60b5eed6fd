/// A variable that expressions may read.
public struct VariableDeclaration: Sendable {
  /// The name, with dots if it is qualified: `values.email`.
  public let name: String
  /// The variable's type.
  public let type: CELType
  /// The index of its value in the slots an evaluation is given.
  public let slot: Int
  /// The known bounds of its value's size; the static cost depends on it.
  public let size: SizeBounds
}

/// A record: named fields with types. Its values are maps at run time.
public struct RecordDeclaration: Sendable {
  /// A field of a record.
  public struct Field: Sendable, Hashable {
    /// The field's type.
    public let type: CELType
    /// The known bounds of the field's value.
    public let size: SizeBounds

    public init(type: CELType, size: SizeBounds = .unknown) {
      self.type = type
      self.size = size
    }
  }

  /// The name; `CELType.object` refers to it.
  public let name: String
  /// The fields by name.
  public let fields: [String: Field]
  /// Whether a value may have a field of that name beside ``fields``, of any type.
  package let admitsOther: @Sendable (String) -> Bool

  public init(name: String, fields: [String: Field]) {
    self.init(name: name, fields: fields, admittingOthers: { _ in false })
  }

  /// A record of those fields, and of other fields of any type.
  /// - Parameter admitsOther: whether there may be one of that name.
  package init(
    name: String,
    fields: [String: Field],
    admittingOthers admitsOther: @escaping @Sendable (String) -> Bool
  ) {
    self.name = name
    self.fields = fields
    self.admitsOther = admitsOther
  }
}

/// The largest size a value can have, as far as known: code points of a string, bytes, elements, entries.
public struct SizeBounds: Sendable, Hashable {
  /// A bound that somebody may make narrower.
  package struct Factor: Sendable, Hashable {
    /// The source of the bound, in a numbering of the host's.
    let source: Int
    let max: Int
  }

  /// nil if nothing bounds it.
  public var max: Int?
  /// The factors whose product is ``max``, if the host names them.
  package private(set) var factors: [Factor] = []
  /// The bounds of the elements of a list or the values of a map: at most one.
  private var inner: [SizeBounds]

  /// Bounds of that size, and of the elements.
  public init(max: Int?, elements: SizeBounds? = nil) {
    self.max = max
    inner = elements.map { [$0] } ?? []
  }

  /// Bounds of the size that a source declares; ``Environment/cost(of:capping:)`` tells the cost with a narrower one.
  package init(max: Int, source: Int, elements: SizeBounds? = nil) {
    self.init(max: max, elements: elements)
    factors = [Factor(source: source, max: max)]
  }

  /// Bounds for as many elements as several lists in one another have together.
  package init(productOf lists: [SizeBounds], elements: SizeBounds) {
    let product = lists.reduce(Optional(Count(1))) { product, list in
      list.max.flatMap { max in product.map { $0 * Count(max) } }
    }
    self.init(max: product?.number, elements: elements)
    factors = lists.flatMap(\.factors)
  }

  /// The bounds of the elements or values.
  public var elements: SizeBounds { inner.first ?? .unknown }

  /// The bounds without the sources that declare them.
  package var withoutSources: SizeBounds { SizeBounds(max: max, elements: inner.first?.withoutSources) }

  /// Nothing is known.
  public static let unknown = SizeBounds(max: nil)
  /// A value that has no size, such as a number.
  public static let scalar = SizeBounds(max: 1)
}
