/// The services, databases and providers that a definition may name, or that a configuration has.
public struct FormCapabilities: Sendable {
  /// The names of services; nil means any.
  public var services: Set<String>?
  /// The names of databases; nil means any.
  public var databases: Set<String>?
  /// The names of providers; nil means any.
  public var providers: Set<String>?

  /// Capabilities with these names.
  public init(services: Set<String>?, databases: Set<String>?, providers: Set<String>?) {
    self.services = services
    self.databases = databases
    self.providers = providers
  }

  /// Everything: the capabilities of the daemon's own forms.
  public static let all = FormCapabilities(services: nil, databases: nil, providers: nil)

  /// The names of that kind; nil means any.
  func names(of kind: Requirement.Kind) -> Set<String>? {
    switch kind {
    case .service: services
    case .database: databases
    case .provider: providers
    }
  }
}
