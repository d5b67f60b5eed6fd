/// The sessions that nobody has, as far as they have turns: their timers and the answers to their effects wait here, as those of other sessions
/// do at their connections.
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
