/// What formd knows about a property of a session: a member of the output document whose name formd defines, or a
/// state that only formulas read.
///
/// The lists (``FormProperty``, ``FieldProperty``, ``StepProperty``, ``LookupProperty``, ``ActionProperty``) are the
/// only place that states it. The layout of the document, the cells of formulas, the flags of sessions and their first
/// values, snapshots and schemas are derived from the lists by loops.
///
/// The declarations are public only so that the engine can inline them: a `package` declaration of another module is
/// never inlined. The engine names a property as a constant, and then reading a member of it costs nothing.
@frozen public struct Property: Sendable {
  /// The kind of its value in the document.
  @frozen public enum Kind: Sendable {
    /// True or false.
    case truth
    /// A whole number.
    case number
    /// A text. It is absent while there is none.
    case text
    /// Any value. A patch of an object has only the members that have changed.
    case value
    /// A list of errors.
    case errors
    /// The order of a list's rows, and the rows themselves.
    case rows
  }

  /// Its type in formulas.
  @frozen public enum FormulaType: Sendable {
    /// True or false, and a whole number.
    case bool, int
    /// A text of at most so many bytes.
    case string(bytesMax: Int)
    /// Any value, of any size.
    case dyn
  }

  /// Its name in the document and in formulas.
  public let name: StaticString
  /// The kind of its value in the document.
  public let kind: Kind
  /// Its type in formulas. Nil if formulas do not read it.
  public let formula: FormulaType?
  /// Whether the document shows it.
  public let isInDocument: Bool
  /// Of a stored truth: its bit among the flags of its owner. Stored sessions have the bits of fields, so the bit of a
  /// property never changes, and a new property takes a bit that no other flag of the owner has.
  public let bit: UInt8
  /// Of a truth: its value in the beginning. The document leaves it out of rows while it has this value.
  public let isUsuallyTrue: Bool
  /// Of a stored truth: whether it does not follow from anything else, so that snapshots keep it.
  public let isKept: Bool
  /// What it means, as a sentence for people.
  public let meaning: StaticString

  /// A property that is a truth, and that sessions store as a flag.
  ///
  /// - Parameters:
  ///   - bit: see ``bit``.
  ///   - usual: see ``isUsuallyTrue``.
  ///   - kept: see ``isKept``.
  @inlinable @inline(__always)
  static func truth(
    _ name: StaticString,
    bit: UInt8,
    usual: Bool,
    formula: FormulaType?,
    inDocument: Bool = true,
    kept: Bool = false,
    _ meaning: StaticString
  ) -> Property {
    Property(name, .truth, formula: formula, inDocument: inDocument, bit: bit, usual: usual, kept: kept, meaning)
  }

  /// Any other property.
  @inlinable @inline(__always)
  init(
    _ name: StaticString,
    _ kind: Kind,
    formula: FormulaType?,
    inDocument: Bool = true,
    bit: UInt8 = 0,
    usual: Bool = false,
    kept: Bool = false,
    _ meaning: StaticString
  ) {
    self.name = name
    self.kind = kind
    self.formula = formula
    isInDocument = inDocument
    self.bit = bit
    isUsuallyTrue = usual
    isKept = kept
    self.meaning = meaning
  }
}

/// The properties of one kind of owner. The properties in the document come first, in the document's order.
public protocol PropertyList: CaseIterable, RawRepresentable<UInt8>, Sendable {
  /// What formd knows about it.
  var about: Property { get }
}

extension PropertyList {
  /// Its name in the document and in formulas.
  package var name: String { about.name.description }

  /// Its position in the list.
  @inlinable @inline(__always)
  public var position: Int { Int(rawValue) }

  /// The properties in the document, in its order.
  package static var inDocument: [Self] { allCases.filter(\.about.isInDocument) }

  /// The properties that formulas read.
  package static var inFormulas: [Self] { allCases.filter { $0.about.formula != nil } }

  /// The property that formulas read by that name.
  package static func inFormulas(_ name: String) -> Self? {
    allCases.first { property in
      let about = property.about
      return about.formula != nil && about.name.withUTF8Buffer { name.utf8.elementsEqual($0) }
    }
  }
}
