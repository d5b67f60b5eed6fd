internal import Actions
internal import Configuration
internal import Files
internal import NIOCore
internal import NIOPosix
internal import Processes
internal import SessionStore

/// A daemon that accepts clients. ``DaemonProcess`` has started all of its parts, and ends them.
struct RunningDaemon: Sendable {
  /// The threads, the performer of effects and the store, which the server uses.
  struct Backing: Sendable {
    let group: MultiThreadedEventLoopGroup
    let workers: OffloadedWorkers
    /// Makes a performer of effects whose long work the workers do.
    let makePerformer: @Sendable (ActionsConfiguration) -> RunningPerformer
    /// The performer of the start. A reload may replace it.
    let performer: RunningPerformer
    let instanceID: String
    let results: StoreResults
    /// The store of kept sessions; nil without one.
    var store: SessionDatabase?
  }

  let manager: ServiceManager
  let backing: Backing
  let host: NIOLoopBound<LoopServer>
  let occasions: Occasions
  let reloads: ReloadRequests
  let open: OpenEntrance
  let metrics: MetricsOutlets

  var loop: any EventLoop { host.eventLoop }
}

/// The reason why the daemon does something other than serve its clients.
enum Occasion: Sendable {
  case signal(ProcessSignal)
  /// The last client that can come is gone; with the error, if there was one.
  case noClients((any Error)?)
  /// No client was connected for so long.
  case idle
}

/// The occasions as they come. It listens to signals.
struct Occasions: Sendable {
  let stream: AsyncStream<Occasion>
  let occurred: AsyncStream<Occasion>.Continuation
  private let listening: [Task<Void, Never>]

  /// - Parameter hangUps: SIGHUP, to which the caller listens already.
  init(_ hangUps: AsyncStream<ProcessSignal>) async {
    let (stream, occurred) = AsyncStream.makeStream(of: Occasion.self)
    self.stream = stream
    self.occurred = occurred
    let ends = await ProcessSignal.stream(of: .terminate, .interrupt)
    listening = [ends, hangUps].map { signals in
      Task { for await signal in signals { occurred.yield(.signal(signal)) } }
    }
  }

  func stopListening() {
    for task in listening { task.cancel() }
  }
}

/// The requests for a reload. There is one reload at a time. Requests and signals during a reload cause one more, and
/// the end waits for none.
struct ReloadRequests: Sendable {
  let stream: AsyncStream<Void>
  let request: AsyncStream<Void>.Continuation

  /// Takes the requests of a server's clients, too. A client may ask as soon as it comes in.
  init(of host: NIOLoopBound<LoopServer>) async {
    let (stream, request) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.stream = stream
    self.request = request
    try? await host.eventLoop.submit { host.value.waitForReloads { request.yield() } }.get()
  }
}
