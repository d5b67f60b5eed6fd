internal import ArgumentParser

/// `formctl schema`: the commands for JSON Schema without forms.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Check a JSON Schema, or validate files with it. No daemon is needed.",
    discussion: """
      The drafts 4, 6, 7, 2019-09 and 2020-12 are known. A schema names its draft with
      $schema; one that does not is of the draft of --draft, or of the schema that
      refers to it. The drafts' own schemas need no file.

      Numbers of any length are compared as the decimals that they are.

      A reference to another file is followed from where the schema lies. Where
      schemas with addresses are is said with --references. Nothing is fetched from a
      network.
      """,
    subcommands: [SchemaCheckCommand.self, SchemaValidateCommand.self]
  )
}
