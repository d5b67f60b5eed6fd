vim9script
# Daemons that are not there, are started, go and come back. Each test has a socket of its own below $FORMD_TEST_FOLDER.

import './screen.vim'

var number = 0

def Socket(): string
  number += 1
  return $'{$FORMD_TEST_FOLDER}/{number}.sock'
enddef

# A formctl whose daemons end by themselves when nobody uses them, however a test ends.
def Formctl(): string
  var path = $'{$FORMD_TEST_FOLDER}/formctl'
  if !filereadable(path)
    writefile(['#!/bin/sh', 'if [ "$1" = start ]; then set -- "$@" --idle-exit 2; fi', 'exec "$FORMCTL_BIN" "$@"'], path)
    setfperm(path, 'rwx------')
  endif
  return path
enddef

# Opens a form in a Vim that starts its own daemon.
def Open(form: string, socket: string, commands: list<string> = [])
  screen.Start([$"let g:formd_formctl = '{Formctl()}'"] + commands + ['Form ' .. form],
    {columns: 160, env: {FORMD_SOCKET: socket}})
enddef

# Ends the daemon as a crash would.
def Kill(socket: string)
  var info = system($'{shellescape($FORMCTL_BIN)} call server/info --socket {shellescape(socket)}')
  assert_equal(0, v:shell_error, info)
  system($'kill -9 {json_decode(info).pid}')
enddef

def g:Test_a_daemon_is_started_where_none_runs()
  Open('payment', Socket())
  screen.See('Amount')
enddef

def g:Test_no_daemon_is_started_where_that_is_turned_off()
  Open('payment', Socket(), ['let g:formd_start = v:false'])
  screen.See('no daemon listens at .*')
  screen.See('formctl start')
enddef

def g:Test_a_missing_formctl_is_told()
  Open('payment', Socket(), ["let g:formd_formctl = 'no-such-formctl'"])
  screen.See('no-such-formctl is not in PATH')
enddef

def g:Test_what_was_typed_outlives_the_daemon()
  var socket = Socket()
  Open('invoice', socket)
  screen.See('+ Items')
  screen.Press("iKim\<Esc>/+ Items\<CR>\<CR>")
  screen.SeeCursor('Article')
  screen.Press("iA-100\<Tab>\<Tab>\<C-u>x\<Tab>12.50\<Esc>")
  screen.SeeBlock(['Quantity \*  *x$', '^  *Quantity: This must be a whole number'])
  Kill(socket)
  screen.See('the daemon closed the connection')
  # One goes on typing meanwhile, and the daemon comes back by itself.
  screen.Press("/+ Items\<CR>/Customer\<CR>A Too\<Esc>")
  screen.See('Kim Too')
  screen.SeeNot('trying again\|closed the connection\|no daemon')
  screen.SeeBlock(['Customer \*  *Kim Too$', '^$', 'Items', 'Items 1'])
  screen.SeeBlock(['Quantity \*  *x$', '^  *Quantity: This must be a whole number', 'Unit price \*  *12.50$'])
  screen.Press("/Quantity\<CR>cc2\<Esc>")
  screen.See('total 25')
enddef

# A daemon that another program starts. It ends with the Vim that runs the tests.
def Foreign(socket: string, options: list<string> = []): job
  var output: list<string>
  var daemon = job_start([$FORMD_BIN, 'serve', '--socket', socket] + options, {err_cb: (_, line) => add(output, line)})
  screen.WaitUntil(() => match(output, 'listening') >= 0, 'a daemon')
  return daemon
enddef

def End(daemon: job)
  job_stop(daemon, 'kill')
  screen.WaitUntil(() => job_status(daemon) == 'dead', 'the end of the daemon')
enddef

def g:Test_a_daemon_of_another_program_is_not_started_again()
  var socket = Socket()
  var daemon = Foreign(socket)
  Open('invoice', socket)
  screen.See('Customer')
  screen.Press("iKim\<Esc>")
  screen.See('Kim$')
  End(daemon)
  # The pause grows with each attempt, and no attempt starts a daemon.
  screen.See('Vim did not start the last one, so start it again')
  screen.See('\<4\.0\>')
  system($'{shellescape($FORMCTL_BIN)} call server/ping --socket {shellescape(socket)}')
  assert_notequal(0, v:shell_error)
  daemon = Foreign(socket)
  screen.SeeNot('trying again')
  screen.See('Kim$')
  End(daemon)
enddef

def g:Test_a_daemon_that_crashed_before_is_not_replaced()
  var socket = Socket()
  End(Foreign(socket))
  Open('invoice', socket)
  screen.See('Vim did not start the last one, so start it again with the options that it had')
  var daemon = Foreign(socket)
  screen.See('Customer')
  End(daemon)
enddef

def g:Test_a_kept_form_comes_back_with_its_session()
  var socket = Socket()
  var store = ['--store', tempname()]
  var daemon = Foreign(socket, store)
  Open('signup keep=1h', socket)
  screen.See('Email')
  screen.Press("ikim\<Esc>")
  screen.SeeBlock(['Email \*  *kim$', 'Email: That is not an email address'])
  screen.Press("/Password\<CR>ihunter2hunter2\<CR>")
  screen.See('Password.*••••••••$')
  var key = screen.Ask('formd#session#Of(bufnr()).key')
  assert_match('^\x\{32}$', key)
  End(daemon)
  screen.See('the daemon closed the connection\|trying again')
  screen.Press("/Email\<CR>A.lee\<Esc>")
  screen.See('kim.lee$')
  daemon = Foreign(socket, store)
  screen.SeeNot('trying again')
  screen.SeeBlock(['Email \*  *kim.lee$', 'Email: That is not an email address'])
  screen.WaitUntil(() => empty(screen.Ask('formd#session#Of(bufnr()).outstanding')), 'the answers')
  assert_equal(key, screen.Ask('formd#session#Of(bufnr()).key'))
  # The daemon has what was typed while it was away, and the secret, which no store has.
  var state = screen.Ask('formd#session#Of(bufnr()).document.fields')
  assert_false(state.password.isEmpty)
  End(daemon)
enddef

def g:Test_a_kept_form_whose_daemon_has_no_store_gets_what_was_typed()
  var socket = Socket()
  var daemon = Foreign(socket)
  Open('signup keep=1h', socket)
  screen.See('Email')
  screen.Press("ikim\<Esc>")
  screen.See('Email: That is not an email address')
  var key = screen.Ask('formd#session#Of(bufnr()).key')
  End(daemon)
  screen.See('trying again')
  daemon = Foreign(socket)
  screen.SeeNot('trying again')
  screen.SeeBlock(['Email \*  *kim$', 'Email: That is not an email address'])
  assert_notequal(key, screen.Ask('formd#session#Of(bufnr()).key'))
  End(daemon)
enddef

def g:Test_a_secret_outlives_the_daemon()
  var socket = Socket()
  Open('login', socket)
  screen.See('Password')
  screen.Press("ikim@example.com\<Tab>")
  screen.SeeCursor('Password')
  screen.Press("hunter2\<CR>")
  screen.See('Password.*••••••••$')
  Kill(socket)
  screen.See('the daemon closed the connection')
  screen.SeeNot('trying again\|closed the connection\|no daemon')
  screen.Press(":w\<CR>")
  screen.See('Kim님 환영합니다')
enddef

def g:Test_the_step_is_shown_again()
  var socket = Socket()
  Open('signup', socket)
  screen.See('Email')
  screen.Press(']]')
  screen.See('Country')
  screen.Press("iKim\<Esc>")
  screen.See('Name \*  *Kim$')
  Kill(socket)
  screen.See('the daemon closed the connection')
  screen.SeeNot('trying again\|closed the connection\|no daemon')
  screen.SeeBlock(['Name \*  *Kim$', 'Country'])
enddef

# Fills in the second page of a form while the daemon is away and comes back.
def TypeWhileTheDaemonIsAway(options: string)
  var socket = Socket()
  var daemon = Foreign(socket)
  Open('signup' .. options, socket)
  screen.See('Email')
  screen.Press("ikim@example.com\<Esc>")
  screen.See('kim@example.com$')
  screen.Press(']]')
  screen.See('Postal code')
  screen.Press("/Postal\<CR>i12")
  screen.See('Postal code \*  *12$')
  End(daemon)
  screen.See('trying again')
  screen.Press('5')
  screen.See('Postal code \*  *125$')
  screen.Press("\<Left>3")
  screen.See('Postal code \*  *1235$')
  daemon = Foreign(socket)
  screen.SeeNot('trying again')
  screen.Press('4')
  screen.See('Postal code \*  *12345$')
  screen.See('^  Name \*$')
  screen.WaitUntil(() => empty(screen.Ask('formd#session#Of(bufnr()).outstanding')), 'the answers')
  assert_equal('kim@example.com', screen.Ask('formd#session#Of(bufnr()).values.email'))
  assert_equal('12345', screen.Ask('formd#session#Of(bufnr()).values["/address/postalCode"]'))
  End(daemon)
enddef

def g:Test_what_is_typed_while_the_daemon_is_away_stays_in_its_field()
  TypeWhileTheDaemonIsAway('')
enddef

def g:Test_what_is_typed_into_a_kept_form_while_the_daemon_is_away_stays_in_its_field()
  TypeWhileTheDaemonIsAway(' keep=1h')
enddef
