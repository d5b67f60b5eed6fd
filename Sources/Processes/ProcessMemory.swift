internal import CPrctl

#if canImport(Glibc)
  internal import Glibc
#endif

/// Protects the memory of this process, where secrets are, from other processes.
package enum ProcessMemory {
  /// From now on only root may look: no debugger attaches, no core is dumped, `/proc/PID/mem` does not open (prctl(2),
  /// PR_SET_DUMPABLE). Not in a build with a sanitizer, which has to look.
  package static func hide() {
    if !hasSanitizer { _ = formd_prctl_hide_memory() }
  }

  private static var hasSanitizer: Bool {
    dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
  }
}
