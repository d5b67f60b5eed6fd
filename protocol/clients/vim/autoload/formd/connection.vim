vim9script
# The only connection of this Vim to the daemon. It is found, a daemon is started if none runs, and a lost connection is
# restored.
#
# Messages are lines (protocol/wire.md, Framing). Vim's own mode for header framing, `lsp`, encodes with json_encode(),
# which rounds numbers to six digits: see json.Encode().

import './json.vim'
import './socket.vim'

# The events, for callers of Listen().
#   opened()               the connection is there
#   lost(reason, seconds)  it is not, and will be tried again in so many seconds; -1: not before Connect() is called
#   pushed(method, params) the daemon told something
var listener: dict<func>

# idle      nobody wants a connection
# starting  `formctl start` runs
# open      messages go
# pausing   until the next try
var state = 'idle'
var channel: channel
var serial = 0
# The function that gets the answer to a request, by the request's id.
var waiting: dict<func>
# The last pause in milliseconds, until the daemon answers a request; and the least next one, if the daemon asks for it.
var pause = 0
var retryAfter = 0
var timer = 0
var job: job
# Whether Vim has tried to start a daemon since the connection was lost.
var isStartTried = false
# Whether Vim started the daemon of the last connection, and whether there was a connection at all.
var isOwn = false
var wasOpen = false

const pause_first_ms = 250
const pause_max_ms = 8000

export def Listen(handlers: dict<func>)
  listener = handlers
enddef

export def IsOpen(): bool
  return state == 'open'
enddef

# Makes the connection, unless it exists or is being made. During a pause, tries at once.
export def Connect()
  if state == 'idle' || state == 'pausing'
    timer_stop(timer)
    isStartTried = false
    pause = 0
    Try(false)
  endif
enddef

# Ends the connection, and with it all its sessions.
export def Close()
  timer_stop(timer)
  if state == 'open'
    ch_close(channel)
  elseif state == 'starting'
    job_stop(job)
  endif
  state = 'idle'
  waiting = {}
  pause = 0
enddef

# Sends a request. Answered() gets the answer's `result`, and null; or null, and its `error`.
export def Request(method: string, params: dict<any>, Answered: func(any, any)): number
  serial += 1
  if state != 'open'
    Answered(null, {code: 0, message: 'there is no connection to the daemon'})
    return serial
  endif
  waiting[serial] = Answered
  var text = $'{{"jsonrpc":"2.0","id":{serial},"method":{json_encode(method)},"params":{json.Encode(params)}}}'
  try
    ch_sendraw(channel, text .. "\n")
  catch /E630\|E631\|E906/
    # The close callback reports the end.
  endtry
  return serial
enddef

# `isStarted`: Vim has just started the daemon.
def Try(isStarted: bool)
  var path = socket.Path()
  var objection = socket.Objection(path)
  if objection != ''
    Fail(objection, false)
    return
  endif
  var Received = (_, line) => Receive(line)
  var Closed = (_) => Lose('the daemon closed the connection')
  try
    channel = ch_open('unix:' .. path, {mode: 'nl', noblock: 1, callback: Received, close_cb: Closed})
  catch /E902/
    Start(path)
    return
  endtry
  if ch_status(channel) != 'open'
    Start(path)
    return
  endif
  state = 'open'
  isStartTried = false
  isOwn = isStarted
  wasOpen = true
  listener.opened()
enddef

# No daemon listens. One is started at most once until a connection succeeds, so a daemon that ends at once is not
# started for ever.
#
# A daemon that another program started has forms and settings that Vim does not know, so Vim does not replace it
# (protocol/editors.md, Starting a daemon). A daemon that ended without cleaning up leaves its socket.
def Start(path: string)
  if !get(g:, 'formd_start', true)
    Fail($'no daemon listens at {path}: start one with `formctl start`', true)
    return
  elseif !isOwn && (wasOpen || getftype(path) != '')
    Fail($'no daemon listens at {path}: Vim did not start the last one, so start it again with the options that it had', true)
    return
  endif
  var formctl = get(g:, 'formd_formctl', 'formctl')
  if !executable(formctl)
    Fail($'no daemon listens at {path}, and {formctl} is not in PATH to start one: install formd, or set g:formd_formctl', true)
    return
  elseif isStartTried
    Fail($'no daemon listens at {path}', true)
    return
  endif
  isStartTried = true
  state = 'starting'
  var said: list<string>
  # The end of the job and the end of its output come in either order.
  var ends: dict<any> = {}
  job = job_start([formctl, 'start', '--socket', path], {in_io: 'null', out_io: 'null',
    err_cb: (_, line) => add(said, line),
    close_cb: (_) => Started(extend(ends, {isRead: true}), said),
    exit_cb: (_, status) => Started(extend(ends, {status: status}), said)})
enddef

def Started(ends: dict<any>, said: list<string>)
  if state != 'starting' || len(ends) < 2
    return
  elseif ends.status == 0
    Try(true)
  else
    Fail('`formctl start` could not start the daemon: '
      .. (empty(said) ? $'it ended with {ends.status}' : join(said, ' ')), true)
  endif
enddef

# There is no connection. `willRetry`: whether time may help.
def Fail(reason: string, willRetry: bool)
  if !willRetry
    state = 'idle'
    listener.lost(reason, -1)
    return
  endif
  state = 'pausing'
  pause = pause == 0 ? pause_first_ms : min([2 * pause, pause_max_ms])
  var wait = max([pause, retryAfter])
  retryAfter = 0
  timer = timer_start(wait, (_) => Try(false))
  listener.lost(reason, wait / 1000.0)
enddef

def Lose(reason: string)
  if state != 'open'
    return
  endif
  var unanswered = waiting
  waiting = {}
  Fail(reason, true)
  for Answered in values(unanswered)
    Answered(null, {code: 0, message: reason})
  endfor
enddef

def Receive(line: string)
  var message: any
  try
    message = json_decode(line)
  catch
    return
  endtry
  if type(message) != v:t_dict
    return
  elseif has_key(message, 'method')
    var params = get(message, 'params', {})
    # Later daemons may send messages of other shapes.
    if type(params) == v:t_dict
      listener.pushed(message.method, params)
    endif
  elseif type(get(message, 'id', null)) == v:t_number && has_key(waiting, message.id)
    pause = 0
    remove(waiting, message.id)(get(message, 'result', null), get(message, 'error', null))
  elseif has_key(message, 'error')
    # Without an id: the daemon refuses the connection, and ends it.
    retryAfter = RetryAfter(message.error)
  endif
enddef

# The milliseconds that the daemon asks for before the next try.
export def RetryAfter(error: dict<any>): number
  var data = get(error, 'data', {})
  return type(data) == v:t_dict ? get(data, 'retryAfterMs', 0) : 0
enddef

# The milliseconds before a try: they grow with the number of tries before it.
export def Pause(attempts: number): number
  return min([pause_first_ms * float2nr(pow(2, min([attempts, 6]))), pause_max_ms])
enddef
