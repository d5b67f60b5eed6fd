// formd in the browser: connects a page's form to its session. A stand-in: it opens the socket and keeps the document.
export function connect({ url, key, seq = 0, form, locale, zone, onMessage = () => {} }) {
  const socket = new WebSocket(url, 'formd.1');
  const method = key ? 'session/attach' : 'session/open';
  const params = key ? { key, seq } : { form, locale, zone };
  socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  socket.onmessage = (event) => onMessage(JSON.parse(event.data));
  return socket;
}
