package import JSON

/// A schema and the files that it refers to, made one document that says the same (core, section 9.3).
package struct SchemaBundle: Sendable {
  /// A place in a file.
  package struct Origin: Hashable, Sendable {
    /// The URI of the file; empty for the schema that was bundled.
    package var document: String
    /// The place in the file.
    package var pointer: JSONPointer

    /// That place of that file.
    package init(document: String, pointer: JSONPointer) {
      self.document = document
      self.pointer = pointer
    }
  }

  /// A part of the document that stands elsewhere as it is, but for references and identifiers.
  struct Part: Sendable {
    /// Its place in the document.
    var pointer: JSONPointer
    var origin: Origin
  }

  /// The schema. Of what the files hold, it has what references lead to.
  package let document: JSON
  /// By the place of a reference in the document: why there is no file where it leads, if that is why it leads nowhere.
  package let absences: [JSONPointer: SchemaFileError]
  /// The first is the whole.
  let parts: [Part]

  /// Where a place of the document comes from.
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
  /// What references lead to in files becomes definitions. References then name these by their places, and `$id` and anchors, which
  /// nothing needs any more, go. Where files are of different dialects, or references are dynamic, places are not enough: then each file
  /// is a definition with an `$id`. A schema that is nothing but a reference to a file becomes what the file says.
  ///
  /// A reference that leads nowhere stays as it is: compiling the bundle finds it.
  ///
  /// - Parameters:
  ///   - schema: the schema.
  ///   - uri: where it was read; its references are resolved against that until an `$id` says otherwise (core, section 8.2).
  ///   - library: where files come from.
  ///   - budget: pays a unit for each schema.
  /// - Returns: nil when the budget is spent.
  /// - Throws: ``SchemaCompileError`` when identifiers are wrong; `document` in its problems is the URI of a file, or empty.
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
