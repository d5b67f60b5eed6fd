" What a Vim under test begins with: the plugin, and nothing else.
set nocompatible backspace=indent,eol,start encoding=utf-8 noswapfile viminfo=
let &runtimepath = expand('<sfile>:p:h:h') .. ',' .. $VIMRUNTIME
filetype plugin on
syntax on
let g:formd_locale = 'en'
