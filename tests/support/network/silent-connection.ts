import type { Socket } from "bun";

/** A proxy to Discord's simulator whose gateway connections can fall silent, as when a network drops packets. */
export function silentConnection(discordUrl: string) {
  const discord = new URL(discordUrl);
  let silent = false;
  type Ends = { there: Promise<Socket<{ back: Socket<Ends> }>> };
  const line = Bun.listen<Ends>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(near) {
        const there = Bun.connect<{ back: Socket<Ends> }>({
          hostname: discord.hostname,
          port: Number(discord.port),
          data: { back: near },
          socket: {
            data: (far, bytes) => void (silent || far.data.back.write(bytes)),
            close: (far) => void (silent || far.data.back.end()),
          },
        });
        near.data = { there };
      },
      async data(near, bytes) {
        const far = await near.data.there;
        if (!silent) far.write(bytes);
      },
      async close(near) {
        (await near.data.there).end();
      },
    },
  });
  const api = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const answer = await fetch(new URL(pathname + search, discord), request);
      const { status, headers } = answer;
      const text = await answer.text();
      const gateway = `ws://${discord.host}`;
      const body = pathname.endsWith("/gateway/bot")
        ? text.replace(gateway, `ws://127.0.0.1:${line.port}`)
        : text;
      return new Response(status === 204 ? null : body, { status, headers: kept(headers) });
    },
  });
  return {
    apiUrl: new URL("/api", api.url),
    fallSilent: () => void (silent = true),
    async [Symbol.asyncDispose]() {
      line.stop(true);
      await api.stop(true);
    },
  };
}

/** Without the headers that say how the body was sent. */
function kept(headers: Headers): Headers {
  const copy = new Headers(headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) copy.delete(name);
  return copy;
}
