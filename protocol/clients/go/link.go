package formd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net"
	"sync"
)

// message is a request or a notification of this client.
type message struct {
	Version versionTag      `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  map[string]any  `json:"params,omitempty"`
}

// versionTag is written as "2.0".
type versionTag struct{}

func (versionTag) MarshalJSON() ([]byte, error) { return []byte(`"2.0"`), nil }

// received is any message of the daemon.
type received struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *RefusedError   `json:"error"`
}

// link is one connection: a message is a line. A goroutine of its own writes, so that a daemon that does not read never
// stops the goroutine that reads.
type link struct {
	connection net.Conn
	reader     *bufio.Reader

	mutex    sync.Mutex
	changed  *sync.Cond
	unsent   [][]byte
	isClosed bool
}

func newLink(connection net.Conn) *link {
	link := &link{connection: connection, reader: bufio.NewReaderSize(connection, 1<<16)}
	link.changed = sync.NewCond(&link.mutex)
	go link.writeAll()
	return link
}

// read waits for the next message. Lines that are not JSON objects are skipped.
func (link *link) read() (*received, error) {
	for {
		line, err := link.reader.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		message := &received{}
		if json.Unmarshal(bytes.TrimSpace(line), message) == nil {
			return message, nil
		}
	}
}

// write queues a message.
func (link *link) write(message any) {
	line, err := json.Marshal(message)
	if err != nil {
		return
	}
	link.mutex.Lock()
	link.unsent = append(link.unsent, append(line, '\n'))
	link.mutex.Unlock()
	link.changed.Signal()
}

func (link *link) writeAll() {
	for {
		link.mutex.Lock()
		for len(link.unsent) == 0 && !link.isClosed {
			link.changed.Wait()
		}
		lines, isClosed := link.unsent, link.isClosed
		link.unsent = nil
		link.mutex.Unlock()
		if isClosed {
			return
		}
		if _, err := link.connection.Write(bytes.Join(lines, nil)); err != nil {
			// The goroutine that reads finds the end, too. The daemon may have said why it ended the connection.
			if half, ok := link.connection.(interface{ CloseWrite() error }); ok {
				half.CloseWrite()
			}
			return
		}
	}
}

func (link *link) close() {
	link.mutex.Lock()
	link.isClosed = true
	link.mutex.Unlock()
	link.changed.Signal()
	link.connection.Close()
}
