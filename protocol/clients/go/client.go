// Package formd is a client for formd: live sessions of forms over a Unix socket.
//
// Dial connects, Client.Open opens a session, and the methods of Session send what the user does. A session keeps its
// document by merging the daemon's patches, so that the document is current when a call returns. A kept session
// survives its connection: the client connects again, attaches the session, and sends the unanswered calls again that
// may be executed twice.
//
// All methods may be called from several goroutines. Callbacks run one at a time on the goroutine that reads the
// connection, in the order of the daemon's messages. A callback must not wait for a call of its client.
package formd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"syscall"
	"time"
)

// Errors that a call can return, besides *RefusedError and the errors of its context. Compare them with errors.Is.
var (
	// ErrUnknown: the request was sent, its answer will not come, and it must not be sent twice. Look at the session,
	// and repeat the call if it was not executed.
	ErrUnknown = errors.New("formd: the daemon may have executed the request")
	// ErrClosed: the client does not have the session any more. The error says why.
	ErrClosed = errors.New("formd: the session is closed")
	// ErrDisconnected: the connection was lost and is not restored.
	ErrDisconnected = errors.New("formd: the connection is lost")
)

// RefusedError is an error of the daemon. Its codes are in protocol/wire.md.
type RefusedError struct {
	// Method is the method of the refused request.
	Method string `json:"-"`
	// Code is the number of the error.
	Code int `json:"code"`
	// Message is the text of the error, in English.
	Message string `json:"message"`
	// Data has the details of the error.
	Data map[string]any `json:"data"`
}

func (refused *RefusedError) Error() string {
	return fmt.Sprintf("formd: %s: %s (%d)", refused.Method, refused.Message, refused.Code)
}

// retryAfter is the time that the daemon asks for before the next try.
func (refused *RefusedError) retryAfter() time.Duration {
	milliseconds, _ := refused.Data["retryAfterMs"].(float64)
	return time.Duration(milliseconds) * time.Millisecond
}

// causedError is an error with several causes, for errors.Is.
type causedError struct {
	text   string
	causes []error
}

func (caused *causedError) Error() string { return caused.text }

func (caused *causedError) Is(target error) bool {
	for _, cause := range caused.causes {
		if errors.Is(cause, target) {
			return true
		}
	}
	return false
}

// sentAndLeft is the error of a call whose context ended after its request was sent.
func sentAndLeft(method string, cause error) error {
	text := fmt.Sprintf("%v: %s: %v", ErrUnknown, method, cause)
	return &causedError{text: text, causes: []error{cause, ErrUnknown}}
}

// Options of a connection. The zero value is right for most programs.
type Options struct {
	// Socket is the path of the daemon's socket. Default: DefaultSocket().
	Socket string
	// Patience is how long a lost connection is tried again, until a session is attached again. Default: 30 seconds.
	// Negative: it is not tried again.
	Patience time.Duration
}

// requestsMax is how many requests the daemon accepts at once from one connection (protocol/limits.md).
const requestsMax = 64

// Client is a connection to the daemon.
type Client struct {
	socket   string
	patience time.Duration

	mutex sync.Mutex
	// link is the connection; nil while it is lost.
	link *link
	// end is why the client has ended; nil while it works.
	end    error
	lastID int64
	// sent are the requests without an answer, by id.
	sent map[int64]*call
	// queue are the requests that are not sent yet, in order.
	queue []*call
	// sessions are the open sessions, by number.
	sessions map[int64]*Session
	// away are the kept sessions that must be attached again.
	away map[*Session]bool
	// doomed are calls whose outcome is unknown; they end when the sessions are current again.
	doomed []*call
	// until is the end of Patience. It is zero once no session is away. A connection alone does not end the tries.
	until time.Time
	// tries are the tries to connect again since then.
	tries int
	// retryAfter is the pause that the daemon asked for when it refused the connection.
	retryAfter time.Duration
	// problem is why the last connection was lost.
	problem error

	// running ends when the client ends.
	running context.Context
	stop    context.CancelFunc
}

// call is one request.
type call struct {
	id      int64
	method  string
	params  map[string]any
	session *Session
	// isLeft is true if nobody waits for the answer of an open or attach; isTaken, if its session is known. Under the
	// client's mutex.
	isLeft, isTaken bool
	// answered is called once, without the mutex, on the goroutine that reads the connection.
	answered func(result json.RawMessage, err error)
}

// repeatable are the methods whose second execution has no effect beyond the first.
var repeatable = map[string]bool{
	"field/change": true, "field/focus": true, "field/blur": true, "field/fail": true, "step/show": true,
	"action/cancel":     true,
	"session/setLocale": true, "session/setContext": true, "session/reset": true, "session/get": true,
	"session/list": true, "session/close": true, "session/detach": true, "form/list": true, "form/describe": true, "form/schema": true,
	"form/validate": true, "text/validate": true, "server/ping": true, "server/info": true, "server/stats": true,
	"rpc.discover": true,
}

func (call *call) isRepeatable() bool {
	if !repeatable[call.method] {
		return false
	}
	if field, ok := call.params["field"].(string); ok && namesPosition(field) {
		return false
	}
	if values, ok := call.params["values"].(map[string]any); ok {
		for field := range values {
			if namesPosition(field) {
				return false
			}
		}
	}
	return true
}

// DefaultSocket is the path of the daemon's socket: FORMD_SOCKET, else the first path of protocol/wire.md that fits.
func DefaultSocket() string {
	if socket := os.Getenv("FORMD_SOCKET"); socket != "" {
		return socket
	}
	const inFolder = "formd/formd.sock"
	if folder := os.Getenv("XDG_RUNTIME_DIR"); folder != "" {
		return filepath.Join(folder, inFolder)
	}
	folder := fmt.Sprintf("/run/user/%d", os.Getuid())
	if info, err := os.Stat(folder); err == nil && isOwn(info) {
		return filepath.Join(folder, inFolder)
	}
	return fmt.Sprintf("/tmp/formd-%d/formd.sock", os.Getuid())
}

func isOwn(info os.FileInfo) bool {
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == os.Getuid()
}

// checkFolder refuses the folder of the last resort if other users could have made or changed it.
func checkFolder(socket string) error {
	folder := fmt.Sprintf("/tmp/formd-%d", os.Getuid())
	if filepath.Dir(socket) != folder {
		return nil
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() || !isOwn(info) || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("formd: %s must be a folder of this user alone (mode 0700)", folder)
	}
	return nil
}

// Dial connects to the daemon.
func Dial(ctx context.Context, options Options) (*Client, error) {
	if options.Socket == "" {
		options.Socket = DefaultSocket()
	}
	if options.Patience == 0 {
		options.Patience = 30 * time.Second
	}
	client := &Client{
		socket: options.Socket, patience: options.Patience, sent: map[int64]*call{},
		sessions: map[int64]*Session{}, away: map[*Session]bool{},
	}
	client.running, client.stop = context.WithCancel(context.Background())
	link, err := client.dial(ctx)
	if err != nil {
		client.stop()
		return nil, fmt.Errorf("formd: no daemon at %s (start one with formd serve): %w", options.Socket, err)
	}
	client.link = link
	go client.read(link)
	return client, nil
}

func (client *Client) dial(ctx context.Context) (*link, error) {
	if err := checkFolder(client.socket); err != nil {
		return nil, err
	}
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "unix", client.socket)
	if err != nil {
		return nil, err
	}
	return newLink(connection), nil
}

// Close ends the connection. The daemon closes the sessions that are not kept, and leaves the others.
func (client *Client) Close() {
	client.finish(fmt.Errorf("%w: the program closed it", ErrDisconnected))
}

// Call calls any method by its name and waits for its answer. A call of a method that is not known to be harmless is
// not sent twice.
//
// If the context has ended before the request is sent, the request is never sent. If it ends later, the error is both
// the context's error and ErrUnknown, for errors.Is: the daemon may have executed the request.
//
// params is encoded as JSON and must be an object; nil for none. The result is decoded into result, unless that is nil.
func (client *Client) Call(ctx context.Context, method string, params map[string]any, result any) error {
	return client.call(ctx, nil, method, params, result)
}

func (client *Client) call(
	ctx context.Context, session *Session, method string, params map[string]any, result any,
) error {
	if _, err := json.Marshal(params); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	type answer struct {
		result json.RawMessage
		err    error
	}
	answers := make(chan answer, 1)
	call := &call{method: method, params: params, session: session}
	call.answered = func(result json.RawMessage, err error) { answers <- answer{result, err} }
	client.begin(call)
	select {
	case answer := <-answers:
		if answer.err != nil || result == nil {
			return answer.err
		}
		return json.Unmarshal(answer.result, result)
	case <-ctx.Done():
		if client.cancel(call) {
			return sentAndLeft(method, ctx.Err())
		}
		return ctx.Err()
	}
}

// begin queues a call and sends it as soon as that is possible.
func (client *Client) begin(call *call) {
	client.mutex.Lock()
	err := client.end
	if call.session != nil && call.session.end != nil {
		err = call.session.end
	}
	if err == nil {
		client.queue = append(client.queue, call)
		client.pump()
	}
	client.mutex.Unlock()
	if err != nil {
		call.answered(nil, err)
	}
}

// cancel forgets a call, and tells the daemon if it has the request. It returns whether the request was ever sent.
func (client *Client) cancel(call *call) bool {
	client.mutex.Lock()
	defer client.mutex.Unlock()
	call.isLeft = true
	for index, queued := range client.queue {
		if queued == call {
			client.queue = append(client.queue[:index], client.queue[index+1:]...)
			break
		}
	}
	if client.sent[call.id] == call {
		// An open or attach that was executed all the same has a session to leave.
		if !beginsSession[call.method] {
			delete(client.sent, call.id)
		}
		client.link.write(message{Method: "$/cancelRequest", Params: map[string]any{"id": call.id}})
		client.pump()
	}
	return call.id != 0
}

// beginsSession are the methods whose answer is a session.
var beginsSession = map[string]bool{"session/open": true, "session/attach": true}

// pump sends the queued calls that can be sent now: those of no session, and those of attached sessions.
func (client *Client) pump() {
	if client.link == nil {
		return
	}
	var waiting []*call
	for _, call := range client.queue {
		if len(client.sent) >= requestsMax || call.session != nil && client.away[call.session] {
			waiting = append(waiting, call)
		} else {
			client.send(call)
		}
	}
	client.queue = waiting
}

func (client *Client) send(call *call) {
	client.lastID++
	call.id = client.lastID
	params := map[string]any{}
	for name, value := range call.params {
		params[name] = value
	}
	if call.session != nil && call.method != "session/attach" {
		params["session"] = call.session.number
	}
	client.sent[call.id] = call
	id, _ := json.Marshal(call.id)
	client.link.write(message{ID: id, Method: call.method, Params: params})
}

// read handles the messages of a connection until it ends.
func (client *Client) read(link *link) {
	for {
		message, err := link.read()
		if err != nil {
			link.close()
			client.lost(link, err)
			return
		}
		client.handle(link, message)
	}
}

func (client *Client) handle(link *link, message *received) {
	switch {
	case message.Method != "" && message.ID != nil:
		refusal := map[string]any{"code": -32601, "message": "This client answers no requests"}
		link.write(map[string]any{"jsonrpc": "2.0", "id": message.ID, "error": refusal})
	case message.Method != "":
		client.pushed(message.Method, message.Params)
	default:
		client.answered(link, message)
	}
}

func (client *Client) answered(link *link, message *received) {
	var id int64
	if json.Unmarshal(message.ID, &id) != nil || string(message.ID) == "null" {
		if message.Error != nil {
			client.disconnected(link, message.Error)
		}
		return
	}
	client.mutex.Lock()
	call := client.sent[id]
	if call == nil || client.link != link {
		client.mutex.Unlock()
		return
	}
	if isSessionClosed(message.Error) && call.session != nil && call.session.end == nil {
		// The reason follows, in session/closed.
		call.session.held = append(call.session.held, call)
		delete(client.sent, id)
		client.mutex.Unlock()
		return
	}
	delete(client.sent, id)
	client.pump()
	client.mutex.Unlock()
	if message.Error != nil {
		message.Error.Method = call.method
		call.answered(nil, message.Error)
	} else {
		call.answered(message.Result, nil)
	}
}

// disconnected handles an error of no request: the daemon ends the connection.
func (client *Client) disconnected(link *link, refused *RefusedError) {
	refused.Method = "connection"
	if refused.Code == CodeDisconnected {
		client.finish(fmt.Errorf("%w: an operator ended it", ErrDisconnected))
		return
	}
	client.mutex.Lock()
	defer client.mutex.Unlock()
	if client.link == link {
		client.problem, client.retryAfter = refused, refused.retryAfter()
	}
}

func isSessionClosed(refused *RefusedError) bool {
	return refused != nil && refused.Code == CodeRequestCancelled && refused.Data["reason"] == "sessionClosed"
}

// pushed handles a message that the daemon sends on its own. Unknown ones are ignored.
func (client *Client) pushed(method string, params json.RawMessage) {
	var push struct {
		Session    int64          `json:"session"`
		Revision   int64          `json:"revision"`
		From       int64          `json:"from"`
		Cause      string         `json:"cause"`
		Patch      any            `json:"patch"`
		Values     map[string]any `json:"values"`
		Absent     []string       `json:"absent"`
		Events     []Event        `json:"events"`
		EventsLost int64          `json:"eventsLost"`
		Reason     string         `json:"reason"`
	}
	if json.Unmarshal(params, &push) != nil {
		return
	}
	client.mutex.Lock()
	session := client.sessions[push.Session]
	client.mutex.Unlock()
	if session == nil {
		return
	}
	switch method {
	case "session/update":
		if session.update(push.From, push.Revision, push.Cause, push.Patch, push.Values, push.Absent, push.Events) {
			return
		}
		session.refresh(0)
	case "session/desync":
		session.refresh(push.EventsLost)
	case "session/closed":
		client.closed(session, push.Reason)
	}
}

// closed handles the end of a session at the daemon.
func (client *Client) closed(session *Session, reason string) {
	client.mutex.Lock()
	held := session.held
	session.held = nil
	delete(client.sessions, session.number)
	comesBack := session.key != "" && (reason == "store" || reason == "lost" || reason == "draining")
	if !comesBack {
		client.mutex.Unlock()
		session.finish(fmt.Errorf("%w: %s", ErrClosed, reason), held)
		return
	}
	client.away[session] = true
	client.sort(held)
	link := client.link
	now := time.Now()
	if session.until.IsZero() || now.Sub(session.attachedAt) > pauseMax {
		session.losses, session.until = 0, now.Add(client.patience)
	}
	losses, end := session.losses, session.until
	session.losses++
	client.mutex.Unlock()
	// A daemon that is ending does not take the session back; the end of the connection follows.
	if reason != "draining" && link != nil {
		go client.attachAgain(link, session, losses, end, reason)
	}
}

// sort decides what becomes of calls that were sent and not answered: they are sent again, or their outcome is unknown.
func (client *Client) sort(calls []*call) {
	sort.Slice(calls, func(one, other int) bool { return calls[one].id < calls[other].id })
	var again []*call
	for _, call := range calls {
		if call.isRepeatable() {
			again = append(again, call)
		} else {
			client.doomed = append(client.doomed, call)
		}
	}
	client.queue = append(again, client.queue...)
}

// lost handles the end of a connection.
func (client *Client) lost(link *link, cause error) {
	client.mutex.Lock()
	if client.link != link || client.end != nil {
		client.mutex.Unlock()
		return
	}
	client.link = nil
	if client.problem != nil {
		cause = client.problem
	}
	var calls []*call
	for _, call := range client.sent {
		calls = append(calls, call)
	}
	client.sent = map[int64]*call{}
	var ended []*Session
	for _, session := range client.sessions {
		calls = append(calls, session.held...)
		session.held = nil
		if session.key != "" {
			client.away[session] = true
		} else {
			ended = append(ended, session)
		}
	}
	client.sessions = map[int64]*Session{}
	comesBack := len(client.away) > 0 && client.patience > 0
	if client.until.IsZero() {
		client.until = time.Now().Add(client.patience)
	}
	reason := fmt.Errorf("%w: %v", ErrDisconnected, cause)
	var attaches, kept []*call
	for _, call := range calls {
		if call.method == "session/attach" {
			attaches = append(attaches, call)
		} else {
			kept = append(kept, call)
		}
	}
	client.sort(kept)
	client.mutex.Unlock()
	for _, call := range attaches {
		call.answered(nil, reason)
	}
	for _, session := range ended {
		session.finish(fmt.Errorf("%w: the connection was lost, and the session was not kept", ErrClosed), nil)
	}
	if !comesBack {
		client.finish(reason)
		return
	}
	go client.comeBack(cause)
}

const pauseMax = 2 * time.Second

// pauses are the times between two tries: growing, and different for each client.
func pause(try int) time.Duration {
	longest := 50 * time.Millisecond << min(try, 6)
	if longest > pauseMax {
		longest = pauseMax
	}
	return longest/2 + time.Duration(rand.Int63n(int64(longest)))
}

func min(one, other int) int {
	if one < other {
		return one
	}
	return other
}

// rest waits for a duration. It returns false if the client ends first.
func (client *Client) rest(duration time.Duration) bool {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-client.running.Done():
		return false
	}
}

// comeBack connects again and attaches the sessions that are away. The pauses and the deadline go on over connections
// that end before a session is attached. problem is why the last connection was lost.
func (client *Client) comeBack(problem error) {
	for {
		client.mutex.Lock()
		end, try, wait := client.until, client.tries, client.retryAfter
		client.tries++
		client.mutex.Unlock()
		if try > 0 || wait > 0 {
			left := time.Until(end)
			if left <= 0 || wait > left {
				client.finish(fmt.Errorf("%w: tried for %v; the last error: %v", ErrDisconnected, client.patience, problem))
				return
			}
			if least := pause(try); wait < least {
				wait = least
			}
			if wait > left {
				wait = left
			}
			if !client.rest(wait) {
				return
			}
		}
		link, err := client.dial(client.running)
		if err != nil {
			problem = err
			continue
		}
		client.mutex.Lock()
		if client.end != nil {
			client.mutex.Unlock()
			link.close()
			return
		}
		client.link, client.problem, client.retryAfter = link, nil, 0
		var away []*Session
		for session := range client.away {
			away = append(away, session)
		}
		client.pump()
		client.mutex.Unlock()
		go client.read(link)
		for _, session := range away {
			go client.attach(link, session, end)
		}
		return
	}
}

// isBack ends the tries to connect again once no session is away. Under the mutex.
func (client *Client) isBack() {
	if len(client.away) == 0 {
		client.until, client.tries = time.Time{}, 0
	}
}

// attachAgain attaches a session that the daemon has closed. The pauses and the end of the patience go on if the
// session is closed again soon.
func (client *Client) attachAgain(link *link, session *Session, losses int, end time.Time, reason string) {
	if losses > 0 {
		if time.Now().After(end) {
			client.giveUp(session, errors.New(reason))
			return
		}
		if !client.rest(pause(losses - 1)) {
			return
		}
	}
	client.attach(link, session, end)
}

// giveUp ends a session that could not be attached again.
func (client *Client) giveUp(session *Session, problem error) {
	client.mutex.Lock()
	delete(client.away, session)
	client.isBack()
	client.mutex.Unlock()
	session.finish(fmt.Errorf("%w: it could not be attached again: %v", ErrClosed, problem), nil)
	client.settle()
}

// attach attaches one session over a connection. If the connection is lost, the next one attaches the session.
func (client *Client) attach(link *link, session *Session, end time.Time) {
	for try := 0; ; try++ {
		answers := make(chan error, 1)
		call := &call{method: "session/attach", session: session}
		call.params = map[string]any{"key": session.key, "seq": session.lastSeq()}
		call.answered = func(result json.RawMessage, err error) {
			// On the goroutine that reads: updates behind the answer find the session.
			if err == nil {
				err = client.attached(session, result)
			}
			answers <- err
		}
		client.mutex.Lock()
		if client.link != link {
			client.mutex.Unlock()
			return
		}
		client.send(call)
		client.mutex.Unlock()
		err := <-answers
		var refused *RefusedError
		if err == nil || !errors.As(err, &refused) {
			return
		}
		isLater := refused.Code == CodeOverloaded || refused.Code == CodeDraining
		if !isLater || time.Now().After(end) {
			client.giveUp(session, refused)
			return
		}
		wait := refused.retryAfter()
		if least := pause(try); wait < least {
			wait = least
		}
		if !client.rest(wait) {
			return
		}
	}
}

// attached takes the state of a session that was attached, and sends what has waited for it.
func (client *Client) attached(session *Session, result json.RawMessage) error {
	var state sessionState
	if err := json.Unmarshal(result, &state); err != nil {
		return err
	}
	client.mutex.Lock()
	client.take(session, state.Session)
	client.mutex.Unlock()
	session.replace(state)
	client.settle()
	return nil
}

// take knows a session by its number on this connection. Under the mutex.
func (client *Client) take(session *Session, number int64) {
	delete(client.away, session)
	client.isBack()
	session.number = number
	session.attachedAt = time.Now()
	client.sessions[number] = session
}

// settle ends the calls whose outcome is unknown, once their sessions are current, and sends what has waited.
func (client *Client) settle() {
	client.mutex.Lock()
	var unknown, rest []*call
	for _, call := range client.doomed {
		if call.session != nil && client.away[call.session] {
			rest = append(rest, call)
		} else {
			unknown = append(unknown, call)
		}
	}
	client.doomed = rest
	client.pump()
	client.mutex.Unlock()
	for _, call := range unknown {
		call.answered(nil, fmt.Errorf("%w: %s", ErrUnknown, call.method))
	}
}

// finish ends the client for good.
func (client *Client) finish(reason error) {
	client.mutex.Lock()
	if client.end != nil {
		client.mutex.Unlock()
		return
	}
	client.end = reason
	client.stop()
	link := client.link
	client.link = nil
	var unanswered []*call
	for _, call := range client.sent {
		unanswered = append(unanswered, call)
	}
	unsent, sessions := client.queue, []*Session{}
	for _, session := range client.sessions {
		unanswered = append(unanswered, session.held...)
		session.held = nil
		sessions = append(sessions, session)
	}
	for session := range client.away {
		sessions = append(sessions, session)
	}
	unanswered = append(unanswered, client.doomed...)
	client.sent, client.queue, client.doomed = map[int64]*call{}, nil, nil
	client.sessions, client.away = map[int64]*Session{}, map[*Session]bool{}
	closed := &causedError{text: fmt.Sprintf("%v: %v", ErrClosed, reason), causes: []error{ErrClosed, reason}}
	for _, session := range sessions {
		if session.end == nil {
			session.end = closed
		}
	}
	client.mutex.Unlock()
	if link != nil {
		link.close()
	}
	for _, session := range sessions {
		session.finish(closed, nil)
	}
	for _, call := range unsent {
		call.answered(nil, client.endOf(call))
	}
	for _, call := range unanswered {
		if call.isRepeatable() || call.method == "session/attach" {
			call.answered(nil, client.endOf(call))
		} else {
			call.answered(nil, fmt.Errorf("%w: %s: %v", ErrUnknown, call.method, reason))
		}
	}
}

// endOf is why a call cannot be made: the end of its session, or of the client.
func (client *Client) endOf(call *call) error {
	client.mutex.Lock()
	defer client.mutex.Unlock()
	if call.session != nil && call.session.end != nil {
		return call.session.end
	}
	return client.end
}
