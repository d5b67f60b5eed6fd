internal import JSON
internal import Sessions
internal import Times

/// A subscriber of a stream. It gets no events after the end.
final class Listener {
  enum Event: Equatable {
    case next(JSON)
    case error(JSON)
    case complete
  }

  let subscription = Subscription()
  private let hear: (Event) -> Void

  init(_ hear: @escaping (Event) -> Void) {
    self.hear = hear
  }

  /// A listener upstream of this one. It is cancelled together with this one.
  func upstream(_ hear: @escaping (Event) -> Void) -> Listener {
    let listener = Listener(hear)
    subscription.onClose { listener.subscription.close() }
    return listener
  }

  func tell(_ event: Event) {
    guard !subscription.isClosed else { return }
    if case .next = event { return hear(event) }
    hear(event)
    subscription.close()
  }
}

/// The smallest harness that feeds the project's machines with the vectors. A stream is the function that runs when a
/// listener subscribes. The streams are only harness: the machines inside the operators are tested.
struct RxStream {
  let listen: (Listener) -> Void

  static var never: RxStream { RxStream { _ in } }
  static func of(_ values: [JSON]) -> RxStream {
    RxStream { listener in
      for value in values { listener.tell(.next(value)) }
      listener.tell(.complete)
    }
  }
  static func failing(_ error: JSON) -> RxStream { RxStream { $0.tell(.error(error)) } }

  static func timer(_ delay: Int64, _ time: VirtualTime) -> RxStream {
    RxStream { listener in
      time.schedule(at: time.now + delay) {
        listener.tell(.next(0))
        listener.tell(.complete)
      }
    }
  }

  static func merged(_ streams: [RxStream]) -> RxStream {
    RxStream { listener in
      var open = streams.count
      for stream in streams {
        stream.listen(
          listener.upstream { event in
            if case .complete = event {
              open -= 1
              if open == 0 { listener.tell(.complete) }
            } else {
              listener.tell(event)
            }
          }
        )
      }
      if streams.isEmpty { listener.tell(.complete) }
    }
  }

  static func concatenated(_ streams: ArraySlice<RxStream>) -> RxStream {
    RxStream { listener in
      guard let first = streams.first else { return listener.tell(.complete) }
      first.listen(
        listener.upstream { event in
          if case .complete = event { concatenated(streams.dropFirst()).listen(listener) } else { listener.tell(event) }
        }
      )
    }
  }

  func mapped(_ transform: @escaping (JSON) -> Listener.Event) -> RxStream {
    RxStream { listener in
      listen(
        listener.upstream { event in
          if case .next(let value) = event { listener.tell(transform(value)) } else { listener.tell(event) }
        }
      )
    }
  }

  // MARK: Throttle and debounce: the project's own machines

  func throttled(_ interval: Int64, _ edges: Throttle.Edges, _ time: VirtualTime) -> RxStream {
    RxStream { listener in
      var machine = Throttle(interval: .milliseconds(interval), edges: edges)
      var held: JSON?
      var hasCompleted = false
      func schedule() {
        guard let deadline = machine.deadline else { return }
        time.schedule(at: deadline.nanoseconds / 1_000_000) {
          guard !listener.subscription.isClosed, machine.deadline == deadline else { return }
          if machine.deadlineReached(at: time.instant), let value = held {
            held = nil
            listener.tell(.next(value))
            if hasCompleted { return listener.tell(.complete) }
          }
          schedule()
        }
      }
      listen(
        listener.upstream { event in
          switch event {
          case .next(let value):
            let before = machine.deadline
            switch machine.signal(at: time.instant) {
            case .pass: listener.tell(event)
            case .hold: held = value
            case .drop: break
            }
            if machine.deadline != before { schedule() }
          case .error: listener.tell(event)
          case .complete:
            hasCompleted = true
            if !machine.isHolding { listener.tell(.complete) }
          }
        }
      )
    }
  }

  func debounced(_ interval: Int64, _ time: VirtualTime) -> RxStream {
    RxStream { listener in
      var machine = Debounce(interval: .milliseconds(interval))
      var held: JSON?
      listen(
        listener.upstream { event in
          switch event {
          case .next(let value):
            held = value
            machine.signal(at: time.instant)
            let deadline = machine.deadline
            time.schedule(at: time.now + interval) {
              guard !listener.subscription.isClosed, machine.deadline == deadline else { return }
              if machine.deadlineReached(at: time.instant), let value = held { listener.tell(.next(value)) }
            }
          case .error: listener.tell(event)
          case .complete:
            if machine.flush(), let value = held { listener.tell(.next(value)) }
            listener.tell(.complete)
          }
        }
      )
    }
  }

  // MARK: Flight: the project's own machine

  /// `inner` makes the stream of a value, given the number of streams made before.
  func flown(_ policy: Flight<Int>.Policy, _ inner: @escaping (JSON, Int) -> RxStream) -> RxStream {
    RxStream { listener in
      var flight = Flight<Int>(policy: policy)
      var waiting: [Int: JSON] = [:]
      var running: [Int: Listener] = [:]
      var last = 0
      var made = 0
      var hasCompleted = false
      func begin(_ run: Int, _ value: JSON) {
        let upstream = listener.upstream { event in
          guard case .complete = event else { return listener.tell(event) }
          running[run] = nil
          if let next = flight.ended(run), let value = waiting.removeValue(forKey: next) { begin(next, value) }
          if hasCompleted && flight.isIdle { listener.tell(.complete) }
        }
        running[run] = upstream
        made += 1
        inner(value, made - 1).listen(upstream)
      }
      listen(
        listener.upstream { event in
          switch event {
          case .next(let value):
            last += 1
            switch flight.start(last) {
            case .start: begin(last, value)
            case .replace(let earlier):
              for run in earlier { running.removeValue(forKey: run)?.subscription.close() }
              begin(last, value)
            case .wait: waiting[last] = value
            case .drop: break
            }
          case .error: listener.tell(event)
          case .complete:
            hasCompleted = true
            if flight.isIdle { listener.tell(.complete) }
          }
        }
      )
    }
  }

  // MARK: Skip: harness alone

  func skipping(_ count: Int) -> RxStream {
    RxStream { listener in
      var left = count
      listen(
        listener.upstream { event in
          if case .next = event, left > 0 { left -= 1 } else { listener.tell(event) }
        }
      )
    }
  }

  func skipping(until delay: Int64, _ time: VirtualTime) -> RxStream {
    RxStream { listener in
      var isOpen = false
      time.schedule(at: time.now + delay) { isOpen = true }
      listen(
        listener.upstream { event in
          if case .next = event, !isOpen { return }
          listener.tell(event)
        }
      )
    }
  }
}
