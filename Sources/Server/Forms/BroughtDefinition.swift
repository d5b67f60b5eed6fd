internal import Configuration
internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SourceTexts
internal import Synchronization

/// A definition that a client brings along, while it is compiled.
///
/// Another thread compiles it: this may take ``Limit/definitionMs``, and the other clients do not wait for it.
final class BroughtDefinition: Sendable {
  /// The name of a form that is brought along without one: it has no file that could give it one.
  private static let fallbackName = "definition"
  /// The memory for each byte of a definition. A form of 3,000 fields with as many outputs takes 230 times the bytes of
  /// its definition, and most forms take far less.
  private static let bytesPerByte = 256
  /// So with little memory, one definition that compiles counts as at most this part of ``Limit/memoryMax``.
  private static let memoryShare = 16

  private let definition: JSON
  /// The bytes of memory that compiling takes, approximately: the form, and what becomes of its parts on the way.
  let memoryBytes: Int
  private let capabilities: FormCapabilities
  private let timeMax: Duration
  private let isWithdrawn = Atomic(false)
  private let outcome = Mutex<FormCompilation?>(nil)

  /// A definition that is to be compiled.
  ///
  /// - Parameter allowed: the services and databases that the configuration lets it reach. Providers are clients, like
  ///   the one that brings it. Which client's provider it may ask is checked at each call.
  /// - Throws: ``FormErrorCode/quotaExceeded`` when it is too large.
  init(
    _ definition: JSONObject,
    allowed: DefinitionsConfiguration,
    limits: ServerLimits,
    scratch: OutputBuffer
  ) throws(RPCError) {
    self.definition = .object(definition)
    scratch.write(self.definition)
    if scratch.count > limits[.definitionBytesMax] { throw limits.quotaExceeded(.definitionBytesMax) }
    memoryBytes = min(scratch.count * Self.bytesPerByte, limits[.memoryMax] / Self.memoryShare)
    capabilities = FormCapabilities(services: allowed.services, databases: allowed.databases, providers: nil)
    timeMax = .milliseconds(limits[.definitionMs])
  }

  /// The definition was given up.
  func withdraw() {
    isWithdrawn.store(true, ordering: .relaxed)
  }

  /// Compiles the definition; on any thread, once.
  func compile() {
    let end = ContinuousClock.now + timeMax
    let compilation = Form.compile(
      definition,
      fallbackName: Self.fallbackName,
      capabilities: capabilities,
      limits: CompileLimits { self.isWithdrawn.load(ordering: .relaxed) || ContinuousClock.now >= end }
    )
    outcome.withLock { $0 = compilation }
  }

  /// The result of compiling the definition.
  var compilation: FormCompilation {
    guard let compilation = outcome.withLock({ $0 }) else { preconditionFailure("the definition is not compiled") }
    return compilation
  }
}

extension FormCompilation {
  /// The form of a definition that was brought along.
  ///
  /// - Throws: ``RPCErrorCode/invalidParams`` with every problem when the definition is wrong or takes too much work on
  ///   any machine, ``FormErrorCode/overloaded`` when it took too long on this one.
  func form(limits: ServerLimits) throws(RPCError) -> Form {
    if let form { return form }
    if outcome == .cancelled { throw limits.overloaded(.definitionMs) }
    throw .invalidParams(diagnostics.filter { $0.severity == .error }.map { InvalidParams.Problem($0) })
  }
}

extension InvalidParams.Problem {
  /// A problem of the member `definition`.
  fileprivate init(_ diagnostic: Diagnostic) {
    self.init(
      path: "/definition" + diagnostic.pointer.description,
      code: diagnostic.code,
      expected: diagnostic.remedy ?? diagnostic.message,
      message: diagnostic.message
    )
  }
}
