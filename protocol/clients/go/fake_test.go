package formd

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fake is one connection of a scripted server in the place of the daemon.
type fake struct {
	net.Conn
	reader *bufio.Reader
	number int
}

type object = map[string]any

// read returns the next request; nil at the end of the connection.
func (fake *fake) read() object {
	line, err := fake.reader.ReadBytes('\n')
	var request object
	if err != nil || json.Unmarshal(line, &request) != nil {
		return nil
	}
	return request
}

func (fake *fake) write(message object) {
	line, _ := json.Marshal(message)
	fake.Conn.Write(append(line, '\n'))
}

func (fake *fake) answer(request object, result any) {
	fake.write(object{"id": request["id"], "result": result})
}

func (fake *fake) refuse(request object, code int, data object) {
	fake.write(object{"id": request["id"], "error": object{"code": code, "message": "No", "data": data}})
}

// state answers an open, attach or get with a session whose document names the connection.
func (fake *fake) state(request object) {
	fake.answer(request, object{
		"session": 1, "revision": 0, "values": object{}, "key": "K", "document": object{"connection": fake.number},
	})
}

// play dials a server that runs serve for each connection, one at a time, and closes it then.
func play(t *testing.T, patience time.Duration, serve func(*fake)) (context.Context, *Client, net.Listener) {
	// The path of a socket must be short.
	folder, err := os.MkdirTemp("", "formd")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(folder, "s"))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for number := 1; ; number++ {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			serve(&fake{Conn: connection, reader: bufio.NewReader(connection), number: number})
			connection.Close()
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	client, err := Dial(ctx, Options{Socket: listener.Addr().String(), Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); cancel(); listener.Close(); os.RemoveAll(folder) })
	return ctx, client, listener
}

func opened(t *testing.T, ctx context.Context, client *Client) *Session {
	session, err := client.Open(ctx, "f", OpenOptions{Keep: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// ended waits until the client has given the session up, and returns why.
func ended(ctx context.Context, session *Session) error {
	return session.Wait(ctx, func(map[string]any) bool { return false })
}

func TestPausesAndPatienceGoOnOverConnectionsThatEndAtOnce(t *testing.T) {
	accepted := make(chan int, 1000)
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		select {
		case accepted <- fake.number:
		default:
		}
		if request := fake.read(); fake.number == 1 {
			fake.state(request)
		}
	})
	session := opened(t, ctx, client)
	if err := ended(ctx, session); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "tried for 1s") {
		t.Fatal(err)
	}
	// With the shortest pauses (50, 100, 200 and 400 ms), a second has room for these tries.
	if len(accepted) > 8 {
		t.Errorf("%d connections in a second", len(accepted))
	}
}

func TestADaemonWithoutRoomForConnectionsSetsThePause(t *testing.T) {
	accepted := make(chan int, 1000)
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		accepted <- fake.number
		if fake.number == 1 {
			fake.state(fake.read())
			return
		}
		data := object{"limit": "connectionsMax", "retryAfterMs": 60000}
		fake.write(object{"id": nil, "error": object{"code": CodeOverloaded, "message": "No room", "data": data}})
	})
	err := ended(ctx, opened(t, ctx, client))
	if !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "No room") {
		t.Error(err)
	}
	if len(accepted) != 2 {
		t.Errorf("%d connections before retryAfterMs", len(accepted))
	}
}

func TestAnAttachedSessionEndsTheTries(t *testing.T) {
	// Each connection but the first attaches the session, and is lost with the next request.
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		fake.state(fake.read())
		fake.read()
	})
	session := opened(t, ctx, client)
	for number := 1.0; number <= 12; number++ {
		if err := session.Wait(ctx, func(document map[string]any) bool { return document["connection"] == number }); err != nil {
			t.Fatal(err)
		}
		if _, err := session.Tap(ctx, "go"); !errors.Is(err, ErrUnknown) {
			t.Fatal(err)
		}
	}
}

func TestACallWhoseContextHasEndedIsNotSent(t *testing.T) {
	methods := make(chan any, 10)
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		for request := fake.read(); request != nil; request = fake.read() {
			methods <- request["method"]
			fake.state(request)
		}
	})
	session := opened(t, ctx, client)
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := session.Tap(over, "go"); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if _, err := client.Open(over, "f", OpenOptions{}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
	if err := client.Call(ctx, "server/ping", nil, nil); err != nil {
		t.Error(err)
	}
	if first, second := <-methods, <-methods; first != "session/open" || second != "server/ping" {
		t.Error(first, second)
	}
}

func TestAContextThatEndsAfterSendingLeavesTheOutcomeUnknown(t *testing.T) {
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		fake.state(fake.read())
		for fake.read() != nil {
		}
	})
	session := opened(t, ctx, client)
	short, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	_, err := session.Tap(short, "go")
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

func TestASessionThatNobodyWaitsForAnyMoreIsLeft(t *testing.T) {
	for method, leaving := range map[string]string{"session/open": "session/close", "session/attach": "session/detach"} {
		left := make(chan object, 1)
		over, cancel := context.WithCancel(context.Background())
		_, client, _ := play(t, time.Second, func(fake *fake) {
			request := fake.read()
			cancel()
			if fake.read()["method"] == "$/cancelRequest" {
				fake.state(request)
				left <- fake.read()
			}
		})
		var err error
		if method == "session/open" {
			_, err = client.Open(over, "f", OpenOptions{Keep: time.Hour})
		} else {
			_, err = client.Attach(over, "K", false)
		}
		if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnknown) {
			t.Error(err)
		}
		select {
		case request := <-left:
			if request["method"] != leaving || request["params"].(object)["session"] != 1.0 {
				t.Error(request)
			}
		case <-time.After(10 * time.Second):
			t.Error("the session was not left: ", method)
		}
	}
}

func TestARefusedGetIsAskedAgain(t *testing.T) {
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		fake.state(fake.read())
		fake.write(object{"method": "session/desync", "params": object{"session": 1, "revision": 7, "eventsLost": 0}})
		fake.refuse(fake.read(), CodeOverloaded, object{"retryAfterMs": 1})
		request := fake.read()
		fake.answer(request, object{"session": 1, "revision": 7, "document": object{"is": request["method"]}})
		fake.read()
	})
	session := opened(t, ctx, client)
	is := func(document map[string]any) bool { return document["is"] == "session/get" }
	short, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := session.Wait(short, is); err != nil {
		t.Error(err)
	}
}

func TestADrainingDaemonDoesNotEndTheSession(t *testing.T) {
	ctx, client, _ := play(t, 10*time.Second, func(fake *fake) {
		request := fake.read()
		if fake.number == 2 {
			fake.refuse(request, CodeDraining, nil)
			return
		}
		fake.state(request)
		if fake.number == 3 {
			fake.read()
		}
	})
	session := opened(t, ctx, client)
	if err := session.Wait(ctx, func(document map[string]any) bool { return document["connection"] == 3.0 }); err != nil {
		t.Error(err)
	}
}

func TestASessionThatIsAttachedTwiceIsOneSession(t *testing.T) {
	ctx, client, _ := play(t, time.Second, func(fake *fake) {
		for request := fake.read(); request != nil; request = fake.read() {
			fake.state(request)
		}
	})
	session := opened(t, ctx, client)
	if again, err := client.Attach(ctx, "K", false); err != nil || again != session {
		t.Error(again, err)
	}
}

func TestCloseAndTheEndOfPatienceCloseTheSessions(t *testing.T) {
	for _, isClosed := range []bool{true, false} {
		gone := make(chan struct{})
		var listener net.Listener
		ctx, client, listening := play(t, 500*time.Millisecond, func(fake *fake) {
			fake.state(fake.read())
			fake.read()
			listener.Close()
			close(gone)
		})
		listener = listening
		session := opened(t, ctx, client)
		// It is sent, and sent again once the session is back.
		result := make(chan error)
		go func() { result <- session.Change(ctx, "a", 1) }()
		<-gone
		wanted := "no such file"
		if isClosed {
			client.Close()
			wanted = "the program closed it"
			if client.running.Err() == nil {
				t.Error("the client dials after Close")
			}
		}
		waiting := <-result
		for _, err := range []error{waiting, session.Change(ctx, "a", 1), session.Err()} {
			if !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), wanted) {
				t.Error(err)
			}
		}
	}
}
