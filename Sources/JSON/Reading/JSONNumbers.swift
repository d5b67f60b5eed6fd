/// How numbers are read that neither 64 bits with sign nor a double hold exactly.
public enum JSONNumbers: Hashable, Sendable {
  /// Integers beyond 64 bits and reals beyond all doubles are refused, and other reals are the nearest double.
  case binary
  /// They become a ``JSON/decimal(_:)``.
  case exact
}
