/// A value of a row, of a parameter or of a function's argument.
package enum SQLiteValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  /// A text may hold U+0000. Bytes that are not UTF-8 are read as U+FFFD.
  case text(String)
  case blob([UInt8])
}
