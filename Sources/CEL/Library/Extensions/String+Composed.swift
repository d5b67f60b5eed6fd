internal import Foundation

extension String {
  /// The text in Unicode's normalisation form C, in which what looks the same and means the same is spelled the same.
  var composed: String {
    // ASCII is composed already, which spares most texts the work.
    utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
  }
}
