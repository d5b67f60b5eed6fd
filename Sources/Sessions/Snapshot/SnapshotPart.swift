/// Names a part of a snapshot: a number that stays the same while the session lives, so that a part that changes takes the place of the one
/// before.
///
/// The numbers of the engine's parts are not negative. Whoever keeps parts of their own with them takes negative ones.
public struct SnapshotPart: Hashable, Comparable, Sendable {
  /// The number.
  public let rawValue: Int64

  /// The name with that number.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// What a part is about.
  enum Kind: Int64 {
    /// Of the form, so many fields that stand side by side; of a row, all of it but its lists.
    case fields
    /// A field of the form that holds much.
    case field
    /// Which rows a list has, in order.
    case order
    /// The rows that a list began with, with their values.
    case beginning
    case action, check, lookup
    /// What there is once in a session; the index is a ``SessionPart``.
    case session
  }

  /// What there is once in a session, and changes rarely.
  enum SessionPart: Int {
    /// What the session was opened with, and which form it is of.
    case opening
    /// The top-level members that are no fields, now and initially.
    case others
    /// What outcomes have said of the form as a whole.
    case serverErrors
    /// The cells that the client watches.
    case watched
  }

  /// So many fields are in one part.
  static let fieldsPerPart = 16
  /// The numbers and the first fields: what nearly every turn changes.
  static let head = SnapshotPart(.fields, 0)

  private static let indexBits: Int64 = 20
  private static let kindBits: Int64 = 4

  /// - Parameters:
  ///   - index: the position of what it is about in the form; of ``Kind/fields``, divided by ``fieldsPerPart``.
  ///   - row: the row's identity; 0: the form.
  init(_ kind: Kind, _ index: Int, row: Int = 0) {
    rawValue = Int64(row) << (Self.indexBits + Self.kindBits) | kind.rawValue << Self.indexBits | Int64(index)
  }

  init(_ part: SessionPart) { self.init(.session, part.rawValue) }

  /// What it is about; nil for a number that no engine gives.
  var kind: Kind? {
    rawValue < 0 ? nil : Kind(rawValue: rawValue >> Self.indexBits & (1 << Self.kindBits - 1))
  }

  /// The position of what it is about.
  var index: Int { Int(rawValue & (1 << Self.indexBits - 1)) }

  /// The row that it is about, or that has what it is about; 0: the form.
  var row: Int { Int(rawValue >> (Self.indexBits + Self.kindBits)) }

  public static func < (left: SnapshotPart, right: SnapshotPart) -> Bool { left.rawValue < right.rawValue }
}
