// Servers to which formd is compared: one thread, epoll, one hard-coded rule, and answers written by hand.
//
//   gcc -O2 -o floor floor.c $(pkg-config --cflags --libs jansson sqlite3 libpq)
//   floor SOCKET hand          jansson reads ("c-hand")
//   floor SOCKET raw           a hand-written scanner reads; jansson reads messages that the scanner does not recognize
//                              ("c-raw")
//   floor SOCKET sqlite FILE   as hand, and the session is written into a SQLite file before each answer, as in any
//                              server that keeps its sessions there: one INSERT ... ON CONFLICT per change, in a
//                              transaction of its own (WAL, synchronous=NORMAL) ("c-sqlite")
//   floor SOCKET postgres URL  as sqlite, in a database of PostgreSQL: the statement is prepared, and each change is
//                              one round trip ("c-postgres")
//
// The protocol is the protocol of login.yardstick.txt: session.open and field.change.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <endian.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <jansson.h>
#include <libpq-fe.h>
#include <sqlite3.h>

typedef struct {
  char *v;
  int n, cap;
  int valid;
  const char *msg;
} Field;
typedef struct {
  long id;
  long rev;
  Field f[2];
  int valid;
} Session;
typedef struct {
  int fd;
  int wantout;
  char *rb;
  size_t rlen, rcap;
  char *ob;
  size_t olen, ocap, ooff;
} Conn;
static Session **ss;
static long nss, css;
static int ep;
static char rbuf[65536 + 1]; // shared read buffer; a conn owns memory only for partial lines
static char *obuf;
static size_t on, ocap; // shared output batch

static inline void room(size_t n) {
  if (on + n > ocap) {
    while (on + n > ocap)
      ocap *= 2;
    obuf = realloc(obuf, ocap);
  }
}
static inline void puts_(const char *s, size_t n) {
  memcpy(obuf + on, s, n);
  on += n;
}
#define LIT(s) puts_(s, sizeof(s) - 1)
static inline void putn(int64_t v) {
  char t[24];
  int i = 24;
  uint64_t u = v < 0 ? -(uint64_t)v : v;
  do {
    t[--i] = '0' + u % 10;
    u /= 10;
  } while (u);
  if (v < 0)
    t[--i] = '-';
  puts_(t + i, 24 - i);
}
static void puts_json(const char *s, size_t n) {
  static const char hx[] = "0123456789abcdef";
  obuf[on++] = '"';
  for (size_t i = 0; i < n; i++) {
    unsigned char c = s[i];
    if (c == '"' || c == '\\') {
      obuf[on++] = '\\';
      obuf[on++] = c;
    } else if (c < 0x20) {
      memcpy(obuf + on, "\\u00", 4);
      on += 4;
      obuf[on++] = hx[c >> 4];
      obuf[on++] = hx[c & 15];
    } else
      obuf[on++] = c;
  }
  obuf[on++] = '"';
}

static void dump(json_t *j) {
  size_t n = json_dumpb(j, obuf + on, ocap - on, JSON_COMPACT);
  if (n > ocap - on) {
    room(n + 1);
    n = json_dumpb(j, obuf + on, ocap - on, JSON_COMPACT);
  }
  on += n;
  room(1);
  obuf[on++] = '\n';
}

static const char *check_email(const char *v, size_t n) {
  if (!n)
    return "required";
  const char *a = memchr(v, '@', n);
  if (!a || a == v)
    return "not an e-mail address";
  if (!memchr(a, '.', n - (a - v)))
    return "not an e-mail address";
  return NULL;
}
static const char *check_pw(const char *v, size_t n) {
  (void)v;
  return n < 8 ? "too short" : NULL;
}

static Session *open_session(void) {
  Session *s = calloc(1, sizeof *s);
  if (nss == css) {
    css = css ? css * 2 : 64;
    ss = realloc(ss, css * sizeof *ss);
  }
  s->id = ++nss;
  ss[nss - 1] = s;
  s->f[0].msg = "required";
  s->f[1].msg = "too short";
  return s;
}
static Session *find_session(int64_t id) {
  return id > 0 && id <= nss ? ss[id - 1] : NULL;
}
// returns 1 if outputs changed
static int change(Session *s, int fi, const char *v, size_t n) {
  Field *f = &s->f[fi];
  if ((int)n > f->cap) {
    f->cap = n * 2;
    f->v = realloc(f->v, f->cap);
  }
  memcpy(f->v, v, n);
  f->n = n;
  s->rev++;
  const char *m = fi == 0 ? check_email(v, n) : check_pw(v, n);
  int valid = (fi == 0 ? !m : !s->f[0].msg) && (fi == 1 ? !m : !s->f[1].msg);
  int ch = m != f->msg || valid != s->valid;
  f->msg = m;
  f->valid = !m;
  s->valid = valid;
  return ch;
}
static const char *const fname[2] = {"email", "password"};

// writes a session into the store; NULL: there is none
static void (*write_session)(Session *);

static sqlite3_stmt *in_sqlite;
static void write_sqlite(Session *s) {
  sqlite3_bind_int64(in_sqlite, 1, s->id);
  sqlite3_bind_int64(in_sqlite, 2, s->rev);
  sqlite3_bind_text(in_sqlite, 3, s->f[0].n ? s->f[0].v : "", s->f[0].n, SQLITE_STATIC);
  if (sqlite3_step(in_sqlite) != SQLITE_DONE) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(sqlite3_db_handle(in_sqlite)));
    exit(1);
  }
  sqlite3_reset(in_sqlite);
}
static void open_sqlite(const char *path) {
  sqlite3 *db;
  if (sqlite3_open(path, &db) != SQLITE_OK ||
      sqlite3_exec(db,
                   "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                   "CREATE TABLE sessions (id INTEGER PRIMARY KEY, rev INTEGER NOT NULL, email TEXT NOT NULL) STRICT",
                   NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v3(db,
                         "INSERT INTO sessions VALUES (?1, ?2, ?3) "
                         "ON CONFLICT (id) DO UPDATE SET rev = excluded.rev, email = excluded.email",
                         -1, SQLITE_PREPARE_PERSISTENT, &in_sqlite, NULL) != SQLITE_OK) {
    fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(db));
    exit(1);
  }
  write_session = write_sqlite;
}

static PGconn *in_postgres;
static void done_postgres(PGresult *r) {
  if (PQresultStatus(r) != PGRES_COMMAND_OK) {
    fprintf(stderr, "%s\n", PQerrorMessage(in_postgres));
    exit(1);
  }
  PQclear(r);
}
static void write_postgres(Session *s) {
  // PostgreSQL's binary form: integers are big-endian
  int64_t id = htobe64(s->id), rev = htobe64(s->rev);
  const char *values[] = {(char *)&id, (char *)&rev, s->f[0].n ? s->f[0].v : ""};
  int lengths[] = {sizeof id, sizeof rev, s->f[0].n}, formats[] = {1, 1, 1};
  done_postgres(PQexecPrepared(in_postgres, "write", 3, values, lengths, formats, 1));
}
static void open_postgres(const char *url) {
  in_postgres = PQconnectdb(url);
  done_postgres(PQexec(in_postgres, "CREATE TABLE sessions (id bigint PRIMARY KEY, rev bigint NOT NULL, email text NOT NULL)"));
  done_postgres(PQprepare(in_postgres, "write",
                          "INSERT INTO sessions VALUES ($1, $2, $3) "
                          "ON CONFLICT (id) DO UPDATE SET rev = excluded.rev, email = excluded.email",
                          0, NULL));
  write_session = write_postgres;
}
static void reply_err(json_t *id, int code, const char *msg) {
  json_t *r = json_pack("{s:s,s:O?,s:{s:i,s:s}}", "jsonrpc", "2.0", "id", id, "error", "code", code, "message", msg);
  dump(r);
  json_decref(r);
}

static void out_change_hand(int64_t id, Session *s, int fi, int ch) {
  room(512);
  LIT("{\"jsonrpc\":\"2.0\",\"id\":");
  putn(id);
  LIT(",\"result\":{\"rev\":");
  putn(s->rev);
  LIT("}}\n");
  if (ch) {
    LIT("{\"jsonrpc\":\"2.0\",\"method\":\"session.update\",\"params\":{\"session\":");
    putn(s->id);
    LIT(",\"rev\":");
    putn(s->rev);
    LIT(",\"isValid\":");
    if (s->valid)
      LIT("true");
    else
      LIT("false");
    LIT(",\"messages\":{");
    puts_json(fname[fi], strlen(fname[fi]));
    LIT(":");
    if (s->f[fi].msg)
      puts_json(s->f[fi].msg, strlen(s->f[fi].msg));
    else
      LIT("null");
    LIT("}}}\n");
  }
}
static void on_line_jansson(char *p, size_t n) {
  json_error_t e;
  json_t *r = json_loadb(p, n, JSON_REJECT_DUPLICATES, &e);
  if (!r) {
    reply_err(NULL, -32700, "parse error");
    return;
  }
  json_t *id = json_object_get(r, "id");
  const char *m = json_string_value(json_object_get(r, "method"));
  json_t *pa = json_object_get(r, "params");
  const char *v = json_string_value(json_object_get(r, "jsonrpc"));
  if (!v || strcmp(v, "2.0") || !m) {
    reply_err(id, -32600, "invalid request");
    json_decref(r);
    return;
  }
  if (!strcmp(m, "field.change")) {
    Session *s = find_session(json_integer_value(json_object_get(pa, "session")));
    const char *f = json_string_value(json_object_get(pa, "field"));
    json_t *val = json_object_get(pa, "value");
    if (!s || !f || !json_is_string(val)) {
      reply_err(id, -32602, "invalid params");
      json_decref(r);
      return;
    }
    int fi = !strcmp(f, "email") ? 0 : !strcmp(f, "password") ? 1 : -1;
    if (fi < 0) {
      reply_err(id, -32602, "no such field");
      json_decref(r);
      return;
    }
    int ch = change(s, fi, json_string_value(val), json_string_length(val));
    if (!json_is_integer(id)) {
      reply_err(id, -32600, "the id must be an integer");
      json_decref(r);
      return;
    }
    if (write_session)
      write_session(s);
    out_change_hand(json_integer_value(id), s, fi, ch);
  } else if (!strcmp(m, "session.open")) {
    Session *s = open_session();
    json_t *x = json_pack("{s:s,s:O?,s:{s:I}}", "jsonrpc", "2.0", "id", id, "result", "session", (json_int_t)s->id);
    dump(x);
    json_decref(x);
  } else
    reply_err(id, -32601, "method not found");
  json_decref(r);
}
// --- raw: a small strict-enough scanner for flat {"k":v,...,"params":{...}} ---
typedef struct {
  const char *p, *e;
} Sc;
static inline void ws(Sc *s) {
  while (s->p < s->e && (*s->p == ' ' || *s->p == '\t' || *s->p == '\r'))
    s->p++;
}
static inline int str(Sc *s, const char **b, size_t *n) {
  if (s->p >= s->e || *s->p != '"')
    return 0;
  const char *q = ++s->p;
  for (; q < s->e; q++) {
    if (*q == '"') {
      *b = s->p;
      *n = q - s->p;
      s->p = q + 1;
      return 1;
    }
    if (*q == '\\' || (unsigned char)*q < 0x20)
      return 0;
  }
  return 0;
}
static inline int num(Sc *s, int64_t *v) {
  int neg = 0;
  int64_t x = 0;
  if (s->p < s->e && *s->p == '-') {
    neg = 1;
    s->p++;
  }
  if (s->p >= s->e || *s->p < '0' || *s->p > '9')
    return 0;
  while (s->p < s->e && *s->p >= '0' && *s->p <= '9')
    x = x * 10 + (*s->p++ - '0');
  *v = neg ? -x : x;
  return 1;
}
#define IS(b, n, l) ((n) == sizeof(l) - 1 && !memcmp(b, l, sizeof(l) - 1))
static int on_line_raw(char *p, size_t n) {
  Sc s = {p, p + n};
  int64_t id = 0, sess = 0;
  const char *m = 0, *f = 0, *v = 0, *ver = 0;
  size_t mn = 0, fn = 0, vn = 0, vern = 0;
  int hasid = 0, depth = 0;
  ws(&s);
  if (s.p >= s.e || *s.p != '{')
    return 0;
  s.p++;
  depth = 1;
  for (;;) {
    const char *k;
    size_t kn;
    ws(&s);
    if (!str(&s, &k, &kn))
      return 0;
    ws(&s);
    if (s.p >= s.e || *s.p != ':')
      return 0;
    s.p++;
    ws(&s);
    if (depth == 1) {
      if (IS(k, kn, "id")) {
        if (!num(&s, &id))
          return 0;
        hasid = 1;
      } else if (IS(k, kn, "method")) {
        if (!str(&s, &m, &mn))
          return 0;
      } else if (IS(k, kn, "jsonrpc")) {
        if (!str(&s, &ver, &vern))
          return 0;
      } else if (IS(k, kn, "params")) {
        if (s.p >= s.e || *s.p != '{')
          return 0;
        s.p++;
        depth = 2;
        continue;
      } else
        return 0;
    } else {
      if (IS(k, kn, "session")) {
        if (!num(&s, &sess))
          return 0;
      } else if (IS(k, kn, "field")) {
        if (!str(&s, &f, &fn))
          return 0;
      } else if (IS(k, kn, "value")) {
        if (!str(&s, &v, &vn))
          return 0;
      } else
        return 0;
    }
    for (;;) {
      ws(&s);
      if (s.p >= s.e)
        return 0;
      if (*s.p == ',') {
        s.p++;
        break;
      }
      if (*s.p == '}') {
        s.p++;
        if (--depth == 0)
          goto done;
        continue;
      }
      return 0;
    }
  }
done:
  ws(&s);
  if (s.p != s.e || !hasid || !IS(ver, vern, "2.0") || !IS(m, mn, "field.change") || !f || !v)
    return 0;
  Session *S = find_session(sess);
  if (!S)
    return 0;
  int fi = IS(f, fn, "email") ? 0 : IS(f, fn, "password") ? 1 : -1;
  if (fi < 0)
    return 0;
  int ch = change(S, fi, v, vn);
  out_change_hand(id, S, fi, ch);
  return 1;
}
static void flush_conn(Conn *c) {
  // obuf[0..on) belongs to c (after any backlog)
  size_t off = 0;
  if (!c->olen)
    while (off < on) {
      ssize_t k = send(c->fd, obuf + off, on - off, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (k < 0) {
        if (errno == EINTR)
          continue;
        break;
      }
      off += k;
    }
  if (off < on) {
    size_t rest = on - off;
    if (c->olen + rest > c->ocap) {
      c->ocap = (c->olen + rest) * 2;
      c->ob = realloc(c->ob, c->ocap);
    }
    memcpy(c->ob + c->olen, obuf + off, rest);
    c->olen += rest;
    if (!c->wantout) {
      c->wantout = 1;
      struct epoll_event e = {.events = EPOLLIN | EPOLLOUT, .data.ptr = c};
      epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
    }
  }
  on = 0;
}
static void drain(Conn *c) {
  while (c->ooff < c->olen) {
    ssize_t k = send(c->fd, c->ob + c->ooff, c->olen - c->ooff, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (k < 0)
      return;
    c->ooff += k;
  }
  c->olen = c->ooff = 0;
  c->wantout = 0;
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &e);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  int is_raw = !strcmp(argv[2], "raw");
  if (!strcmp(argv[2], "sqlite") && argc == 4)
    open_sqlite(argv[3]);
  else if (!strcmp(argv[2], "postgres") && argc == 4)
    open_postgres(argv[3]);
  else if ((!is_raw && strcmp(argv[2], "hand")) || argc != 3)
    return 2;
  ocap = 1 << 18;
  obuf = malloc(ocap);
  int ls = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_un a = {.sun_family = AF_UNIX};
  strncpy(a.sun_path, argv[1], sizeof a.sun_path - 1);
  unlink(argv[1]);
  if (bind(ls, (void *)&a, sizeof a) || listen(ls, 512)) {
    perror("bind");
    return 1;
  }
  ep = epoll_create1(0);
  struct epoll_event e = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(ep, EPOLL_CTL_ADD, ls, &e);
  struct epoll_event ev[128];
  for (;;) {
    int n = epoll_wait(ep, ev, 128, -1);
    for (int i = 0; i < n; i++) {
      Conn *c = ev[i].data.ptr;
      if (!c) {
        int fd;
        while ((fd = accept4(ls, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
          c = calloc(1, sizeof *c);
          c->fd = fd;
          struct epoll_event x = {.events = EPOLLIN, .data.ptr = c};
          epoll_ctl(ep, EPOLL_CTL_ADD, fd, &x);
        }
        continue;
      }
      if (ev[i].events & EPOLLOUT)
        drain(c);
      if (!(ev[i].events & (EPOLLIN | EPOLLHUP)))
        continue;
      char *b = rbuf;
      size_t have = 0;
      if (c->rlen) {
        memcpy(rbuf, c->rb, c->rlen);
        have = c->rlen;
      }
      ssize_t k = recv(c->fd, rbuf + have, 65536 - have, 0);
      if (k <= 0) {
        if (k < 0 && errno == EAGAIN)
          continue;
        close(c->fd);
        free(c->rb);
        free(c->ob);
        free(c);
        continue;
      }
      char *end = rbuf + have + k, *nl;
      *end = 0;
      while ((nl = memchr(b, '\n', end - b))) {
        size_t n2 = nl - b;
        room(4096);
        if (!(is_raw && on_line_raw(b, n2)))
          on_line_jansson(b, n2);
        b = nl + 1;
      }
      size_t rest = end - b;
      if (rest) {
        if (rest > c->rcap) {
          c->rcap = rest * 2 < 1024 ? 1024 : rest * 2;
          c->rb = realloc(c->rb, c->rcap);
        }
        memcpy(c->rb, b, rest);
      }
      c->rlen = rest;
      if (on)
        flush_conn(c);
    }
  }
}
