/// The slices of sessions without clients. Their timers and the answers to their effects wait here. Other sessions have
/// them wait at their connections.
final class UnattendedSessions: SliceTaker {
  unowned(unsafe) let server: FormServer
  var slices: SliceAccount
  var connectionNumber: Int64? { nil }

  init(server: FormServer) {
    self.server = server
    slices = SliceAccount(in: server.sliceOrder)
  }

  // While they wait for a slice, work is due, and then `perform` does not ask.
  var mayWorkNow: Bool { precedesAllWaiting }

  func sliceCame() {
    slices.isWaiting = false
    performDueWork()
    if !slices.dueWork.isEmpty { askForSlice() }
  }
}
