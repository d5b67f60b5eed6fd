vim9script
# A Vim under test, in a terminal of the Vim that runs the tests: keys go in, the screen comes out. Nothing here sleeps
# for a fixed time. Each wait ends when the screen shows the expected text, or at a deadline.

const patience_ms = 30000
const folder = expand('<sfile>:p:h')

var buffer = 0

# Starts a Vim with the plugin in a terminal of that size. `commands` are carried out when it has started. Options:
# `rows`, `columns`, `env`, `vimrc` (the path), `files` (to edit).
export def Start(commands: list<string>, options: dict<any> = {})
  var words = [v:progpath, '-N', '-u', get(options, 'vimrc', folder .. '/vimrc.vim'), '-i', 'NONE', '--not-a-term']
  for command in commands
    words += ['-c', command]
  endfor
  words += get(options, 'files', [])
  buffer = term_start(words, {hidden: true, term_rows: get(options, 'rows', 36), term_cols: get(options, 'columns', 80),
    env: extendnew({TERM: 'xterm-256color', LC_ALL: 'C.UTF-8'}, get(options, 'env', {})), term_kill: 'kill'})
enddef

# Ends it, however the test went.
export def End()
  if buffer > 0
    if term_getstatus(buffer) =~ 'running'
      job_stop(term_getjob(buffer), 'kill')
    endif
    WaitUntil(() => job_status(term_getjob(buffer)) == 'dead', 'the end of Vim')
    execute $':{buffer}bwipeout!'
    buffer = 0
  endif
enddef

export def IsRunning(): bool
  return buffer > 0 && term_getstatus(buffer) =~ 'running'
enddef

# Presses keys.
export def Press(keys: string)
  term_sendkeys(buffer, keys)
enddef

# Gives the terminal another width.
export def Widen(columns: number)
  term_setsize(buffer, 0, columns)
enddef

# The lines of the screen, without space at their ends.
export def Lines(): list<string>
  return range(1, term_getsize(buffer)[0])->mapnew((_, row) => term_getline(buffer, row)->substitute('\s*$', '', ''))
enddef

# Waits until a line of the screen matches the pattern, and gives that line.
export def See(pattern: string): string
  WaitUntil(() => match(Lines(), pattern) >= 0, pattern)
  return Lines()->filter((_, line) => line =~ pattern)->get(0, '')
enddef

# Waits until no line of the screen matches.
export def SeeNot(pattern: string)
  WaitUntil(() => match(Lines(), pattern) < 0, 'no ' .. pattern)
enddef

# Waits until the lines from the first that matches the first pattern on match the patterns, one each.
export def SeeBlock(patterns: list<string>)
  WaitUntil(() => {
    var lines = Lines()
    for at in range(len(lines) - len(patterns) + 1)
      if copy(patterns)->map((number, pattern) => lines[at + number] =~ pattern ? 1 : 0)->min() == 1
        return true
      endif
    endfor
    return false
  }, string(patterns))
enddef

# Waits until the cursor is on a line that matches, and behind that text if `behind` is given.
export def SeeCursor(pattern: string, behind: string = '')
  WaitUntil(() => {
    var [row, column, _] = term_getcursor(buffer)
    var line = term_getline(buffer, row)
    var isThere = behind == '' || strcharpart(line, 0, column - 1) =~ '\V' .. behind .. '\m$'
    return line =~ pattern && isThere
  }, $'the cursor at {pattern} {behind}')
enddef

# The value of an expression in the Vim under test.
export def Ask(expression: string): any
  var answer = tempname()
  # Only a whole file counts: it is moved to where it is looked for.
  Press($"\<C-\>\<C-n>:call writefile([json_encode({expression})], '{answer}.part') | call rename('{answer}.part', '{answer}')\<CR>")
  WaitUntil(() => filereadable(answer), 'an answer of Vim to ' .. expression)
  var value = json_decode(readfile(answer)[0])
  delete(answer)
  return value
enddef

# Waits until a condition holds.
export def WaitUntil(Condition: func(): bool, what: string)
  var begin = reltime()
  while !Condition()
    if reltimefloat(reltime(begin)) * 1000 > patience_ms
      throw $"did not come about: {what}\n" .. (buffer > 0 ? join(Lines(), "\n") : '')
    endif
    # Gives the terminal's output its turn.
    term_wait(buffer, 5)
    sleep 5m
  endwhile
enddef
