import Foundation

// Runs one simulation until it finds a violation: `mutants SIMULATION MUTANT`, or `mutants SIMULATION LIVES` for that
// many lives without a mutant. The switches of the mutants read the same arguments. Exit 1: there is a violation; 0:
// there is none.

let arguments = CommandLine.arguments
guard arguments.count == 3, let simulation = MutantHunt(rawValue: arguments[1]) else {
  print("mutants: expected the name of a simulation, and a mutant or a number of lives")
  exit(2)
}
let lives = Int(arguments[2]) ?? simulation.livesMax
if let found = simulation.firstViolation(in: lives) {
  print("life \(found.life): \(found.violation)")
  exit(1)
}
print("nothing in \(lives) lives")
