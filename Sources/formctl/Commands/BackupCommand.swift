internal import ArgumentParser
internal import Client
internal import Files

/// `formctl backup`: copies the store of kept sessions while the daemon runs.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the SQLite store of kept sessions while the daemon runs.",
    discussion: """
      The daemon writes the copy, for its own user alone. The copy has every change
      that was answered before the command. Answers of kept sessions wait until the
      copy is written. Exit status 2 if the daemon has no such store, if the file
      exists, or if the daemon cannot write it.

        formctl backup /var/lib/formd/backup.sqlite
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The file to make. It must not exist.") var file: String

  func run() throws {
    let path = file.hasPrefix("/") ? file : "\(try workingFolder())/\(file)"
    let bytes = try connection.connect().backUpStore(to: path)
    Console.say("\(path): \(bytes) bytes")
  }

  private func workingFolder() throws -> String {
    do throws(SystemError) {
      return try FileIdentity.realPath(of: ".")
    } catch {
      throw CommandFailure(message: "the current folder cannot be found: \(error)")
    }
  }
}
