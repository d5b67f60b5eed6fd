// Records what daemons read from their clients and write to them. witness.py reads the recordings.
//
// The end-to-end tests load this library into each program (LD_PRELOAD, ld.so(8)); in programs other than formd it does
// nothing. So the witness sees the messages of every client, and no client and no daemon notices.
//
// A recording is a file per process in the folder $FORMD_RECORDINGS. It is a sequence of pieces: a header of three
// 32-bit numbers (the connection, 0 for bytes to the daemon and 1 for bytes to the client, the count), and the bytes.
// A piece without bytes is the end of what the client sends.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { descriptorsMax = 1 << 16, piecesMax = 64 };

/// The recording; -1 if this process is not recorded.
static int recording = -1;
/// The number of the client's connection that each descriptor is; 0 if it is none.
static uint32_t connections[descriptorsMax];
static uint32_t lastConnection;

static ssize_t (*next_read)(int, void *, size_t);
static ssize_t (*next_write)(int, const void *, size_t);
static ssize_t (*next_writev)(int, const struct iovec *, int);
static int (*next_accept4)(int, struct sockaddr *, socklen_t *, int);
static int (*next_close)(int);

/// Finds the functions of the system. Libraries that are initialized earlier may call them.
static void find(void) {
  next_writev = dlsym(RTLD_NEXT, "writev");
  next_write = dlsym(RTLD_NEXT, "write");
  next_accept4 = dlsym(RTLD_NEXT, "accept4");
  next_close = dlsym(RTLD_NEXT, "close");
  next_read = dlsym(RTLD_NEXT, "read");
}

__attribute__((constructor)) static void begin(int argumentCount, char **arguments) {
  if (!next_read) find();
  const char *folder = getenv("FORMD_RECORDINGS");
  if (!folder || strcmp(program_invocation_short_name, "formd") != 0) return;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld-%ld.%09ld", folder, (long)getpid(), (long)now.tv_sec, now.tv_nsec);
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // A standard stream that is closed stays closed.
  recording = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  next_close(file);
  for (int index = 1; index < argumentCount; index++) {
    if (strcmp(arguments[index], "--stdio") == 0) {
      connections[STDIN_FILENO] = connections[STDOUT_FILENO] = lastConnection = 1;
    }
  }
}

static uint32_t connection(int descriptor) {
  return recording >= 0 && descriptor >= 0 && descriptor < descriptorsMax ? connections[descriptor] : 0;
}

/// Records the first `count` bytes of the pieces.
static void record(int descriptor, uint32_t direction, const struct iovec *pieces, int pieceCount, ssize_t count) {
  int error = errno;
  uint32_t number = connections[descriptor];
  uint32_t header[3] = {number, direction, (uint32_t)count};
  struct iovec whole[piecesMax + 1] = {{header, sizeof header}};
  int wholeCount = 1;
  for (int index = 0; index < pieceCount && count > 0; index++) {
    size_t length = pieces[index].iov_len < (size_t)count ? pieces[index].iov_len : (size_t)count;
    count -= length;
    whole[wholeCount++] = (struct iovec){pieces[index].iov_base, length};
  }
  next_writev(recording, whole, wholeCount);
  errno = error;
}

ssize_t read(int descriptor, void *bytes, size_t length) {
  if (!next_read) find();
  ssize_t count = next_read(descriptor, bytes, length);
  if (count >= 0 && connection(descriptor)) record(descriptor, 0, &(struct iovec){bytes, length}, 1, count);
  return count;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (!next_read) find();
  ssize_t count = next_write(descriptor, bytes, length);
  if (count > 0 && connection(descriptor)) record(descriptor, 1, &(struct iovec){(void *)bytes, length}, 1, count);
  return count;
}

ssize_t writev(int descriptor, const struct iovec *pieces, int pieceCount) {
  if (!next_read) find();
  // A short write is one that the caller must expect.
  if (pieceCount > piecesMax && connection(descriptor)) pieceCount = piecesMax;
  ssize_t count = next_writev(descriptor, pieces, pieceCount);
  if (count > 0 && connection(descriptor)) record(descriptor, 1, pieces, pieceCount, count);
  return count;
}

int accept4(int listening, struct sockaddr *address, socklen_t *length, int flags) {
  if (!next_read) find();
  int descriptor = next_accept4(listening, address, length, flags);
  if (recording < 0 || descriptor < 0 || descriptor >= descriptorsMax) return descriptor;
  int domain = 0;
  socklen_t size = sizeof domain;
  getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  connections[descriptor] = domain == AF_UNIX ? __atomic_add_fetch(&lastConnection, 1, __ATOMIC_RELAXED) : 0;
  return descriptor;
}

int close(int descriptor) {
  if (!next_read) find();
  if (descriptor >= 0 && descriptor < descriptorsMax) connections[descriptor] = 0;
  return next_close(descriptor);
}
