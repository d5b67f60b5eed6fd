package formd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Change is one change of a session's document. All its parts are shared and must not be modified.
type Change struct {
	// Cause is the method of the input, timer or effect, or resync after the document was replaced.
	Cause string
	// Patch is the merge patch; nil after the document was replaced.
	Patch any
	// Values are values that the daemon changed, by address. Absent are addresses that have no value any more.
	Values map[string]any
	Absent []string
	// Events are the ends of taps that this client has not seen before.
	Events []Event
}

// OpenOptions are the options of a new session. The zero value is right for most programs.
type OpenOptions struct {
	// Keep is how long the daemon keeps the session without clients; 0: it ends with its connection.
	Keep time.Duration
	// Locale is the language of the texts, such as "ko" or "en-GB".
	Locale string
	// Zone is the user's time zone, such as "Europe/Zurich".
	Zone string
	// Values are the initial values.
	Values map[string]any
	// Context has the values that formulas read as context.
	Context map[string]any
	// Definition is a form that the program brings along, in the place of a form's name.
	Definition map[string]any
}

// Session is one live copy of a form.
type Session struct {
	client *Client
	// key opens a kept session again; "" if it is not kept.
	key string

	// Under the client's mutex:

	// number is the session's number on its connection.
	number int64
	// end is why the client does not have the session any more.
	end error
	// held are refused calls that wait for the reason of the session's end.
	held []*call
	// attachedAt is the time of the last attach.
	attachedAt time.Time
	// losses is how often the daemon has closed the session soon after an attach.
	losses int
	// until is the end of the patience for a session that the daemon closes again and again.
	until time.Time

	mutex      sync.Mutex
	document   map[string]any
	values     map[string]any
	revision   int64
	seq        int64
	eventsLost int64
	isOutdated bool
	listeners  map[int]func(Change)
	lastListen int
	// changed is closed and replaced with each change.
	changed chan struct{}
}

// sessionState is the answer to session/open, session/attach and session/get.
type sessionState struct {
	Session    int64          `json:"session"`
	Revision   int64          `json:"revision"`
	Document   map[string]any `json:"document"`
	Values     map[string]any `json:"values"`
	Key        string         `json:"key"`
	Events     []Event        `json:"events"`
	EventsLost int64          `json:"eventsLost"`
}

// Open opens a session of a form. If the context ends first, the client closes the session as soon as it has it.
func (client *Client) Open(ctx context.Context, form string, options OpenOptions) (*Session, error) {
	params := map[string]any{}
	if options.Definition != nil {
		params["definition"] = options.Definition
	} else {
		params["form"] = form
	}
	if options.Keep != 0 {
		params["keep"] = keepText(options.Keep)
	}
	if options.Locale != "" {
		params["locale"] = options.Locale
	}
	if options.Zone != "" {
		params["zone"] = options.Zone
	}
	if options.Values != nil {
		params["values"] = options.Values
	}
	if options.Context != nil {
		params["context"] = options.Context
	}
	return client.begun(ctx, "session/open", params, "")
}

// keepText is a duration in the words of the protocol: "10m", "90s", "1500ms".
func keepText(duration time.Duration) string {
	switch {
	case duration%time.Minute == 0:
		return fmt.Sprintf("%dm", duration/time.Minute)
	case duration%time.Second == 0:
		return fmt.Sprintf("%ds", duration/time.Second)
	default:
		return fmt.Sprintf("%dms", duration/time.Millisecond)
	}
}

// Attach joins a kept session by its key. If clients have the session at another daemon, the call fails with code 1014,
// unless take is true: then the session moves to this daemon. If the client has the session already, Attach returns the
// Session that it has.
func (client *Client) Attach(ctx context.Context, key string, take bool) (*Session, error) {
	params := map[string]any{"key": key}
	if take {
		params["take"] = true
	}
	return client.begun(ctx, "session/attach", params, key)
}

func (client *Client) begun(ctx context.Context, method string, params map[string]any, key string) (*Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	session := &Session{client: client, listeners: map[int]func(Change){}, changed: make(chan struct{})}
	answers := make(chan error, 1)
	call := &call{method: method, params: params}
	call.answered = func(result json.RawMessage, err error) {
		// On the goroutine that reads: updates behind the answer find the session.
		var state sessionState
		if err == nil {
			err = json.Unmarshal(result, &state)
		}
		if err == nil {
			client.mutex.Lock()
			known := client.known(state.Session, key)
			if call.isLeft && known == nil {
				client.mutex.Unlock()
				client.leave(method, state.Session)
				return
			}
			call.isTaken = true
			if known != nil {
				session = known
			} else if session.key = state.Key; session.key == "" {
				session.key = key
			}
			client.take(session, state.Session)
			client.mutex.Unlock()
			session.replace(state)
			client.settle()
		}
		answers <- err
	}
	client.begin(call)
	select {
	case err := <-answers:
		if err != nil {
			return nil, err
		}
		return session, nil
	case <-ctx.Done():
		wasSent := client.cancel(call)
		client.mutex.Lock()
		isTaken := call.isTaken
		client.mutex.Unlock()
		if isTaken {
			<-answers
			return session, nil
		}
		if wasSent {
			return nil, sentAndLeft(method, ctx.Err())
		}
		return nil, ctx.Err()
	}
}

// known is the session with a number or a key that the client has already. Under the mutex.
func (client *Client) known(number int64, key string) *Session {
	if session := client.sessions[number]; session != nil {
		return session
	}
	for session := range client.away {
		if key != "" && session.key == key {
			return session
		}
	}
	return nil
}

// leave gives up a session whose open or attach was left before its answer came.
func (client *Client) leave(method string, number int64) {
	leaving := &call{method: "session/detach", params: map[string]any{"session": number}}
	if method == "session/open" {
		leaving.method = "session/close"
	}
	leaving.answered = func(json.RawMessage, error) {}
	client.begin(leaving)
}

// Key opens a kept session again, in any program. It is a secret. It is "" if the session is not kept.
func (session *Session) Key() string {
	session.client.mutex.Lock()
	defer session.client.mutex.Unlock()
	return session.key
}

// Document is the current document. It is shared, is never changed, and must not be modified.
func (session *Session) Document() map[string]any {
	session.mutex.Lock()
	defer session.mutex.Unlock()
	return session.document
}

// Values are the values that the daemon has told, without secrets: those of the opening or of the last attach. Later
// changes by the daemon are in Change.Values.
func (session *Session) Values() map[string]any {
	session.mutex.Lock()
	defer session.mutex.Unlock()
	return session.values
}

// EventsLost is the number of events that the daemon could not keep for this client.
func (session *Session) EventsLost() int64 {
	session.mutex.Lock()
	defer session.mutex.Unlock()
	return session.eventsLost
}

// Rows are the rows of a list, in order.
func (session *Session) Rows(list string) []ListRow { return Rows(session.Document(), list) }

// Err says why the client does not have the session any more; nil while it has it.
func (session *Session) Err() error {
	session.client.mutex.Lock()
	defer session.client.mutex.Unlock()
	return session.end
}

// Listen calls heard with each change until the returned function is called. At the end of the session it is not
// called; see Wait and Err.
func (session *Session) Listen(heard func(Change)) (forget func()) {
	session.mutex.Lock()
	defer session.mutex.Unlock()
	session.lastListen++
	number := session.lastListen
	session.listeners[number] = heard
	return func() {
		session.mutex.Lock()
		defer session.mutex.Unlock()
		delete(session.listeners, number)
	}
}

// Wait waits until the document fulfils a condition. It returns the error of the context, or why the session ended.
func (session *Session) Wait(ctx context.Context, isTrue func(document map[string]any) bool) error {
	for {
		session.mutex.Lock()
		document, changed := session.document, session.changed
		session.mutex.Unlock()
		if isTrue(document) {
			return nil
		}
		if err := session.Err(); err != nil {
			return err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Change changes a field. A nil value removes it. The field is a name, or an address such as "/items/#7/sku".
func (session *Session) Change(ctx context.Context, field string, value any) error {
	return session.call(ctx, "field/change", map[string]any{"field": field, "value": value}, nil)
}

// ChangeAll changes several fields in one turn, by address.
func (session *Session) ChangeAll(ctx context.Context, values map[string]any) error {
	return session.call(ctx, "field/change", map[string]any{"values": values}, nil)
}

// Commit changes a field and leaves it, as a program does that does not know the focus.
func (session *Session) Commit(ctx context.Context, field string, value any) error {
	return session.call(ctx, "field/change", map[string]any{"field": field, "value": value, "commit": true}, nil)
}

// Focus says that the user has entered a field.
func (session *Session) Focus(ctx context.Context, field string) error {
	return session.call(ctx, "field/focus", map[string]any{"field": field}, nil)
}

// Blur says that the user has left a field.
func (session *Session) Blur(ctx context.Context, field string) error {
	return session.call(ctx, "field/blur", map[string]any{"field": field}, nil)
}

// Fail shows an error that the program's own server found, until the value changes.
func (session *Session) Fail(ctx context.Context, field, message string) error {
	return session.call(ctx, "field/fail", map[string]any{"field": field, "message": message}, nil)
}

// Insert adds a row behind the last one, and returns its identity, such as "7". A nil value takes the schema's default.
func (session *Session) Insert(ctx context.Context, list string, value any) (row string, err error) {
	params := map[string]any{"field": list}
	if value != nil {
		params["value"] = value
	}
	var answer InsertAnswer
	err = session.call(ctx, "field/insert", params, &answer)
	return answer.Row, err
}

// Remove removes a row, a member or the value of a field.
func (session *Session) Remove(ctx context.Context, address string) error {
	return session.call(ctx, "field/remove", map[string]any{"field": address}, nil)
}

// Move moves a row. to is its new position, or the row before which it is put ("#7").
func (session *Session) Move(ctx context.Context, row string, to any) error {
	return session.call(ctx, "field/move", map[string]any{"field": row, "to": to}, nil)
}

// Toggle marks a choice of a multiple choice, or takes the mark away.
func (session *Session) Toggle(ctx context.Context, field string, value any) error {
	return session.call(ctx, "field/toggle", map[string]any{"field": field, "value": value}, nil)
}

// Show says that the user went to a step.
func (session *Session) Show(ctx context.Context, step string) error {
	return session.call(ctx, "step/show", map[string]any{"step": step}, nil)
}

// Cancel gives up an action: each of its taps that has not ended ends with the event EventKindCancelled.
func (session *Session) Cancel(ctx context.Context, action string) error {
	return session.call(ctx, "action/cancel", map[string]any{"action": action}, nil)
}

// SetLocale changes the language of the texts.
func (session *Session) SetLocale(ctx context.Context, locale string) error {
	return session.call(ctx, "session/setLocale", map[string]any{"locale": locale}, nil)
}

// SetContext replaces the context, the values that formulas read as context.
func (session *Session) SetContext(ctx context.Context, values map[string]any) error {
	return session.call(ctx, "session/setContext", map[string]any{"context": values}, nil)
}

// Reset restores the initial values.
func (session *Session) Reset(ctx context.Context) error {
	return session.call(ctx, "session/reset", nil, nil)
}

// ResetField restores the initial value of one field, with all fields inside it.
func (session *Session) ResetField(ctx context.Context, field string) error {
	return session.call(ctx, "session/reset", map[string]any{"field": field}, nil)
}

// Undo takes back the last edit of the session's users. Without one, nothing changes.
func (session *Session) Undo(ctx context.Context) error {
	return session.call(ctx, "session/undo", nil, nil)
}

// Redo repeats the edit that was taken back last. Without one, nothing changes.
func (session *Session) Redo(ctx context.Context) error {
	return session.call(ctx, "session/redo", nil, nil)
}

// Tap asks for an action. The tap's event reports its end.
func (session *Session) Tap(ctx context.Context, action string) (TapAnswer, error) {
	var answer TapAnswer
	err := session.call(ctx, "action/tap", map[string]any{"action": action}, &answer)
	return answer, err
}

// TapAndWait asks for an action and waits for the tap's event. The event is nil if a throttle or debounce dropped it.
func (session *Session) TapAndWait(ctx context.Context, action string) (*Event, error) {
	var answer TapAnswer
	err := session.call(ctx, "action/tap", map[string]any{"action": action, "await": true}, &answer)
	return answer.Event, err
}

// Close ends the session, for all its clients.
func (session *Session) Close(ctx context.Context) error { return session.leave(ctx, "session/close") }

// Detach leaves a kept session. Its key opens it again.
func (session *Session) Detach(ctx context.Context) error {
	return session.leave(ctx, "session/detach")
}

func (session *Session) leave(ctx context.Context, method string) error {
	if err := session.call(ctx, method, nil, nil); err != nil {
		return err
	}
	session.client.mutex.Lock()
	held := session.held
	session.held = nil
	delete(session.client.sessions, session.number)
	session.client.mutex.Unlock()
	session.finish(fmt.Errorf("%w: the program has left it", ErrClosed), held)
	return nil
}

// Call calls any method of the session by its name; the client adds the session's number.
func (session *Session) Call(ctx context.Context, method string, params map[string]any, result any) error {
	return session.call(ctx, method, params, result)
}

func (session *Session) call(ctx context.Context, method string, params map[string]any, result any) error {
	return session.client.call(ctx, session, method, params, result)
}

func (session *Session) lastSeq() int64 {
	session.mutex.Lock()
	defer session.mutex.Unlock()
	return session.seq
}

// update merges an update. It returns false if the document must be asked for.
func (session *Session) update(
	from, revision int64, cause string, patch any, values map[string]any, absent []string, events []Event,
) bool {
	session.mutex.Lock()
	if session.isOutdated {
		events = session.newEvents(events)
		session.tell(Change{Cause: cause, Events: events})
		return true
	}
	if from != session.revision {
		session.mutex.Unlock()
		return false
	}
	session.document, _ = MergePatch(session.document, patch).(map[string]any)
	session.revision = revision
	events = session.newEvents(events)
	session.tell(Change{Cause: cause, Patch: patch, Values: values, Absent: absent, Events: events})
	return true
}

// newEvents are the events that this client has not seen before.
func (session *Session) newEvents(events []Event) []Event {
	var unseen []Event
	for _, event := range events {
		if event.Seq > session.seq {
			unseen = append(unseen, event)
			session.seq = event.Seq
		}
	}
	return unseen
}

// replace takes the whole state of the session.
func (session *Session) replace(state sessionState) {
	session.mutex.Lock()
	session.document, session.values, session.revision = state.Document, state.Values, state.Revision
	session.isOutdated = false
	events := session.newEvents(state.Events)
	session.eventsLost += state.EventsLost
	if len(state.Events) == 0 {
		// The next attach does not ask for the lost events again.
		session.seq += state.EventsLost
	}
	session.tell(Change{Cause: "resync", Events: events})
}

// tell unlocks the session and calls the listeners.
func (session *Session) tell(change Change) {
	close(session.changed)
	session.changed = make(chan struct{})
	listeners := make([]func(Change), 0, len(session.listeners))
	for number := 1; number <= session.lastListen; number++ {
		if heard := session.listeners[number]; heard != nil {
			listeners = append(listeners, heard)
		}
	}
	session.mutex.Unlock()
	for _, heard := range listeners {
		heard(change)
	}
}

// refresh asks for the whole document.
func (session *Session) refresh(eventsLost int64) {
	session.mutex.Lock()
	session.isOutdated = true
	session.eventsLost += eventsLost
	session.seq += eventsLost
	session.mutex.Unlock()
	session.get(0)
}

// get asks for the whole document until it has it. try is how often the daemon has refused that.
func (session *Session) get(try int) {
	call := &call{method: "session/get", session: session}
	call.answered = func(result json.RawMessage, err error) {
		var state sessionState
		if err == nil && json.Unmarshal(result, &state) == nil {
			session.replace(state)
		}
		var refused *RefusedError
		if errors.As(err, &refused) {
			go session.getAgain(refused, try)
		}
	}
	session.client.begin(call)
}

func (session *Session) getAgain(refused *RefusedError, try int) {
	wait := refused.retryAfter()
	if least := pause(try); wait < least {
		wait = least
	}
	if !session.client.rest(wait) {
		return
	}
	session.mutex.Lock()
	isOutdated := session.isOutdated
	session.mutex.Unlock()
	if isOutdated {
		session.get(try + 1)
	}
}

// finish ends the session for this client: for its queued calls, and for held ones.
func (session *Session) finish(reason error, held []*call) {
	client := session.client
	client.mutex.Lock()
	if session.end == nil {
		session.end = reason
	}
	var waiting, doomed, ended, unknown []*call
	for _, call := range client.queue {
		if call.session == session {
			ended = append(ended, call)
		} else {
			waiting = append(waiting, call)
		}
	}
	for _, call := range client.doomed {
		if call.session == session {
			unknown = append(unknown, call)
		} else {
			doomed = append(doomed, call)
		}
	}
	for _, call := range held {
		if call.isRepeatable() {
			ended = append(ended, call)
		} else {
			unknown = append(unknown, call)
		}
	}
	client.queue, client.doomed = waiting, doomed
	client.mutex.Unlock()
	for _, call := range ended {
		call.answered(nil, reason)
	}
	for _, call := range unknown {
		call.answered(nil, fmt.Errorf("%w: %s: %v", ErrUnknown, call.method, reason))
	}
	session.mutex.Lock()
	close(session.changed)
	session.changed = make(chan struct{})
	session.mutex.Unlock()
}
