/**
 * `receivers`: answers webhooks under `/quick/` at once and those under `/silent/` never, and tells at `/count` how many
 * came; prints its URL. `bare URL COUNT`: signs and posts as many, 16 at a time, and prints how many a second.
 */
import http from "node:http";
import pLimit from "p-limit";
import { newSecret, signatureHeaders } from "@/domain/webhooks/signature";

const [role, url = "", count = "0"] = process.argv.slice(2);
if (role === "receivers") receive();
else console.log(JSON.stringify({ perSecond: await send(url, Number(count)) }));

function receive() {
  let came = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/count") return new Response(String(came));
      await request.text();
      came += 1;
      return pathname.startsWith("/silent/")
        ? new Promise<Response>(() => {})
        : new Response(null, { status: 204 });
    },
  });
  console.log(JSON.stringify({ url: server.url.href }));
}

/** With a connection each, as the shop. */
async function send(to: string, many: number): Promise<number> {
  const secrets = [newSecret()];
  const limit = pLimit(16);
  const began = performance.now();
  const one = (at: number) => {
    const data = { account: crypto.randomUUID(), email: "buyer@example.com", sequence: at };
    const body = JSON.stringify({ type: "account.created", timestamp: new Date().toISOString(), data });
    const signed = signatureHeaders({ id: `evt_${at}`, timestamp: new Date(), body, secrets });
    const headers = { ...signed, "content-type": "application/json", connection: "close" };
    return new Promise<void>((done, failed) => {
      const call = http.request(to, { method: "POST", agent: false, headers }, (answer) => {
        answer.resume();
        answer.on("end", done);
      });
      call.on("error", failed);
      call.end(body);
    });
  };
  await Promise.all(Array.from({ length: many }, (_, at) => limit(() => one(at))));
  return many / ((performance.now() - began) / 1000);
}
