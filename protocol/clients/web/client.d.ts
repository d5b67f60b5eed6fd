/** Connects to a session of formd through formd-web. */
export function connect(options: {
  url: string;
  key?: string;
  seq?: number;
  form?: string;
  locale?: string;
  zone?: string;
  onMessage?: (message: unknown) => void;
}): WebSocket;
