#if canImport(Glibc)
  internal import Glibc
#endif

/// The access that users other than the process's user and root have to a file.
///
/// The group of the process is not another user. With `root:formd` and the mode 0640, only root can write the file, and
/// only root and the daemon can read it.
struct FileAccess {
  let othersMayRead: Bool
  let othersMayWrite: Bool

  /// The access to the file at a path; nil for a missing file, and for a file that is not regular.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // Root may check the file of another user. Then the group of that user is not known.
    let groupIsOwn = status.st_gid == getegid() || geteuid() == 0
    let ownerIsOwn = status.st_uid == geteuid() || status.st_uid == 0 || geteuid() == 0
    let others = status.st_mode & (groupIsOwn ? 0o007 : 0o077)
    othersMayRead = !ownerIsOwn || others & 0o044 != 0
    othersMayWrite = !ownerIsOwn || others & 0o022 != 0
  }
}
