vim9script
# `formctl lsp` by the plugins for language servers, with the lines of README.md as the vimrc. A test is skipped if its
# plugin is not in 'packpath'.

import './screen.vim'

const page = expand('<sfile>:p:h:h') .. '/README.md'

# A Vim that has the plugin, the lines of the page that contain `mark`, and a form with a misspelled name.
def Start(plugin: string, package: string, mark: string, own: list<string> = [])
  if globpath(&packpath, $'pack/*/*/{plugin}', true, true) == []
    throw $'skip: {plugin} is not installed ({package})'
  endif
  var folder = tempname()
  mkdir(folder)
  var blocks = readfile(page)->join("\n")->split('```vim\n')->slice(1)->mapnew((_, block) => split(block, "\n```")[0])
  var lines = blocks->filter((_, block) => stridx(block, mark) >= 0)->join("\n")->split("\n")
  writefile([$'source {expand('<script>:p:h')}/vimrc.vim', 'packadd! ' .. plugin] + lines + own, folder .. '/vimrc')
  writefile(['{"form": "a", "schema": {"type": "object", "properties": {"email": {"type": "string", "maxLength": 9}}},',
    ' "fields": {"email": {"lable": "E-mail"}},', ' "outputs": {"x": "values."}', '}'], folder .. '/a.form.json')
  screen.Start([':2'], {vimrc: folder .. '/vimrc', files: [folder .. '/a.form.json'], columns: 120,
    env: {PATH: fnamemodify($FORMCTL_BIN, ':h') .. ':' .. $PATH, HOME: folder}})
enddef

def Completes()
  # In a formula, behind a dot.
  screen.Press("3G$F.aem\<C-x>\<C-o>")
  screen.See('"x": "values.email"')
  # The name of a member, in its quotes.
  screen.Press("\<Esc>:2s/lable/he/\<CR>2Gfhea\<C-x>\<C-o>")
  screen.See('{"help": "E-mail"')
enddef

def g:Test_ale_shows_errors_and_completes()
  Start('ale', 'Debian: vim-ale', 'g:ale_linters')
  screen.See('did you mean "label"')
  Completes()
enddef

def g:Test_vim_lsp_shows_errors_and_completes()
  Start('vim-lsp', 'no package of Debian or PyPI: github.com/prabirshrestha/vim-lsp', 'lsp#register_server',
    ['let g:lsp_diagnostics_echo_cursor = 1', 'autocmd FileType json setlocal omnifunc=lsp#complete'])
  screen.See('did you mean "label"')
  Completes()
enddef
