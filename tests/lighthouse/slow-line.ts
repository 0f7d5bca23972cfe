/** Lighthouse's slow 4G. */
const roundTripMilliseconds = 150;
const bitsPerSecond = 1638 * 1024;
/** A TCP segment, and how many of them a new connection may have under way (RFC 6928). */
const segmentBytes = 1460;
const firstWindow = 10 * segmentBytes;

const oneWay = roundTripMilliseconds / 2;

/**
 * A slow line to the server at `port`: every byte takes its way and its turn on a link that all connections
 * share, a connection begins with a handshake, and what may be under way on it grows with each confirmation,
 * as in TCP's slow start (RFC 5681 §3.1). Nothing is lost on it.
 */
export function startSlowLine(port: number) {
  const link = { freeAt: 0 };
  const server = Bun.listen<Promise<Connection>>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(browser) {
        browser.data = connect(browser, port, link);
      },
      data(browser, bytes) {
        const copy = Buffer.from(bytes);
        void browser.data.then((connection) => connection.up(copy));
      },
      close(browser) {
        void browser.data.then((connection) => connection.end());
      },
    },
  });
  return { port: server.port, stop: () => server.stop(true) };
}

type Connection = { up(bytes: Buffer): void; end(): void };

async function connect(
  browser: Bun.Socket<unknown>,
  port: number,
  link: { freeAt: number },
): Promise<Connection> {
  const opened = performance.now();
  const down = slowStart(link, (bytes) => void browser.write(bytes));
  const shop = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: { data: (_, bytes) => down(Buffer.from(bytes)), close: () => void browser.end() },
  });
  return {
    up(bytes) {
      // the kernel accepted the connection at once; on the slow line that takes a round trip
      const handshake = Math.max(0, opened + roundTripMilliseconds - performance.now());
      setTimeout(() => void shop.write(bytes), handshake + oneWay);
    },
    end: () => void shop.end(),
  };
}

/** Forwards data in segments, each as soon as the window and the link allow. */
function slowStart(link: { freeAt: number }, deliver: (bytes: Buffer) => void) {
  const waiting: Buffer[] = [];
  let window = firstWindow;
  let underWay = 0;
  const pump = () => {
    for (let next = waiting[0]; next && underWay + next.length <= window; next = waiting[0]) {
      waiting.shift();
      underWay += next.length;
      const segment = next;
      link.freeAt = Math.max(link.freeAt, performance.now()) + (segment.length * 8 * 1000) / bitsPerSecond;
      const arrivesIn = link.freeAt - performance.now() + oneWay;
      setTimeout(() => deliver(segment), arrivesIn);
      setTimeout(() => {
        underWay -= segment.length;
        window += segment.length;
        pump();
      }, arrivesIn + oneWay);
    }
  };
  return (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at += segmentBytes)
      waiting.push(bytes.subarray(at, at + segmentBytes));
    pump();
  };
}
