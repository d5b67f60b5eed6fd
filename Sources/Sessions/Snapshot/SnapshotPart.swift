/// Names a part of a snapshot with a number that stays while the session lives. A part that changes replaces the
/// earlier part with its number.
///
/// The numbers of the engine's parts are not negative. Callers that keep parts of their own with them use negative
/// numbers.
public struct SnapshotPart: Hashable, Comparable, Sendable {
  /// It contains the kind, the number in the form and the row of the part.
  public let rawValue: Int64

  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The content of a part.
  enum Kind: Int64 {
    /// In the form: a fixed number of adjacent fields. In a row: the whole row without its lists.
    case fields
    /// A large field of the form.
    case field
    /// The rows of a list, in order.
    case order
    /// The initial rows of a list, with their values.
    case beginning
    case action, check, lookup
    /// A part that exists once in a session. The number is a ``SessionPart``.
    case session
    /// An edit of a user. Its number is in place of a row's identity.
    case edit
  }

  /// The parts that exist once in a session and change rarely.
  enum SessionPart: Int {
    /// The options with which the session was opened, and the identity of its form.
    case opening
    /// The top-level members that are not fields, now and initially.
    case others
    /// The errors that outcomes have given to the form as a whole.
    case serverErrors
    /// The cells that the client watches.
    case watched
    case context
  }

  /// The number of fields in one part.
  static let fieldsPerPart = 16
  /// The numbers and the first fields, which nearly every turn changes.
  static let head = SnapshotPart(.fields, 0)

  private static let numberBits: Int64 = 20
  private static let kindBits: Int64 = 4

  /// - Parameters:
  ///   - number: the number of its subject in the form. For ``Kind/fields`` it is divided by ``fieldsPerPart``.
  ///   - row: the row's identity, or 0 for the form.
  init(_ kind: Kind, _ number: Int, row: Int = 0) {
    rawValue = Int64(row) << (Self.numberBits + Self.kindBits) | kind.rawValue << Self.numberBits | Int64(number)
  }

  init(_ part: SessionPart) { self.init(.session, part.rawValue) }

  /// Its content, or nil for a number that an engine does not give.
  var kind: Kind? {
    rawValue < 0 ? nil : Kind(rawValue: rawValue >> Self.numberBits & (1 << Self.kindBits - 1))
  }

  /// The number of its subject in the form. For ``Kind/fields`` it is divided by ``fieldsPerPart``.
  var number: Int { Int(rawValue & (1 << Self.numberBits - 1)) }

  /// The row that is its subject or contains its subject, or 0 for the form.
  var row: Int { Int(rawValue >> (Self.numberBits + Self.kindBits)) }

  public static func < (left: SnapshotPart, right: SnapshotPart) -> Bool { left.rawValue < right.rawValue }
}
