/// The turns of sessions without clients. Their timers and the answers to their effects wait here. Other sessions have
/// them wait at their connections.
final class UnattendedSessions: TurnTaker {
  unowned(unsafe) let server: FormServer
  var turns = TurnAccount()

  init(server: FormServer) {
    self.server = server
  }

  var goesFirst: Bool { !server.isPollDue && server.turnOrder.goesFirst(usedTime: turns.usedTime) }

  func turnCame() {
    turns.isAwaited = false
    performDueWork()
    if !turns.dueWork.isEmpty { askForTurn() }
  }
}
