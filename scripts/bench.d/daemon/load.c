// A closed-loop load generator for newline-delimited JSON-RPC over a Unix socket: each connection keeps its number of
// requests in flight.
//
//   gcc -O2 -o load load.c
//   load -s SOCKET -t TEMPLATE -n CONNECTIONS -w DEPTH -r TOTAL [-u WARM-UP] [-p SERVER_PID] [-K KEEP]
//
// In a template, # begins a comment, and ! begins a set-up request, which is sent once per connection. The other lines
// take turns. %d is the request's id, and %s the session that the first set-up request returned. -K adds "keep": KEEP
// to the params of the first set-up request.
// Prints one line of JSON: requests per second, percentiles of the latency, pushes per request, errors, and the CPU
// time of the server per request.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <dirent.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#define MAXT 64
static const char *sock_path = NULL, *tmpl_path = NULL, *cap_key = "session", *id_key = "id", *keep = NULL;
static int N = 1, W = 1, spin = 0, verbose = 0, idle = 0;
static long total = 100000, warm = -1;
static int srv_pid = 0;
static int rcvbuf = 0, braces = 0;
// end of the first complete message in [p,e): pointer to its last byte (newline or closing brace), or NULL
static inline char *msg_end(char *p, char *e) {
  if (!braces)
    return memchr(p, '\n', e - p);
  int d = 0, in = 0;
  for (; p < e; p++) {
    char ch = *p;
    if (in) {
      if (ch == '\\')
        p++;
      else if (ch == '"')
        in = 0;
    } else if (ch == '"')
      in = 1;
    else if (ch == '{')
      d++;
    else if (ch == '}' && --d == 0)
      return p;
  }
  return NULL;
}

typedef struct {
  char *pre, *post;
  size_t npre, npost;
} Rend;
typedef struct {
  int fd;
  int wantout;
  char *rb;
  size_t rcap, rlen;
  char *wb;
  size_t wcap, wlen, woff;
  uint64_t *ts;
  uint32_t mask;
  uint64_t next_id;
  uint64_t tcur;
  int inflight;
  Rend *r;
} Conn;

static char *setup[MAXT];
static int nsetup;
static char *tmpl[MAXT];
static int ntmpl;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + t.tv_nsec;
}
static void die(const char *m) {
  perror(m);
  exit(1);
}

static char *subst(const char *s, const char *pat, const char *rep) {
  size_t lp = strlen(pat), lr = strlen(rep), cap = strlen(s) + 1;
  const char *p = s;
  for (; (p = strstr(p, pat)); p += lp)
    cap += lr;
  char *o = malloc(cap), *q = o;
  p = s;
  const char *n;
  while ((n = strstr(p, pat))) {
    memcpy(q, p, n - p);
    q += n - p;
    memcpy(q, rep, lr);
    q += lr;
    p = n + lp;
  }
  strcpy(q, p);
  return o;
}
static void load_templates(void) {
  FILE *f = fopen(tmpl_path, "r");
  if (!f)
    die(tmpl_path);
  char *line = NULL;
  size_t cap = 0;
  ssize_t n;
  while ((n = getline(&line, &cap, f)) > 0) {
    while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
      line[--n] = 0;
    if (!n || line[0] == '#')
      continue;
    if (line[0] == '!')
      setup[nsetup++] = strdup(line + 1);
    else
      tmpl[ntmpl++] = strdup(line);
    if (nsetup >= MAXT || ntmpl >= MAXT)
      break;
  }
  fclose(f);
  free(line);
  if (keep && nsetup) {
    char params[80];
    snprintf(params, sizeof params, "\"params\":{\"keep\":\"%s\",", keep);
    char *kept = subst(setup[0], "\"params\":{", params);
    free(setup[0]);
    setup[0] = kept;
  }
  if (!ntmpl) {
    fprintf(stderr, "no templates\n");
    exit(1);
  }
}
static int connect_unix(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0)
    die("socket");
  struct sockaddr_un a;
  memset(&a, 0, sizeof a);
  a.sun_family = AF_UNIX;
  strncpy(a.sun_path, sock_path, sizeof a.sun_path - 1);
  for (int i = 0; i < 200; i++) {
    if (connect(fd, (struct sockaddr *)&a, sizeof a) == 0)
      return fd;
    if (errno != EAGAIN && errno != ECONNREFUSED && errno != ENOENT)
      break;
    usleep(10000);
  }
  die("connect");
  return -1;
}
static void write_all(int fd, const char *b, size_t n) {
  while (n) {
    ssize_t k = write(fd, b, n);
    if (k <= 0)
      die("write");
    b += k;
    n -= k;
  }
}

static char idpat[64];
static size_t idpatn;
// raw JSON token after "key": ; returns malloced copy or NULL
static char *capture(const char *line, size_t n, const char *key) {
  char pat[80];
  int pn = snprintf(pat, sizeof pat, "\"%s\":", key);
  const char *p = memmem(line, n, pat, pn);
  if (!p)
    return NULL;
  p += pn;
  const char *e = line + n;
  while (p < e && *p == ' ')
    p++;
  const char *s = p;
  if (p < e && *p == '"') {
    p++;
    while (p < e && *p != '"')
      p++;
    p++;
  } else
    while (p < e && *p != ',' && *p != '}' && *p != ']' && *p != ' ')
      p++;
  return strndup(s, p - s);
}
// blocking request/response used for set-up; buf keeps leftovers
static char *call(Conn *c, const char *req) {
  char idb[32];
  snprintf(idb, sizeof idb, "%llu", (unsigned long long)c->next_id++);
  char *t = subst(req, "%d", idb);
  write_all(c->fd, t, strlen(t));
  write_all(c->fd, "\n", 1);
  free(t);
  for (;;) {
    char *nl;
    while ((nl = msg_end(c->rb, c->rb + c->rlen))) {
      size_t ll = nl - c->rb;
      char *res = NULL;
      char *mp = memmem(c->rb, ll, "\"method\":", 9);
      if (memmem(c->rb, ll, idpat, idpatn) && !mp)
        res = strndup(c->rb, ll);
      memmove(c->rb, nl + 1, c->rlen - ll - 1);
      c->rlen -= ll + 1;
      if (res)
        return res;
    }
    if (c->rlen == c->rcap) {
      c->rcap *= 2;
      c->rb = realloc(c->rb, c->rcap);
    }
    ssize_t k = read(c->fd, c->rb + c->rlen, c->rcap - c->rlen);
    if (k <= 0)
      die("read (setup)");
    c->rlen += k;
  }
}
// blocking: read until the response whose id is `id` arrives
static char *call_wait(Conn *c, uint64_t id) {
  for (;;) {
    char *nl;
    while ((nl = msg_end(c->rb, c->rb + c->rlen))) {
      size_t ll = nl - c->rb;
      char *res = NULL, *q = memmem(c->rb, ll, idpat, idpatn);
      if (q && !memmem(c->rb, ll, "\"method\":", 9) && strtoull(q + idpatn, NULL, 10) == id)
        res = strndup(c->rb, ll);
      memmove(c->rb, nl + 1, c->rlen - ll - 1);
      c->rlen -= ll + 1;
      if (res)
        return res;
    }
    if (c->rlen == c->rcap) {
      c->rcap *= 2;
      c->rb = realloc(c->rb, c->rcap);
    }
    ssize_t k = read(c->fd, c->rb + c->rlen, c->rcap - c->rlen);
    if (k <= 0)
      die("read (wait)");
    c->rlen += k;
  }
}
static void setup_conn(Conn *c) {
  c->fd = connect_unix();
  c->rcap = idle ? 1024 : 65536;
  c->rb = malloc(c->rcap);
  c->rlen = 0;
  c->wcap = idle ? 512 : 65536;
  c->wb = malloc(c->wcap);
  c->wlen = c->woff = 0;
  c->next_id = 1;
  if (rcvbuf) {
    setsockopt(c->fd, SOL_SOCKET, SO_SNDBUF, &rcvbuf, sizeof rcvbuf);
  }
  char *sess = NULL;
  for (int i = 0; i < nsetup; i++) {
    char *rq = sess ? subst(setup[i], "%s", sess) : strdup(setup[i]);
    char *r = call(c, rq);
    free(rq);
    if (verbose)
      fprintf(stderr, "setup: %s\n", r);
    if (memmem(r, strlen(r), "\"error\":{", 9)) {
      fprintf(stderr, "setup error: %s\n", r);
      exit(1);
    }
    if (!sess)
      sess = capture(r, strlen(r), cap_key);
    free(r);
  }
  c->r = calloc(ntmpl, sizeof(Rend));
  for (int i = 0; i < ntmpl; i++) {
    char *t = subst(tmpl[i], "%s", sess ? sess : "1");
    char *p = strstr(t, "%d");
    if (!p) {
      fprintf(stderr, "template without %%d: %s\n", t);
      exit(1);
    }
    c->r[i].npre = p - t;
    c->r[i].pre = strndup(t, p - t);
    size_t l = strlen(p + 2);
    c->r[i].post = malloc(l + 2);
    memcpy(c->r[i].post, p + 2, l);
    c->r[i].post[l] = '\n';
    c->r[i].npost = l + 1;
    free(t);
  }
  free(sess);
}
static inline size_t put_u64(char *o, uint64_t v) {
  char t[20];
  int i = 20;
  do {
    t[--i] = '0' + v % 10;
    v /= 10;
  } while (v);
  memcpy(o, t + i, 20 - i);
  return 20 - i;
}
static inline void enqueue(Conn *c, uint64_t t) {
  Rend *r = &c->r[c->tcur];
  if (++c->tcur == (uint64_t)ntmpl)
    c->tcur = 0;
  size_t need = r->npre + r->npost + 24;
  if (c->wlen + need > c->wcap) {
    while (c->wlen + need > c->wcap)
      c->wcap *= 2;
    c->wb = realloc(c->wb, c->wcap);
  }
  char *o = c->wb + c->wlen;
  memcpy(o, r->pre, r->npre);
  o += r->npre;
  uint64_t id = c->next_id++;
  o += put_u64(o, id);
  memcpy(o, r->post, r->npost);
  o += r->npost;
  c->wlen = o - c->wb;
  c->ts[id & c->mask] = t;
  c->inflight++;
}
static int ep;
static void flush_conn(Conn *c) {
  while (c->woff < c->wlen) {
    ssize_t k = send(c->fd, c->wb + c->woff, c->wlen - c->woff, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (k < 0) {
      if (errno == EAGAIN) {
        if (!c->wantout) {
          struct epoll_event e = {.events = EPOLLIN | EPOLLOUT, .data.ptr = c};
          epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
          c->wantout = 1;
        }
        return;
      }
      die("send");
    }
    c->woff += k;
  }
  c->woff = c->wlen = 0;
  if (c->wantout) {
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
    c->wantout = 0;
  }
}
static uint64_t *lat;
static long nlat;
static int cmpu(const void *a, const void *b) {
  uint64_t x = *(uint64_t *)a, y = *(uint64_t *)b;
  return x < y ? -1 : x > y;
}
static long rss_kb(int pid) {
  char p[64], l[256];
  snprintf(p, sizeof p, "/proc/%d/status", pid);
  FILE *f = fopen(p, "r");
  long v = -1;
  if (!f)
    return -1;
  while (fgets(l, sizeof l, f))
    if (sscanf(l, "VmRSS: %ld", &v) == 1)
      break;
  fclose(f);
  return v;
}
static uint64_t cpu_ns(int pid) {
  char p[400];
  snprintf(p, sizeof p, "/proc/%d/task", pid);
  DIR *d = opendir(p);
  if (!d)
    return 0;
  struct dirent *e;
  uint64_t s = 0;
  while ((e = readdir(d))) {
    if (e->d_name[0] == '.')
      continue;
    snprintf(p, sizeof p, "/proc/%d/task/%s/schedstat", pid, e->d_name);
    FILE *f = fopen(p, "r");
    unsigned long long v;
    if (f) {
      if (fscanf(f, "%llu", &v) == 1)
        s += v;
      fclose(f);
    }
  }
  closedir(d);
  return s;
}

int main(int argc, char **argv) {
  int o;
  while ((o = getopt(argc, argv, "s:t:n:w:r:u:k:i:p:bIvB:jK:")) != -1)
    switch (o) {
    case 's':
      sock_path = optarg;
      break;
    case 't':
      tmpl_path = optarg;
      break;
    case 'n':
      N = atoi(optarg);
      break;
    case 'w':
      W = atoi(optarg);
      break;
    case 'r':
      total = atol(optarg);
      break;
    case 'u':
      warm = atol(optarg);
      break;
    case 'k':
      cap_key = optarg;
      break;
    case 'i':
      id_key = optarg;
      break;
    case 'p':
      srv_pid = atoi(optarg);
      break;
    case 'b':
      spin = 1;
      break;
    case 'I':
      idle = 1;
      break;
    case 'K':
      keep = optarg;
      break;
    case 'v':
      verbose = 1;
      break;
    case 'j':
      braces = 1;
      break;
    case 'B':
      rcvbuf = atoi(optarg);
      break;
    default:
      return 2;
    }
  if (!sock_path || !tmpl_path) {
    fprintf(
        stderr,
        "usage: load -s SOCK -t TEMPLATES [-n conns] [-w depth] [-r total] [-u warmup] [-k session-key] [-i id-key] "
        "[-p server-pid] [-b busy-poll] [-I idle-memory mode] [-j split replies by braces, not newlines] [-K keep] [-v]\n");
    return 2;
  }
  idpatn = snprintf(idpat, sizeof idpat, "\"%s\":", id_key);
  load_templates();
  Conn *cs = calloc(N, sizeof(Conn));
  if (idle) {
    long r0 = srv_pid ? rss_kb(srv_pid) : 0;
    for (int i = 0; i < N; i++)
      setup_conn(&cs[i]);
    usleep(300000);
    long r1 = srv_pid ? rss_kb(srv_pid) : 0;
    for (int i = 0; i < N; i++) { // W changes each, pipelined in one write (W=1: one change)
      Conn *c = &cs[i];
      c->wlen = 0;
      for (int w = 0; w < W; w++) {
        Rend *r = &c->r[w % ntmpl];
        char *nb = c->wb;
        size_t need = c->wlen + r->npre + r->npost + 24;
        if (need > c->wcap) {
          c->wcap = need * 2;
          nb = realloc(nb, c->wcap);
          c->wb = nb;
        }
        memcpy(c->wb + c->wlen, r->pre, r->npre);
        c->wlen += r->npre;
        c->wlen += put_u64(c->wb + c->wlen, c->next_id++);
        memcpy(c->wb + c->wlen, r->post, r->npost);
        c->wlen += r->npost;
      }
      write_all(c->fd, c->wb, c->wlen);
      free(c->wb);
      c->wb = NULL;
      free(call_wait(c, c->next_id - 1));
    }
    usleep(500000);
    long r2 = srv_pid ? rss_kb(srv_pid) : 0;
    printf("{\"conns\":%d,\"rss0_kb\":%ld,\"rss_open_kb\":%ld,\"rss_used_kb\":%ld,\"per_open_bytes\":%.0f,\"per_used_"
           "bytes\":%.0f}\n",
           N, r0, r1, r2, (r1 - r0) * 1024.0 / N, (r2 - r0) * 1024.0 / N);
    return 0;
  }
  if (warm < 0)
    warm = total / 10;
  ep = epoll_create1(0);
  uint32_t ring = 1;
  while (ring < (uint32_t)W * 4)
    ring <<= 1;
  ring *= 2;
  for (int i = 0; i < N; i++) {
    Conn *c = &cs[i];
    setup_conn(c);
    c->ts = calloc(ring, 8);
    c->mask = ring - 1;
    fcntl(c->fd, F_SETFL, O_NONBLOCK);
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &e);
  }
  long all = total + warm;
  lat = malloc(sizeof *lat * (total + 1));
  memset(lat, 0, sizeof *lat * (total + 1));
  long sent = 0, got = 0, push = 0, errs = 0;
  uint64_t bytes = 0, reads = 0;
  uint64_t t0 = 0, c0 = 0;
  struct rusage ru0 = {0}, ru1;
  uint64_t t = now_ns();
  if (!warm) {
    t0 = t;
    c0 = srv_pid ? cpu_ns(srv_pid) : 0;
    getrusage(RUSAGE_SELF, &ru0);
  }
  for (int w = 0; w < W; w++)
    for (int i = 0; i < N && sent < all; i++) {
      enqueue(&cs[i], t);
      sent++;
    }
  for (int i = 0; i < N; i++)
    flush_conn(&cs[i]);
  struct epoll_event ev[256];
  size_t idoff = 0, moff = 0;
  uint64_t tend = 0, c1 = 0;
  long push0 = 0;
  while (got < all) {
    int n;
    if (spin && N == 1) {
      ev[0].events = EPOLLIN;
      ev[0].data.ptr = &cs[0];
      n = 1;
    } else
      n = epoll_wait(ep, ev, 256, spin ? 0 : 5000);
    if (n == 0 && !spin) {
      fprintf(stderr, "stall: got %ld of %ld (sent %ld, push %ld)\n", got, all, sent, push);
      return 3;
    }
    for (int k = 0; k < n; k++) {
      Conn *c = ev[k].data.ptr;
      if (ev[k].events & EPOLLOUT)
        flush_conn(c);
      if (!(ev[k].events & (EPOLLIN | EPOLLHUP)))
        continue;
      if (c->rlen == c->rcap) {
        c->rcap *= 2;
        c->rb = realloc(c->rb, c->rcap);
      }
      ssize_t r = recv(c->fd, c->rb + c->rlen, c->rcap - c->rlen, MSG_DONTWAIT);
      if (r < 0) {
        if (errno == EAGAIN)
          continue;
        die("recv");
      }
      if (r == 0) {
        fprintf(stderr, "server closed\n");
        return 3;
      }
      reads++;
      bytes += r;
      c->rlen += r;
      t = now_ns();
      char *p = c->rb, *e = c->rb + c->rlen, *nl;
      int done = 0;
      while ((nl = msg_end(p, e))) {
        size_t ll = nl - p;
        uint64_t id = 0;
        int isresp = 0;
        char *q = NULL;
        if (ll > idoff + idpatn && !memcmp(p + idoff, idpat, idpatn)) {
          isresp = 1;
          q = p + idoff;
        } else if (ll > moff + 9 && !memcmp(p + moff, "\"method\":", 9))
          isresp = 0;
        else {
          q = memmem(p, ll, "\"method\":", 9);
          if (q) {
            moff = q - p;
            isresp = 0;
          } else {
            q = memmem(p, ll, idpat, idpatn);
            if (q) {
              idoff = q - p;
              isresp = 1;
            }
          }
        }
        if (isresp) {
          q += idpatn;
          while (*q == ' ')
            q++;
          while (*q >= '0' && *q <= '9')
            id = id * 10 + (*q++ - '0');
          if (memmem(q, nl - q, "\"error\":{", 9) || (idoff > 17 && memmem(p, idoff, "\"error\":{", 9))) {
            if (!errs)
              fprintf(stderr, "error reply: %.*s\n", (int)ll, p);
            errs++;
          }
          got++;
          done++;
          c->inflight--;
          if (got == warm) {
            t0 = t;
            c0 = srv_pid ? cpu_ns(srv_pid) : 0;
            getrusage(RUSAGE_SELF, &ru0);
            push0 = push;
          } else if (got > warm && nlat < total) {
            lat[nlat++] = t - c->ts[id & c->mask];
          }
        } else
          push++;
        p = nl + 1;
      }
      c->rlen = e - p;
      if (c->rlen && p != c->rb)
        memmove(c->rb, p, c->rlen);
      if (done && sent < all) {
        uint64_t ts = now_ns();
        for (; done && sent < all; done--) {
          enqueue(c, ts);
          sent++;
        }
        if (!c->wantout)
          flush_conn(c);
      }
    }
  }
  tend = t;
  getrusage(RUSAGE_SELF, &ru1);
  c1 = srv_pid ? cpu_ns(srv_pid) : 0;
  long pushm = push - push0;
  // drain last pushes
  uint64_t dl = now_ns() + 20000000;
  while (now_ns() < dl) {
    int n = epoll_wait(ep, ev, 256, 5);
    if (n <= 0)
      break;
    for (int k = 0; k < n; k++) {
      Conn *c = ev[k].data.ptr;
      ssize_t r = recv(c->fd, c->rb + c->rlen, c->rcap - c->rlen, MSG_DONTWAIT);
      if (r <= 0)
        continue;
      c->rlen += r;
      char *p = c->rb, *e = p + c->rlen, *nl;
      while ((nl = msg_end(p, e))) {
        push++;
        p = nl + 1;
      }
      c->rlen = e - p;
      memmove(c->rb, p, c->rlen);
    }
  }
  (void)pushm;
  qsort(lat, nlat, sizeof *lat, cmpu);
  double sec = (tend - t0) / 1e9;
  double ccpu = ((ru1.ru_utime.tv_sec - ru0.ru_utime.tv_sec) + (ru1.ru_stime.tv_sec - ru0.ru_stime.tv_sec)) * 1e9 +
                ((ru1.ru_utime.tv_usec - ru0.ru_utime.tv_usec) + (ru1.ru_stime.tv_usec - ru0.ru_stime.tv_usec)) * 1e3;
#define P(x) (nlat ? lat[(long)((nlat - 1) * (x))] / 1000.0 : 0)
  printf("{\"n\":%d,\"w\":%d,\"requests\":%ld,\"seconds\":%.4f,\"rps\":%.0f,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_"
         "us\":%.1f,\"max_us\":%.1f,\"pushes_per_req\":%.4f,\"errors\":%ld,\"srv_cpu_ns\":%.0f,\"load_cpu_ns\":%.0f,"
         "\"resp_per_read\":%.1f,\"bytes_per_req\":%.1f,\"rss_kb\":%ld}\n",
         N, W, total, sec, total / sec, P(.5), P(.99), P(.999), P(1.0), (double)push / all, errs,
         srv_pid ? (double)(c1 - c0) / total : 0.0, ccpu / total, (double)all / reads, (double)bytes / all,
         srv_pid ? rss_kb(srv_pid) : 0);
  return errs ? 4 : 0;
}
