import Forms
import JSON
import Randomness
import Sessions

/// Lives of one random form, and the shortest one that shows a violation.
struct SimulationRun {
  let seed: UInt64
  let plan: RandomForm
  let form: Form
  /// A form that a reload might bring instead; only some have one, since compiling costs more than living.
  private let otherForm: Form?
  private let engine: Engine
  private let wallClock: SimulatedWallClock

  /// nil when chance made a form that the compiler refuses (a circle, say).
  ///
  /// - Parameter shared: an engine that other runs use, too, with its wall clock.
  init?(formSeed: UInt64, on shared: (engine: Engine, wallClock: SimulatedWallClock) = Self.newEngine()) {
    let plan = RandomForm(seed: formSeed)
    guard let form = Form.compile(.object(plan.definition)).form else { return nil }
    seed = formSeed
    self.plan = plan
    self.form = form
    otherForm = formSeed % 4 == 0 ? Form.compile(.object(RandomForm(seed: ~formSeed).definition)).form : nil
    engine = shared.engine
    wallClock = shared.wallClock
  }

  /// A new, unused engine, with its wall clock.
  static func newEngine() -> (engine: Engine, wallClock: SimulatedWallClock) {
    let wallClock = SimulatedWallClock()
    return (Engine(wallClock: { wallClock.time }), wallClock)
  }

  /// The history of one life.
  func history(life: Int) -> [RandomStep] {
    var random = SeededGenerator(seed: lifeSeed(life))
    return (0..<(4 + random.below(12))).map { _ in RandomStep(for: plan, random: &random) }
  }

  func lifeSeed(_ life: Int) -> UInt64 { seed &* 1_000_003 &+ UInt64(life) }

  /// Runs the life; returns the finding, and the number of turns.
  func live(_ steps: [RandomStep], life: Int) -> (finding: Finding?, turns: Int) {
    var simulation = Simulation(plan, form, seed: lifeSeed(life), on: engine, wallClock, otherForm: otherForm)
    if simulation.finding == nil { simulation.run(steps) }
    return (simulation.finding, simulation.turns)
  }

  /// The report of a life that shows a violation: the seed, the form, and as few steps as still show it.
  func report(_ finding: Finding, _ steps: [RandomStep], life: Int) -> String {
    var shortest = Array(steps.prefix(finding.step + 1))
    var last = live(shortest, life: life).finding ?? finding
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      for index in shortest.indices.reversed() where shortest.indices.contains(index) {
        var shorter = shortest
        shorter.remove(at: index)
        if let found = live(shorter, life: life).finding {
          shortest = shorter
          last = found
          hasShrunk = true
        }
      }
    }
    let lines = shortest.enumerated().map { "  \($0.offset): \($0.element)" }.joined(separator: "\n")
    return """
      FORMD_SIMULATION_SEED=\(seed) life \(life)
      \(JSON.object(plan.definition))
      \(lines)
      \(last)
      """
  }
}
