internal import FormProtocol
internal import JSONRPC
internal import Logging
internal import Sessions

/// What was written goes out, as fast as the client reads.
extension ClientConnection {
  /// Sees to it that what was written is flushed when the entry ends, or soon after (``OutputGathering``).
  @inline(__always)
  func outputChanged() {
    if output.needsListing() { server.flushLater(self) }
    if _slowPath(output.writer.batchBytes != 0) { accountForUnsent() }
  }

  /// Takes over into the daemon's account what is written and not sent.
  @inline(never)
  func accountForUnsent() {
    guard !state.isGone else { return }
    unsent.set(
      output.writer.batchBytes + (state.updates == .written ? 0 : output.unsentBytes),
      in: &server.memory.queued
    )
  }

  /// The entry ends: hands the output to the transport.
  func flushListed() {
    flushed(hasRoom: output.flushListed())
  }

  func flush() {
    flushed(hasRoom: output.flush())
  }

  @inline(__always)
  private func flushed(hasRoom: Bool) {
    let action = state.wrote(hasRoom: hasRoom)
    if _slowPath(!hasRoom || unsent.bytes != 0) { accountForUnsent() }
    if _slowPath(action == .stopReading) { stopReading() }
  }

  @inline(never)
  private func stopReading() {
    output.transport?.setReading(false)
    watchForStall()
  }

  func watchForStall() {
    guard stallTimer == nil, output.transport != nil else { return }
    _ = output.lookWhatIsRead()
    // From now, not from when the turn began that wrote so much: that turn may have taken as long.
    let now = server.environment.now()
    stallTimer = server.schedule(.stall(self), at: now + .milliseconds(server.limits[.stallMs]))
  }

  /// The client had its time to drain something.
  func stallTimerFired() {
    stallTimer = nil
    guard let transport = output.transport else { return }
    switch state.stallTimerFired(hasDrained: output.lookWhatIsRead()) {
    case .watchOn: watchForStall()
    case .abort:
      server.statistics.connectionsStalled += 1
      server.logger.warning(
        "a client reads nothing and is disconnected",
        metadata: logMetadata.merging(["unsentBytes": "\(output.unsentBytes)"]) { $1 }
      )
      transport.abort()
    default: break
    }
  }
}
