vim9script
# The kit's adapter for the Vim plugin: reads one command a line, and writes one report a line. Vim uses the standard
# streams itself, so they come as the file descriptors 3 and 4:
# bash -c 'exec vim -u NONE -i NONE -N -es -S vim.vim 3<&0 4>&1 </dev/null >/dev/null'
&runtimepath = expand('<sfile>:p:h:h:h:h') .. '/protocol/clients/vim,' .. &runtimepath
import autoload 'formd/session.vim'

g:formd_start = false
var form: dict<any>
var problem: any = null
var events: list<number>

def Refused(_: dict<any>, message: string, error: dict<any>)
  problem = message =~ 'may have been executed' ? 'unknown' : get(error, 'code', message)
enddef

session.Attach({
  sync: (_) => 0,
  changed: (_) => 0,
  renamed: (_, _) => 0,
  inserted: (_, _) => 0,
  happened: (_, event) => add(events, event.seq),
  refused: Refused,
  broken: (_, _) => 0,
})

def IsClosed(): bool
  return form.state == 'failed' || form.notice =~ 'has closed the session'
enddef

def IsDone(): bool
  return IsClosed() || type(problem) == v:t_number || form.state == 'open' && empty(form.outstanding) && empty(form.late)
enddef

def Perform(command: dict<any>)
  problem = null
  if command.do == 'open'
    $FORMD_SOCKET = command.socket
    form = session.Begin(bufnr(), {form: command.form}, command.form, get(command, 'keep', ''), '')
  elseif IsClosed()
    problem = 'closed'
  elseif command.do == 'set'
    session.Change(form, '/' .. command.field, command.value)
  else
    session.Tap(form, command.action)
  endif
  while !IsDone()
    sleep 2m
  endwhile
  if type(problem) == v:t_none && IsClosed()
    problem = 'closed'
  endif
  writefile([json_encode({error: problem, document: form.document, events: events})], '/dev/fd/4', 'a')
enddef

var commands: list<string>
job_start(['sh', '-c', 'cat <&3'], {out_cb: (_, line) => add(commands, line), exit_cb: (_, _) => execute('qall!')})
while true
  sleep 2m
  if !empty(commands)
    Perform(json_decode(remove(commands, 0)))
  endif
endwhile
