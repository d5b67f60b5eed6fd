public import JSON

/// Why a document is not a schema that can be evaluated: every problem found, in the order of the document.
public struct SchemaCompileError: Error, Hashable, Sendable {
  /// One thing that is wrong.
  public struct Problem: Hashable, Sendable {
    /// The kinds of problems.
    public enum Kind: String, Hashable, Sendable {
      /// A keyword's value is not of the shape that the standard asks for.
      case badValue
      /// A regular expression cannot be used.
      case badPattern
      /// A reference leads nowhere.
      case unresolvedReference
      /// References lead back to their start without a step into the instance.
      case referenceLoop
      /// Two schemas have the same identifier.
      case duplicateIdentifier
      /// `$vocabulary` asks for a vocabulary that is not known here.
      case unknownVocabulary
      /// `$schema` names a meta-schema that cannot be had.
      case unknownDialect
      /// The meta-schema of its dialect does not admit it.
      case metaSchema
      /// A bound of ``SchemaLimits`` is passed.
      case tooLarge
    }

    /// The kind of the problem.
    public var kind: Kind
    /// The document that contains it: a URI, or empty for the document that was compiled.
    public var document: String
    /// The location of the problem in that document.
    public var pointer: JSONPointer
    /// One sentence for the author of the schema.
    public var text: String
  }

  /// Everything that was found; never empty. At most ``problemsMax``.
  public var problems: [Problem]

  /// No more problems than this are collected.
  public static let problemsMax = 50
}

extension SchemaCompileError: CustomStringConvertible {
  /// One line per problem.
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

extension SchemaCompileError.Problem: CustomStringConvertible {
  /// Location and sentence.
  public var description: String {
    "\(document)#\(pointer): \(text)"
  }
}
