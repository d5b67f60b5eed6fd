package import Budgets
package import JSON

/// A schema and the files that it refers to, made one document that says the same (core, section 9.3).
package struct SchemaBundle: Sendable {
  /// A location in a file.
  package struct Origin: Hashable, Sendable {
    /// The URI of the file; empty for the schema that was bundled.
    package var document: String
    /// The location in the file.
    package var pointer: JSONPointer

    package init(document: String, pointer: JSONPointer) {
      self.document = document
      self.pointer = pointer
    }
  }

  /// A part of the document that was copied unchanged from another location, except for references and identifiers.
  struct Part: Sendable {
    /// Its location in the document.
    var pointer: JSONPointer
    var origin: Origin
  }

  /// The schema. From the files, it contains only the targets of references.
  package let document: JSON
  /// By the location of a reference in the document: why its file is missing, if the reference leads nowhere for that
  /// reason.
  package let absences: [JSONPointer: SchemaFileError]
  /// The first is the whole.
  let parts: [Part]

  /// The origin of a location of the document.
  package func origin(of pointer: JSONPointer) -> Origin {
    let part = parts.filter { pointer.tokens.starts(with: $0.pointer.tokens) }.max {
      $0.pointer.tokens.count < $1.pointer.tokens.count
    }
    guard let part else { return Origin(document: "", pointer: pointer) }
    let rest = pointer.tokens.dropFirst(part.pointer.tokens.count)
    return Origin(document: part.origin.document, pointer: JSONPointer(tokens: part.origin.pointer.tokens + rest))
  }
}

extension SchemaBundle {
  /// Bundles a schema with the files that it refers to.
  ///
  /// The targets of references in files become definitions. References then name these by their locations, and `$id`
  /// and anchors, which nothing needs any more, go. If files are of different dialects, or references are dynamic,
  /// locations are not enough: then each file is a definition with an `$id`. A schema that is only a reference to a
  /// file becomes the content of the file.
  ///
  /// A reference that leads nowhere does not change: compiling the bundle reports it.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - uri: the URI that the schema was read from; its references are resolved against this URI until an `$id` says
  ///     otherwise (core, section 8.2).
  ///   - library: the source of the files.
  ///   - budget: pays a unit for each schema.
  /// - Returns: nil when the budget is spent.
  /// - Throws: ``SchemaCompileError`` when identifiers are wrong; `document` in its problems is the URI of a file, or
  ///   empty.
  package static func bundle(
    _ schema: JSON,
    uri: String,
    library: SchemaLibrary,
    budget: CompileBudget
  ) throws(SchemaCompileError) -> SchemaBundle? {
    var references = SchemaReferences(library: library)
    guard references.collect(from: schema, uri: uri, budget: budget) else { return nil }
    guard references.registry.problems.isEmpty else {
      throw SchemaCompileError(problems: references.registry.problems)
    }
    return BundleWriter(references, baseURI: library.folderURI).bundle
  }
}
