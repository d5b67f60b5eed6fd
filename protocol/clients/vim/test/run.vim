vim9script
# Runs the tests: vim -Nu NONE --not-a-term -T dumb -S run.vim
#
# Each function named Test_... in the files test_*.vim is a test. The report goes to the file in $FORMD_TEST_REPORT,
# else to ./report.txt. It has a line `ok NAME`, `not ok NAME` or `skip NAME` for each test; lines `# ...` after a
# failed or skipped test say why. $FORMD_TEST_ONLY is a pattern of the names of the tests to run. The last line is
# `done all`.

set encoding=utf-8 noswapfile viminfo= nomore shortmess+=F
execute 'source' fnameescape(expand('<sfile>:p:h') .. '/vimrc.vim')

import './screen.vim'

const folder = expand('<sfile>:p:h')

def Report(lines: list<string>)
  writefile(lines, $FORMD_TEST_REPORT != '' ? $FORMD_TEST_REPORT : 'report.txt', 'a')
enddef

def Run(name: string)
  v:errors = []
  var skipped = ''
  try
    execute $'call g:{name}()'
  catch /^skip: /
    skipped = matchstr(v:exception, '^skip: \zs.*')
  catch
    add(v:errors, v:exception .. ' at ' .. v:throwpoint)
  finally
    try
      screen.End()
    catch
      add(v:errors, v:exception)
    endtry
  endtry
  if skipped != ''
    Report(['skip ' .. name, '# ' .. skipped])
  elseif empty(v:errors)
    Report(['ok ' .. name])
  else
    Report(['not ok ' .. name] + v:errors->join("\n")->split("\n")->map((_, line) => '# ' .. line))
  endif
enddef

try
  for file in glob(folder .. '/test_*.vim', true, true)
    execute 'source' fnameescape(file)
  endfor
  for name in getcompletion('Test_', 'function')->map((_, name) => matchstr(name, 'Test_\w*'))->sort()
    if name =~ $FORMD_TEST_ONLY
      Run(name)
    endif
  endfor
  Report(['done all'])
catch
  Report(['not ok ' .. v:throwpoint, '# ' .. v:exception])
finally
  qall!
endtry
