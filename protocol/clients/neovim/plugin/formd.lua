-- The commands; everything else is loaded by the first of them that runs.

if vim.g.loaded_formd then
  return
end
vim.g.loaded_formd = true

vim.api.nvim_create_user_command('Form', function(arguments)
  require('formd.commands').open(arguments)
end, {
  nargs = '*',
  complete = function(...)
    return require('formd.commands').complete_form(...)
  end,
  desc = 'Fill in a form of formd: a name, or the path of a definition',
})

vim.api.nvim_create_user_command('FormAttach', function(arguments)
  require('formd.commands').attach(arguments.args ~= '' and arguments.args or nil)
end, {
  nargs = '?',
  complete = function(...)
    return require('formd.commands').complete_draft(...)
  end,
  desc = 'Go on with a draft: a form that the daemon has kept',
})
