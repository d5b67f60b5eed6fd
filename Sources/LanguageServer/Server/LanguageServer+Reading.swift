internal import FormProtocol
internal import JSON
internal import JSONRPC

extension LanguageServer {
  /// Takes bytes from the editor. ``step()`` handles the messages, in the order of arrival.
  public mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    var events: [ReadEvent] = []
    stream.read(bytes) { events.append(ReadEvent($0)) }
    for event in events { take(event) }
  }

  private mutating func take(_ event: ReadEvent) {
    switch event {
    case .request(let id, let message):
      if case .cancel(let id) = message { return cancel(id) }
      guard let queued = message.queued(writer.accepted(id)) else { return }
      queue.append(queued)
    case .answer(let number, let result): queue.append(.answer(number, result))
    case .refused(let id, let error): writer.refuse(id, error)
    case .batchBegan: writer.batchBegan()
    case .batchEnded: writer.batchEnded()
    case .nothing: break
    }
  }

  /// Cancels a request that has no answer yet.
  private mutating func cancel(_ id: RequestID) {
    if let sweep, sweep.token.id == id {
      writer.fail(sweep.token, .cancelled)
      self.sweep = nil
    }
    for (position, message) in queue.enumerated() {
      if let token = message.token, token.id == id { queue[position] = .refused(token, .cancelled) }
    }
  }
}

/// A copy of an event of the reader, which outlives the call.
private enum ReadEvent {
  /// A request or a notification with its params.
  enum Message {
    case initialize(InitializeParams)
    case initialized
    case shutdown
    case exit
    case cancel(RequestID)
    case workspaceDiagnostic(WorkspaceDiagnosticParams)
    case call(any EditorCall)
    case refused(RPCError)
    case ignored

    init(_ request: RPCRequest) {
      guard let method = EditorMethod(utf8: request.method) else {
        // Unknown notifications with this prefix may be ignored, and unknown requests are refused (3.17, "$
        // Notifications and Requests").
        self = .refused(.methodNotFound(String(decoding: request.method, as: UTF8.self), closest: nil))
        return
      }
      do throws(InvalidParams) {
        switch method {
        case .initialize: self = .initialize(try Self.params(request))
        case .initialized: self = .initialized
        case .shutdown: self = .shutdown
        case .exit: self = .exit
        case .setTrace: self = .ignored
        case .cancelRequest:
          let params: CancelParams = try Self.params(request)
          self = params.requestID.map(Self.cancel) ?? .ignored
        case .workspaceDiagnostic: self = .workspaceDiagnostic(try Self.params(request))
        default:
          guard let call = method.call else {
            self = .ignored
            return
          }
          self = .call(try Self.read(call, request))
        }
      } catch {
        self = .refused(error.rpcError)
      }
    }

    private static func params<Params: FormProtocol.Message>(_ request: RPCRequest) throws(InvalidParams) -> Params {
      try MessageReader.read(Params.self, request.params, .lenient)
    }

    private static func read<Params: EditorCall>(
      _ type: Params.Type,
      _ request: RPCRequest
    ) throws(InvalidParams) -> any EditorCall {
      try MessageReader.read(type, request.params, .lenient)
    }

    /// The message to queue; nil if there is nothing to do. An invalid or unknown notification is ignored.
    func queued(_ token: RequestToken) -> QueuedMessage? {
      guard token.wantsAnswer else {
        return switch self {
        case .initialized: .initialized
        case .exit: .exit
        case .call(let call as any EditorNotice): .notice(call)
        default: nil
        }
      }
      return switch self {
      case .initialize(let params): .initialize(token, params)
      case .shutdown: .shutdown(token)
      case .workspaceDiagnostic(let params): .workspaceDiagnostic(token, params)
      case .call(let call as any EditorRequest): .request(token, call)
      case .refused(let error): .refused(token, error)
      case .initialized, .exit, .cancel, .call, .ignored:
        .refused(token, .invalidRequest(reason: "this method is a notification; send it without an id"))
      }
    }
  }

  case request(RequestID?, Message)
  case answer(Int, JSON?)
  case refused(RequestID?, RPCError)
  case batchBegan
  case batchEnded
  case nothing

  init(_ event: RPCReader.Event) {
    switch event {
    case .request(let request): self = .request(request.id, Message(request))
    case .response(let id, let result, _):
      self = RPCWriter.requestNumber(id).map { .answer($0, result?.value()) } ?? .nothing
    case .refused(let id, let error): self = .refused(id, error)
    case .batchBegan: self = .batchBegan
    case .batchEnded: self = .batchEnded
    case .text, .ended: self = .nothing
    }
  }
}

extension CancelParams {
  /// The id of the request to cancel; nil if it is not a valid id.
  fileprivate var requestID: RequestID? {
    switch id {
    case .integer(let number): .integer(number)
    case .string(let text): .string(text)
    default: nil
    }
  }
}
