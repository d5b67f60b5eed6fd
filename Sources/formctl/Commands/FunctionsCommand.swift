internal import ArgumentParser
internal import CEL
internal import Forms
internal import Texts

/// `formctl functions`: lists the functions that formulas can call.
struct FunctionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "functions",
    abstract: "Print the functions that formulas can call. No daemon is needed.",
    discussion: """
      For each function, the command prints its result in one line, and below it the
      ways to call it, with types. string.contains(string) is called as
      'kim'.contains('i'). A stands for any type. Operators are not listed.

        formctl functions
        formctl functions round years
      """
  )

  @Argument(help: "Print only these functions.") var names: [String] = []

  func run() throws {
    let functions = FormFunctions.summaries
    for name in names where !functions.contains(where: { $0.name == name }) {
      let closest = closestName(to: name, among: functions.map(\.name))
      throw CommandFailure(
        message:
          "there is no function \(name); \(closest.map { "did you mean \($0)?" } ?? "formctl functions lists all")"
      )
    }
    for function in functions where names.isEmpty || names.contains(function.name) {
      Console.say("\(function.name): \(function.line)")
      for signature in function.signatures { Console.say("    \(signature)") }
    }
  }
}
