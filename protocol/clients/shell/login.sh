#!/bin/sh
# A login with formd from a shell. nc -U (netcat-openbsd) or socat sends the lines, and jq (1.6 or later) reads them.
#
#   login.sh [EMAIL [PASSWORD]]          the socket: FORMD_SOCKET, else the daemon's default
#
# Exit status: 0 logged in, 1 refused, 2 no valid answer.
set -eu

email=${1:-kim@example.com}
password=${2:-hunter2}

# The daemon's default: in the runtime folder, else in a folder in /tmp, which must belong to this user.
runtime=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
private=/tmp/formd-$(id -u)
if [ -n "${FORMD_SOCKET:-}" ]; then
  socket=$FORMD_SOCKET
elif [ -n "${XDG_RUNTIME_DIR:-}" ] || [ -O "$runtime" ]; then
  socket=$runtime/formd/formd.sock
else
  socket=$private/formd.sock
  [ -O "$private" ] && [ ! -L "$private" ] || { echo "login.sh: no daemon: $private does not exist, or belongs to another user" >&2; exit 2; }
fi

[ -S "$socket" ] || { echo "login.sh: no daemon at $socket; scripts/quickstart starts one" >&2; exit 2; }

# Without -N, nc would wait for ever after the last line. Without -t, socat would end half a second after it.
carry() {
  if [ "${FORMD_CARRIER:-}" != socat ] && command -v nc >/dev/null 2>&1; then
    nc -N -U "$socket"
  else
    socat -t30 - "UNIX-CONNECT:$socket"
  fi
}

# The whole conversation is sent at once. Inputs take effect in the order in which they are written, and the daemon
# finishes accepted requests after the end of the input. `session` is left out, because this connection has exactly one.
# With `await`, the answer to the tap has its outcome.
answers=$(
  jq -nc --arg email "$email" --arg password "$password" '
    {id: 1, method: "session/open", params: {form: "login"}},
    {id: 2, method: "field/change", params: {values: {email: $email, password: $password}, commit: true}},
    {id: 3, method: "action/tap", params: {action: "login", await: true}}
    | {jsonrpc: "2.0"} + .' | carry
) || { echo "login.sh: the connection to $socket ended early" >&2; exit 2; }

# -s reads all lines of the daemon, in their order. The document is the document of session/open with every patch merged
# into it. jq has no merge patch (RFC 7396), so `merge` is defined here.
printf '%s\n' "$answers" | jq -sr '
  def merge($patch):
    if ($patch | type) != "object" then $patch
    else reduce ($patch | to_entries[]) as $member ((if type == "object" then . else {} end);
      if $member.value == null then del(.[$member.key])
      else .[$member.key] = (.[$member.key] | merge($member.value)) end)
    end;
  (map(select(.error)) | first) as $refusal
  | (map(select(.id == 3)) | first | .result.event) as $event
  | (reduce (.[] | select(.method == "session/update") | .params.patch) as $patch
      (map(select(.id == 1)) | first | .result.document; merge($patch))) as $document
  | if $refusal then "the daemon refused: \($refusal.error.message)"
    elif $event == null then "no answer to the tap"
    else ($document.messages // {} | to_entries[] | "\(.key): \(.value)"), ($event.message // empty),
      "\($event.kind): \($event | .result // .error // .blockers | tojson)"
    end'

kind=$(printf '%s\n' "$answers" | jq -r 'select(.id == 3) | .result.event.kind // empty')
case $kind in
  succeeded) exit 0 ;;
  failed | rejected | dropped | superseded) exit 1 ;;
  *) exit 2 ;;
esac
