" What a Vim under test begins with: the plugin, and nothing else.
set nocompatible backspace=indent,eol,start encoding=utf-8 noswapfile viminfo=
let &runtimepath = expand('<sfile>:p:h:h') .. ',' .. $VIMRUNTIME
filetype plugin on
if $FORMD_TEST_SYNTAX !=# 'off'
  syntax on
endif
let g:formd_locale = 'en'
" term_sendkeys() sends keys as a terminal does that knows nothing of modifyOtherKeys.
set t_TI= t_TE=
