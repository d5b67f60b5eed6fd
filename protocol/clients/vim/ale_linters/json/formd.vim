vim9script
# ALE looks here for the linters of a file type.
import autoload 'formd/ale.vim'
ale.Define('json')
