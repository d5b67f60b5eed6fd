#!/bin/sh
# A login with formd from a shell: nc -U (netcat-openbsd) or socat carries the lines, jq (1.6 or later) reads them.
#
#   login.sh [EMAIL [PASSWORD]]          the socket: FORMD_SOCKET, else the daemon's default
#
# Exit status: 0 logged in, 1 refused, 2 no answer that makes sense.
set -eu

email=${1:-kim@example.com}
password=${2:-hunter2}

# The daemon's default: in the runtime folder, else in a private folder in /tmp, which must be ours.
runtime=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
private=/tmp/formd-$(id -u)
if [ -n "${FORMD_SOCKET:-}" ]; then
  socket=$FORMD_SOCKET
elif [ -n "${XDG_RUNTIME_DIR:-}" ] || [ -O "$runtime" ]; then
  socket=$runtime/formd/formd.sock
else
  socket=$private/formd.sock
  [ -O "$private" ] && [ ! -L "$private" ] || { echo "login.sh: no daemon: $private is not there or not yours" >&2; exit 2; }
fi

[ -S "$socket" ] || { echo "login.sh: no daemon at $socket; scripts/quickstart starts one" >&2; exit 2; }

# nc needs -N, or it keeps waiting after the last line; socat needs -t, or it gives up half a second after it.
carry() {
  if [ "${FORMD_CARRIER:-}" != socat ] && command -v nc >/dev/null 2>&1; then
    nc -N -U "$socket"
  else
    socat -t30 - "UNIX-CONNECT:$socket"
  fi
}

# The whole conversation goes out at once: inputs take effect in the order written, and the daemon finishes what it
# accepted after our end of input. `session` is left out, since this connection has exactly one. With `await` the
# answer to the tap is its outcome.
answers=$(
  jq -nc --arg email "$email" --arg password "$password" '
    {id: 1, method: "session/open", params: {form: "login"}},
    {id: 2, method: "field/change", params: {values: {email: $email, password: $password}, commit: true}},
    {id: 3, method: "action/tap", params: {action: "login", await: true}}
    | {jsonrpc: "2.0"} + .' | carry
) || { echo "login.sh: the conversation with $socket broke off" >&2; exit 2; }

# Slurped (-s): all the lines the daemon wrote, in its order. The document is the one of session/open with every patch
# merged into it; jq has no merge patch (RFC 7396) of its own, so here is one.
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
