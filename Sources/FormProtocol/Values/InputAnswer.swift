package import JSON

/// The answer to an input that needs no answer of its own kind.
package struct InputAnswer: Message, Sendable {
  /// The session's revision after the input.
  package var revision = 0

  package init() {}

  /// The answer to an input that gave that revision.
  @inline(__always)
  package init(revision: Int) {
    self.revision = revision
  }

  /// Every input gets such an answer.
  @inline(__always)
  package func write(into buffer: OutputBuffer) {
    let prefix = Self.prefix.bytes
    buffer.append(upTo: prefix.countToWrite &+ OutputBuffer.numberBytesMax &+ 1) { start in
      prefix.copy(to: start).writing(decimal: Int64(revision)).writing(UInt8(ascii: "}"))
    }
  }

  /// The text before the revision.
  private struct Prefix: @unchecked Sendable {
    let bytes: PreparedBytes

    init() {
      var answer = InputAnswer()
      bytes = MemberPrefixes { answer.list(&$0) }.all[0]
    }
  }

  private static let prefix = Prefix()

  package static let schemaName: StaticString? = "InputAnswer"

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("revision", &revision, "The session's revision after the input.")
  }
}
