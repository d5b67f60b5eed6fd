/// An entry of a list of properties. A property is a member of the output document whose name formd defines, or a
/// state that only formulas read.
///
/// The lists (``FormProperty``, ``FieldProperty``, ``StepProperty``, ``LookupProperty``, ``ActionProperty``) are the
/// only place that states it. The layout of the document, the formula cells, the flags of sessions and their first
/// values, snapshots and schemas are derived from the lists by loops.
///
/// The declarations are public only so that the engine can inline them: a `package` declaration of another module is
/// never inlined. The engine names a property as a constant, and then reading a member of it costs nothing.
@frozen public struct Property: Sendable {
  /// The kind of its value in the document.
  @frozen public enum Kind: Sendable {
    /// True or false.
    case bool
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

  /// The computation of the form, a field, a step, a lookup or an action that gives a property its content. Formulas of
  /// this computation cannot read the property, because that would be a cycle.
  @frozen public enum Computation: Sendable {
    /// Inputs and answers give it, and no formula decides about it.
    case none
    /// Whether the owner is shown, can be changed, and must have a value.
    case visible, enabled, required
    /// The value of a field, and its options.
    case value, options
    /// The errors of the form.
    case errors
    /// Everything that follows from errors, checks and answers.
    case status
  }

  /// Its name in the document and in formulas.
  public let name: StaticString
  /// The kind of its value in the document.
  public let kind: Kind
  /// Its type in formulas. Nil if formulas do not read it.
  public let formula: FormulaType?
  /// The computation that gives the content.
  public let computation: Computation
  /// Whether the document shows it.
  public let isInDocument: Bool
  /// Of a flag: its bit among the flags of its owner. Stored sessions have the bits of fields, so the bit of a
  /// property never changes, and a new property takes a bit that no other flag of the owner has.
  public let bit: UInt8
  /// Of a Boolean: its value in the beginning. The document leaves it out of rows while it has this value.
  public let isUsuallyTrue: Bool
  /// Of a flag: whether it does not follow from anything else, so that snapshots have it.
  public let isInSnapshot: Bool
  /// The meaning, as a sentence for people.
  public let meaning: StaticString

  /// A Boolean that sessions store as a flag.
  @inlinable @inline(__always)
  static func flag(
    _ name: StaticString,
    bit: UInt8,
    usual: Bool = false,
    formula: FormulaType? = .bool,
    by computation: Computation = .none,
    inDocument: Bool = true,
    inSnapshot: Bool = false,
    _ meaning: StaticString
  ) -> Property {
    Property(
      name,
      .bool,
      formula: formula,
      by: computation,
      inDocument: inDocument,
      bit: bit,
      usual: usual,
      inSnapshot: inSnapshot,
      meaning
    )
  }

  /// Any other property.
  @inlinable @inline(__always)
  init(
    _ name: StaticString,
    _ kind: Kind,
    formula: FormulaType? = nil,
    by computation: Computation = .none,
    inDocument: Bool = true,
    bit: UInt8 = 0,
    usual: Bool = false,
    inSnapshot: Bool = false,
    _ meaning: StaticString
  ) {
    self.name = name
    self.kind = kind
    self.formula = formula
    self.computation = computation
    isInDocument = inDocument
    self.bit = bit
    isUsuallyTrue = usual
    isInSnapshot = inSnapshot
    self.meaning = meaning
  }
}

/// The properties of one kind of owner. The properties in the document come first, in the document's order.
public protocol PropertyList: CaseIterable, RawRepresentable<UInt8>, Sendable {
  /// The entry of the property in this list.
  var about: Property { get }
}

extension PropertyList {
  /// Its name in the document and in formulas.
  package var name: String { about.name.description }

  /// Its position in the list.
  @inlinable @inline(__always)
  public var position: Int { Int(rawValue) }

  /// The properties in the document, in its order.
  package static var inDocument: [Self] { allCases.filter { $0.about.isInDocument } }

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
