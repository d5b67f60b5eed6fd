extension CELType {
  static let quantity = CELType.abstract(Quantity.type.name, [])
  static let semanticVersion = CELType.abstract(SemanticVersion.type.name, [])
  static let requestURL = CELType.abstract(RequestURL.type.name, [])
  static let namedFormat = CELType.abstract(NamedFormat.type.name, [])
}

extension Environment {
  /// What rules of Kubernetes may use ("Common Expression Language in Kubernetes", as of version 1.34): the language with the libraries
  /// that it has, and its own. All else of ``Library/all`` is unknown there.
  package static let kubernetes: Environment = {
    let strings = Library(name: "strings", overloads: Library.strings.overloads.filter { $0.name != "reverse" })
    var environment = Environment(
      libraries: [.standard, strings, .lists, .sets, .optionals, .comprehensions, .network] + Library.kubernetes
    )
    environment.requiresUniformLiterals = true
    return environment
  }()
}

extension Library {
  /// What Kubernetes adds to the language; no other environment has it.
  package static let kubernetes: [Library] = [
    .quantities, .semanticVersions, .requestURLs, .namedFormats, .listSearches, .patternSearches,
  ]
}
