internal import JSON
package import JSONRPC

/// Why params were refused: every problem, not only the first.
public struct InvalidParams: Error, Sendable {
  /// The kind of the problem.
  package enum Code: WireName {
    /// The value has another type.
    case type
    /// The type is right, the value is not.
    case value
    /// A member is missing.
    case required
    /// No such member is known.
    case unknown
    /// A formula gives the field its value.
    case computed
    /// Only programs may change the field's value.
    case readOnly

    package var wireName: StaticString {
      switch self {
      case .type: "type"
      case .value: "value"
      case .required: "required"
      case .unknown: "unknown"
      case .computed: "computed"
      case .readOnly: "readOnly"
      }
    }
  }

  /// What is wrong with one member of the params, or with one part of a definition in them.
  public struct Problem: Message, Hashable, Sendable {
    /// The location in the params, as a JSON Pointer.
    public var path = ""
    /// The kind of the problem: a ``Code``, or a code of a form definition.
    public var code = ""
    /// The value that was expected there.
    public var expected = ""
    /// The problem of a definition, in a sentence.
    public var message: String?

    package init() {}

    /// A problem of params.
    package init(path: String, code: Code, expected: String) {
      self.init(path: path, code: code.wireName.description, expected: expected, message: nil)
    }

    /// A problem of a definition that params bring along.
    package init(path: String, code: String, expected: String, message: String?) {
      self.path = path
      self.code = code
      self.expected = expected
      self.message = message
    }

    package static let schemaName: StaticString? = "ParamsProblem"
    package static let summary: StaticString = "A problem of params."

    package mutating func list(_ members: inout some MessageVisitor) {
      members.required("path", &path, "The location, as a JSON Pointer.")
      members.required(
        "code",
        &code,
        "`type`, `value`, `required`, `unknown`, `computed` or `readOnly`. Faults of definitions have codes of their own."
      )
      members.required("expected", &expected, "What was expected.")
      members.optional("message", &message, "What is wrong with a definition.")
    }
  }

  /// The problems; at least one, at most ``problemsMax``.
  public var problems: [Problem]

  /// It bounds the answer to a stranger's params.
  package static let problemsMax = 20

  package init(_ problems: some Sequence<Problem>) {
    self.problems = Array(problems.prefix(Self.problemsMax))
  }

  /// One problem, at the member of that name.
  package init(_ member: StaticString, _ code: Code, _ expected: String) {
    problems = [Problem(path: "/\(member)", code: code, expected: expected)]
  }

  /// The error on the wire: -32602.
  package var rpcError: RPCError { .invalidParams(problems) }

  /// A name or a locale must be short, because the daemon keeps it.
  ///
  /// - Throws: -32602 for a longer one.
  package static func checkLength(of text: String?, at path: String) throws(RPCError) {
    guard let text, text.utf8.count > nameBytesMax else { return }
    throw .invalidParams([.init(path: path, code: .value, expected: "at most \(nameBytesMax) bytes")])
  }

  private static let nameBytesMax = 256
}
