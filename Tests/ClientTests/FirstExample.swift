import Client

/// Fills in the form `login`, taps its action, and waits for the result.
func logIn(email: String, password: String, socketPath: String) throws -> ActionEvent? {
  let connection = try FormConnection(socketPath: socketPath)
  let session = try connection.open("login", SessionOptions(locale: "en"))
  session.onChange = { change in
    if case .updated(let patch, _, _) = change { print(patch) }
  }
  try session.change("email", to: .string(email))
  try session.change("password", to: .string(password))
  for error in session.document.allErrors { print("\(error.path): \(error.message ?? error.code)") }
  let event = try session.tapAndWait("login", timeout: .seconds(30))
  try session.close()
  return event
}
