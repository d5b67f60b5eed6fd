vim9script
# A buffer that shows a form. See |formd-keys|.
#
# Functions have their full names here. When a Vim9 script is sourced for a second form, it loses the imports that it
# made for the first.

if exists('b:did_ftplugin')
  finish
endif
b:did_ftplugin = true

setlocal buftype=acwrite bufhidden=hide noswapfile nobuflisted
setlocal noautoindent nosmartindent nocindent indentexpr= textwidth=0 formatoptions= nospell
setlocal wrap linebreak nolist nonumber norelativenumber signcolumn=no nofoldenable conceallevel=0
setlocal expandtab noundofile virtualedit=onemore

augroup formd_buffer
  autocmd! * <buffer>
  autocmd TextChanged,TextChangedI,TextChangedP <buffer> formd#input#Changed()
  autocmd CursorMoved,CursorMovedI <buffer> formd#input#Moved()
  autocmd InsertCharPre <buffer> formd#input#CharTyped()
  autocmd InsertEnter <buffer> formd#input#InsertEntered()
  autocmd InsertLeave <buffer> formd#input#InsertLeft()
  autocmd BufLeave,WinLeave <buffer> formd#input#Left()
  autocmd BufWriteCmd <buffer> formd#commands#Tap('')
  autocmd BufUnload <buffer> formd#commands#Closed(str2nr(expand('<abuf>')))
  autocmd BufWinEnter <buffer> formd#commands#Resized()
augroup END

# These events come once for all windows.
augroup formd_windows
  autocmd!
  autocmd VimResized * formd#commands#Resized()
  if exists('##WinResized')
    autocmd WinResized * formd#commands#Resized()
  endif
augroup END

command -buffer -bar -nargs=? -complete=customlist,formd#commands#CompleteActions FormTap formd#commands#Tap(<q-args>)
command -buffer -bar -nargs=1 -complete=customlist,formd#commands#CompleteSteps FormStep
  \ formd#commands#ShowStep(<q-args>)
command -buffer -bar -nargs=1 -complete=customlist,formd#commands#CompleteRow FormRow formd#commands#Row(<q-args>)
command -buffer -bar FormReset formd#commands#Reset()
command -buffer -bar FormUndo formd#commands#Undo()
command -buffer -bar FormRedo formd#commands#Redo()

if get(g:, 'formd_no_mappings', false)
  finish
endif

# Keys that change text change values, but no labels.
for key in ['i', 'a', 'I', 'A', 'o', 'O', 's', 'S', 'C', 'cc', 'dd', 'D', 'x', 'X', 'r', 'R', '~', 'J', 'gJ', 'p', 'P', '0', '^']
  execute $'nnoremap <buffer> <nowait> <expr> {key} formd#input#Key("{key}")'
endfor
nnoremap <buffer> <expr> <Home> formd#input#Key("0")

nnoremap <buffer> <CR> <Cmd>call formd#input#Activate()<CR>
nnoremap <buffer> <Space> <Cmd>call formd#input#Activate()<CR>
nnoremap <buffer> <Tab> <Cmd>call formd#input#Step(1)<CR>
nnoremap <buffer> <S-Tab> <Cmd>call formd#input#Step(-1)<CR>
nnoremap <buffer> <nowait> ]] <Cmd>call formd#commands#ShowStep('next')<CR>
nnoremap <buffer> <nowait> [[ <Cmd>call formd#commands#ShowStep('back')<CR>
nnoremap <buffer> <nowait> ]e <Cmd>call formd#commands#Row('down')<CR>
nnoremap <buffer> <nowait> [e <Cmd>call formd#commands#Row('up')<CR>
nnoremap <buffer> K <Cmd>call formd#commands#Explain()<CR>
nnoremap <buffer> <nowait> g? <Cmd>call formd#commands#Keys()<CR>

inoremap <buffer> <Tab> <Cmd>call formd#input#Step(1)<CR>
inoremap <buffer> <S-Tab> <Cmd>call formd#input#Step(-1)<CR>
inoremap <buffer> <CR> <Cmd>call formd#input#Enter()<CR>
for key in ['BS', 'C-h', 'C-w', 'C-u']
  execute $'inoremap <buffer> <{key}> <Cmd>call formd#input#Erase("\<lt>{key}>")<CR>'
endfor
