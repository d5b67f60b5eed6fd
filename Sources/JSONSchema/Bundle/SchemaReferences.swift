internal import Budgets
internal import Formats
internal import JSON

/// The references of a schema and of the files that it refers to, with their targets.
struct SchemaReferences {
  struct Reference {
    /// The schema that contains it.
    var location: Int
    var keyword: String
    /// The text of the reference.
    var text: String
    /// The schema that it leads to.
    var target: Int
  }

  private(set) var registry: SchemaRegistry
  /// The references that lead somewhere, except to the standard's own schemas, which every validator has.
  private(set) var all: [Reference] = []
  /// The references whose file is missing.
  private(set) var absences: [(location: Int, keyword: String, error: SchemaFileError)] = []
  /// The schemas that were looked at.
  private(set) var schemas: Set<Int> = []
  /// Whether a reference is among them whose target is looked for at run time.
  private(set) var areDynamic = false
  private let library: SchemaLibrary

  init(library: SchemaLibrary) {
    self.library = library
    registry = SchemaRegistry(options: CompileOptions { uri in (try? library.file(at: uri))?.document })
  }

  /// Looks at the schema and at all that it refers to; false when the budget is spent.
  mutating func collect(from schema: JSON, uri: String, budget: CompileBudget) -> Bool {
    collect(registry.add(document: schema, uri: uri), budget)
    var next = 0
    while next < all.count, budget.mayGoOn {
      collect(all[next].target, budget)
      next += 1
    }
    return budget.mayGoOn
  }

  func document(of location: Int) -> Int { registry.locations[location].document }

  func dialect(of location: Int) -> Dialect { registry.dialect(of: location) }

  /// Looks at a schema and at the schemas inside it.
  private mutating func collect(_ location: Int, _ budget: CompileBudget) {
    guard schemas.insert(location).inserted, budget.spend(),
      case .object(let members) = registry.locations[location].value
    else { return }
    for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
      if let text = members[keyword]?.stringValue { collectReference(text, keyword, of: location) }
    }
    for schema in registry.innerSchemas(of: location) { collect(schema, budget) }
  }

  private mutating func collectReference(_ text: String, _ keyword: String, of location: Int) {
    if keyword != "$ref" { areDynamic = true }
    let reference = URIReference(text)
    let uri = registry.uri(of: text, from: location)
    if uri.scheme == "file", reference.scheme != nil || reference.authority != nil || reference.path.hasPrefix("/") {
      absences.append((location, keyword, .absolutePath))
    } else if let target = registry.resolve(text, from: location)?.location {
      guard MetaSchemas.document(of: registry.documents[document(of: target)]) == nil else { return }
      all.append(Reference(location: location, keyword: keyword, text: text, target: target))
    } else if registry.load(uri.withoutFragment, from: location) == nil {
      do throws(SchemaFileError) {
        _ = try library.file(at: uri.withoutFragment)
      } catch {
        absences.append((location, keyword, error))
      }
    } else if let file = library.knownFile(at: uri.withoutFragment), let fragment = uri.fragment {
      absences.append((location, keyword, .noFragment(file.path, fragment: fragment)))
    }
  }
}
