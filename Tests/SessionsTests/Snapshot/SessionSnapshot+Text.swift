import JSON
import Sessions

extension SessionSnapshot {
  /// All parts, one a line, in the order of their numbers.
  var text: String {
    parts.sorted { $0.key < $1.key }.map { "\($0.key.rawValue) \(String(decoding: $0.value, as: UTF8.self))" }
      .joined(separator: "\n")
  }

  /// Replaces a text in all parts that contain it.
  func replacing(_ old: String, with new: String) -> SessionSnapshot {
    SessionSnapshot(
      parts: parts.mapValues { Array(String(decoding: $0, as: UTF8.self).replacing(old, with: new).utf8) }
    )
  }

  /// The differences from another snapshot: the lines of the parts of both.
  func difference(from other: SessionSnapshot) -> String {
    Set(parts.keys).union(other.parts.keys).sorted().filter { parts[$0] != other.parts[$0] }.map { part in
      func text(_ bytes: [UInt8]?) -> String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }
      return "\(part.rawValue): \(text(parts[part])), and it should be \(text(other.parts[part]))"
    }.joined(separator: "\n")
  }
}
