internal import Configuration
internal import FormProtocol
internal import JSONRPC
internal import Logging
internal import Sessions
internal import Times

/// Sends what was written, as fast as the client reads.
extension ClientConnection {
  /// Makes sure that the output is flushed when the entry ends, or soon after (``OutputGathering``).
  @inline(__always)
  func scheduleFlush() {
    if !output.isListed, output.writer.unflushedBytes > 0 { server.flushLater(self) }
    if _slowPath(output.writer.batchBytes != 0) { accountForUnsent() }
  }

  /// Counts the unsent output in the daemon's account.
  @inline(never)
  func accountForUnsent() {
    guard !state.isGone else { return }
    unsent.set(
      output.writer.batchBytes + (state.updateTreatment == .written ? 0 : output.unsentBytes),
      in: &server.memory.queued
    )
  }

  /// Hands the output to the transport.
  @inline(__always)
  func flush() {
    let isWritable = output.flush()
    let action = state.wrote(isWritable: isWritable)
    if _slowPath(!isWritable || unsent.bytes != 0) { accountForUnsent() }
    if _slowPath(action == .pauseReading) { pauseReading() }
  }

  @inline(never)
  private func pauseReading() {
    output.transport?.setReading(false)
    watchForStall()
  }

  func watchForStall() {
    guard stallTimer == nil, output.transport != nil else { return }
    _ = output.updateReadBytes()
    // From now, not from the beginning of the work: work that wrote so much may itself have taken that long.
    let now = server.environment.now()
    stallTimer = server.schedule(.stall(self), at: now + .milliseconds(server.limits[.stallMs]))
  }

  /// The client had its time to drain some output.
  func stallTimerFired() {
    stallTimer = nil
    guard let transport = output.transport else { return }
    switch state.stallTimerFired(hasDrained: output.updateReadBytes()) {
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
