internal import CPrctl

#if canImport(Glibc)
  internal import Glibc
#endif

/// Who may look into the memory of this process, where secrets are.
package enum ProcessMemory {
  /// From now on nobody may, but root: no debugger attaches, no core is dumped, `/proc/PID/mem` does not open (prctl(2), PR_SET_DUMPABLE).
  /// Not in a build with a sanitizer, which has to look.
  package static func hide() {
    if !hasSanitizer { _ = formd_prctl_hide_memory() }
  }

  private static var hasSanitizer: Bool {
    dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }
}
