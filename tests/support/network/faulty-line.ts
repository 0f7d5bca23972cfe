import type { Socket } from "bun";

type Far = Socket<{ near: Socket<Near> }>;
type Near = { far: Promise<Far>; asked: string; silent: boolean; after: Promise<void> };
type Fault = { about: RegExp; act: "cut" | "hold" | "hold answer"; met: () => void; until: Promise<void> };

/**
 * A proxy in front of a database server whose connections can fall silent, be slow, or fail at a chosen statement.
 * It passes bytes on, so that the client's own connections are what is tried. Listens on any free port if given none.
 */
export function startTroubledLine(target: string, port = 0) {
  const server = new URL(target);
  const open = new Set<Socket<Near>>();
  const faults: Fault[] = [];
  let latency = 0;

  /** Bytes arrive in the order in which they were sent, after the line's latency and what holds them. */
  const pass = (near: Socket<Near>, bytes: Buffer, to: () => Promise<void>) => {
    const copy = Buffer.from(bytes);
    const travelled = Bun.sleep(latency);
    near.data.after = near.data.after.then(async () => {
      await travelled;
      if (!near.data.silent) await to();
    });
    return copy;
  };
  const takeFault = (text: string, acts: Fault["act"][]): Fault | undefined => {
    const at = faults.findIndex(({ about, act }) => acts.includes(act) && about.test(text));
    return at < 0 ? undefined : faults.splice(at, 1)[0];
  };
  const listener = Bun.listen<Near>({
    hostname: "127.0.0.1",
    port,
    socket: {
      open(near) {
        open.add(near);
        const far = Bun.connect<{ near: Socket<Near> }>({
          hostname: server.hostname,
          port: Number(server.port),
          data: { near },
          socket: {
            data(_, bytes) {
              const fault = takeFault(near.data.asked, ["cut", "hold answer"]);
              near.data.asked = "";
              const copy = pass(near, bytes, async () => {
                fault?.met();
                if (fault?.act === "cut") near.terminate();
                else {
                  await fault?.until;
                  near.write(copy);
                }
              });
            },
            close: () => void (near.data.silent || near.end()),
          },
        });
        near.data = { far, asked: "", silent: false, after: Promise.resolve() };
      },
      data(near, bytes) {
        near.data.asked += bytes.toString().replaceAll("\\", "");
        const fault = takeFault(near.data.asked, ["hold"]);
        const copy = pass(near, bytes, async () => {
          fault?.met();
          await fault?.until;
          (await near.data.far).write(copy);
        });
      },
      async close(near) {
        open.delete(near);
        await near.data.after;
        (await near.data.far).end();
      },
    },
  });
  /** At the next request whose text matches. `met` resolves when it is there. */
  const meet = (act: Fault["act"], about: RegExp) => {
    const met = Promise.withResolvers<void>();
    const until = Promise.withResolvers<void>();
    faults.push({ about, act, met: met.resolve, until: until.promise });
    return { met: met.promise, release: until.resolve };
  };
  return {
    url: `http://127.0.0.1:${listener.port}`,
    /** Silences the open connections; new ones work. */
    fallSilent() {
      for (const near of open) near.data.silent = true;
    },
    /** How much longer each way takes. */
    delay(milliseconds: number) {
      latency = milliseconds;
    },
    /** The server carries it out, and the connection breaks before the answer. */
    cutAnswer: (about: RegExp) => meet("cut", about),
    /** The request reaches the server once released, even if its sender has given up. */
    hold: (about: RegExp) => meet("hold", about),
    /** The server carries it out, and the answer arrives once released. */
    holdAnswer: (about: RegExp) => meet("hold answer", about),
    stop: () => listener.stop(true),
  };
}
