vim9script
# Forms of formd in Vim. See |formd|.

if exists('g:loaded_formd')
  finish
endif
g:loaded_formd = true

# 9.0.0121 brought virtual text below a line, 9.0.0196 indexof().
if !has('patch-9.0.0196') || !has('channel') || !has('job') || !has('timers') || !has('textprop')
  command -nargs=* Form echoerr 'formd: this needs Vim 9.0.0196 or later with +channel, +job, +timers and +textprop'
  finish
endif

command -nargs=1 -bar -complete=customlist,formd#commands#CompleteForms Form formd#commands#Open(<q-args>, <q-mods>)
command -nargs=? -bar -complete=customlist,formd#commands#CompleteDrafts FormAttach
  \ formd#commands#Attach(<q-args>, <q-mods>)

augroup formd
  autocmd!
  autocmd BufReadCmd formd://* ++nested formd#commands#Read(expand('<abuf>')->str2nr(), expand('<amatch>'))
augroup END
