vim9script
# Forms that the daemon keeps when Vim ends.

import './screen.vim'

# Each test has a folder of drafts of its own.
def Fresh(): dict<any>
  return {env: {XDG_STATE_HOME: tempname()}}
enddef

def Files(options: dict<any>): list<string>
  return glob(options.env.XDG_STATE_HOME .. '/formd/drafts/*', true, true)
enddef

def FillIn(options: dict<any>)
  screen.Start(['Form signup keep=1h'], options)
  screen.See('Email')
  screen.Press("ikim\<Esc>")
  screen.SeeBlock(['Email \*  *kim$', 'Email: That is not an email address'])
enddef

def g:Test_a_crash_of_vim_loses_no_draft()
  var options = Fresh()
  FillIn(options)
  # A signal that no program can handle ends Vim.
  screen.End()
  screen.Start(['FormAttach'], options)
  screen.SeeBlock(['Email \*  *kim$', 'Email: That is not an email address'])
  screen.Press("ccjo\<Esc>")
  screen.See('Email \*  *jo$')
enddef

def g:Test_a_draft_is_opened_by_its_key()
  var options = Fresh()
  FillIn(options)
  screen.End()
  var file = Files(options)[0]
  assert_equal('rw-------', getfperm(file))
  assert_equal('rwx------', getfperm(fnamemodify(file, ':h')))
  screen.Start([], options)
  screen.Press(":FormAttach \<Tab>\<CR>")
  screen.SeeBlock(['Email \*  *kim$'])
  # The key is a secret, and the name of a buffer is seen.
  assert_equal('formd://signup (draft 1)', screen.Ask('bufname()'))
enddef

def g:Test_leaving_vim_keeps_the_draft_and_sending_it_ends_it()
  var options = Fresh()
  screen.Start(['Form nickname keep=1h'], options)
  screen.See('Nickname\|닉네임')
  screen.Press("ikimkimkim\<Esc>")
  screen.See('kimkimkim')
  # Until the daemon has all that was typed, Vim asks before it leaves.
  screen.WaitUntil(() => !screen.Ask('&modified'), 'the daemon to have the text')
  screen.Press(":q\<CR>")
  screen.WaitUntil(() => !screen.IsRunning(), 'the end of Vim')
  assert_equal(1, len(Files(options)))
  screen.End()
  screen.Start(['FormAttach'], options)
  screen.See('kimkimkim')
  screen.Press(":w\<CR>")
  screen.See('^formd: ')
  screen.Press(":bwipeout\<CR>:FormAttach\<CR>")
  screen.See('there is no draft')
  assert_equal([], Files(options))
enddef

def g:Test_leaving_vim_ends_a_draft_that_was_sent_or_has_not_changed()
  var options = Fresh()
  screen.Start(['Form nickname keep=1h'], options)
  screen.See('Nickname\|닉네임')
  assert_equal(1, len(Files(options)))
  screen.Press(":qa\<CR>")
  screen.WaitUntil(() => !screen.IsRunning(), 'the end of Vim')
  assert_equal([], Files(options))
  screen.End()
  screen.Start(['Form nickname keep=1h'], options)
  screen.See('Nickname\|닉네임')
  screen.Press("ikimkimkim\<Esc>:w\<CR>")
  screen.See('^formd: ')
  screen.Press(":q\<CR>")
  screen.WaitUntil(() => !screen.IsRunning(), 'the end of Vim')
  assert_equal([], Files(options))
enddef

def g:Test_one_of_several_drafts_is_chosen()
  var options = Fresh()
  FillIn(options)
  screen.Press(":Form payment keep=1h\<CR>")
  screen.See('Amount')
  screen.Press("i12\<Esc>")
  screen.See('Amount \*  *12$')
  screen.WaitUntil(() => empty(screen.Ask('formd#session#Of(bufnr()).outstanding')), 'the answers')
  screen.End()
  screen.Start(['FormAttach'], options)
  screen.See('Which draft')
  screen.See('Payment  (\d\{4}-')
  screen.Press("\<CR>")
  # The marked draft is the newest one.
  screen.See('Amount \*  *12$')
enddef

def g:Test_a_draft_that_was_sent_and_then_changed_is_a_draft()
  var options = Fresh()
  var file = tempname() .. '.form.json'
  writefile(['{"form": "mine", "title": "Mine", "schema": {"type": "object", "properties": {"a": {"type": "string",',
    '"maxLength": 9}}}, "actions": {"send": {"outcomes": [{"success": "1", "message": "Sent."}]}}}'], file)
  screen.Start([$'Form {file} keep=1h'], options)
  screen.See('^  Mine')
  screen.Press("iKim\<Esc>:w\<CR>")
  screen.See('^formd: send: Sent.')
  screen.Press("A!\<Esc>")
  screen.See('Kim!$')
  screen.WaitUntil(() => empty(screen.Ask('formd#session#Of(bufnr()).outstanding')), 'the answers')
  screen.End()
  screen.Start(['FormAttach'], options)
  screen.See('Kim!$')
  # Its old outcome is no news.
  assert_true(screen.Ask('formd#session#IsDraft(formd#session#Of(bufnr()))'))
  screen.SeeNot('^formd: send')
enddef

def g:Test_a_draft_that_is_gone_is_told()
  screen.Start(['FormAttach 0123456789abcdef0123456789abcdef'], Fresh())
  screen.See('there is no such draft: it has expired')
enddef

def g:Test_every_form_is_kept_if_that_is_set()
  var options = Fresh()
  screen.Start(["let g:formd_keep = '10m'", 'Form payment'], options)
  screen.See('Amount')
  screen.Press("i12\<Esc>")
  screen.See('Amount \*  *12$')
  screen.WaitUntil(() => len(Files(options)) == 1, 'a draft')
enddef

def g:Test_a_duration_that_is_none_is_told()
  screen.Start(['Form payment keep=soon'], {columns: 160})
  screen.See('/keep: expected a duration such as')
enddef
