vim9script
# A buffer that shows a form. See |formd-keys|.

if exists('b:did_ftplugin')
  finish
endif
b:did_ftplugin = true

import autoload 'formd/commands.vim'
import '../autoload/formd/input.vim'

setlocal buftype=acwrite bufhidden=hide noswapfile nobuflisted
setlocal noautoindent nosmartindent nocindent indentexpr= textwidth=0 formatoptions= nospell
setlocal wrap linebreak nolist nonumber norelativenumber signcolumn=no nofoldenable conceallevel=0 expandtab noundofile virtualedit=onemore

augroup formd_buffer
  autocmd! * <buffer>
  autocmd TextChanged,TextChangedI,TextChangedP <buffer> input.Changed()
  autocmd CursorMoved,CursorMovedI <buffer> input.Moved()
  autocmd InsertEnter <buffer> input.InsertEntered()
  autocmd InsertLeave <buffer> input.InsertLeft()
  autocmd BufLeave,WinLeave <buffer> input.Left()
  autocmd BufWriteCmd <buffer> commands.Tap('')
  autocmd BufUnload <buffer> commands.Closed(str2nr(expand('<abuf>')))
augroup END

command -buffer -bar -nargs=? -complete=customlist,commands.CompleteActions FormTap commands.Tap(<q-args>)
command -buffer -bar -nargs=1 -complete=customlist,commands.CompleteSteps FormStep commands.ShowStep(<q-args>)
command -buffer -bar -nargs=1 -complete=customlist,commands.CompleteRow FormRow commands.Row(<q-args>)
command -buffer -bar FormReset commands.Reset()

if get(g:, 'formd_no_mappings', false)
  finish
endif

# Keys that change text change values, and no labels.
for key in ['i', 'a', 'I', 'A', 'o', 'O', 's', 'S', 'C', 'cc', 'dd', 'D', 'x', 'X', 'r', 'R', '~', 'J', 'gJ', 'p', 'P', '0', '^']
  execute $'nnoremap <buffer> <nowait> <expr> {key} input.Key("{key}")'
endfor
nnoremap <buffer> <expr> <Home> input.Key("0")

nnoremap <buffer> <CR> <ScriptCmd>input.Activate()<CR>
nnoremap <buffer> <Space> <ScriptCmd>input.Activate()<CR>
nnoremap <buffer> <Tab> <ScriptCmd>input.Step(1)<CR>
nnoremap <buffer> <S-Tab> <ScriptCmd>input.Step(-1)<CR>
nnoremap <buffer> <nowait> ]] <ScriptCmd>commands.ShowStep('next')<CR>
nnoremap <buffer> <nowait> [[ <ScriptCmd>commands.ShowStep('back')<CR>
nnoremap <buffer> <nowait> ]e <ScriptCmd>commands.Row('down')<CR>
nnoremap <buffer> <nowait> [e <ScriptCmd>commands.Row('up')<CR>
nnoremap <buffer> K <ScriptCmd>commands.Explain()<CR>
nnoremap <buffer> <nowait> g? <ScriptCmd>commands.Keys()<CR>

inoremap <buffer> <Tab> <ScriptCmd>input.Step(1)<CR>
inoremap <buffer> <S-Tab> <ScriptCmd>input.Step(-1)<CR>
inoremap <buffer> <CR> <ScriptCmd>input.Enter()<CR>
for key in ['BS', 'C-h', 'C-w', 'C-u']
  execute $'inoremap <buffer> <{key}> <ScriptCmd>input.Erase("\<lt>{key}>")<CR>'
endfor
