internal import ArgumentParser

/// `formctl schema`: the commands for JSON Schema without forms.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Check a JSON Schema, or validate files with it. No daemon is needed.",
    discussion: """
      The command supports the drafts 4, 6, 7, 2019-09 and 2020-12. A schema names its
      draft with $schema. A schema without $schema has the draft of --draft, or the
      draft of the schema that refers to it. The drafts' own schemas need no file.

      Numbers of any length are compared exactly, as decimal numbers.

      References to files are relative to the schema's folder. --references gives the
      files of schemas with addresses. The command never uses the network.
      """,
    subcommands: [SchemaCheckCommand.self, SchemaValidateCommand.self]
  )
}
