import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signatureHeaders } from "@/domain/webhooks/signature";

const root = join(import.meta.dir, "../../..");
const standIn = join(import.meta.dir, "python");

/** The receivers of docs/examples, by what runs them. */
export const exampleReceivers = {
  TypeScript: [process.execPath, "docs/examples/webhook-receiver.ts"],
  Python: ["python3", "docs/examples/webhook_receiver.py"],
} as const;
export type Language = keyof typeof exampleReceivers;

/** What the environment of a Python program needs, so that it can import `standardwebhooks`. */
async function pythonPath(): Promise<{ PYTHONPATH?: string }> {
  const own = process.env["PYTHONPATH"];
  const published = Bun.spawn(["python3", "-c", "import standardwebhooks"], { stderr: "ignore" });
  if ((await published.exited) === 0) return own === undefined ? {} : { PYTHONPATH: own };
  return { PYTHONPATH: standIn };
}

/** A receiver as a process of its own, with a database that outlives it. */
export async function exampleReceiver(language: Language, secret: string) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-receiver-"));
  const database = join(folder, "webhooks.sqlite");
  const libraries = language === "Python" ? await pythonPath() : {};
  let process = await start();
  return {
    database,
    url: () => process.url,
    /** What it printed since it started, a line each, once there are this many. */
    lines: (many: number) => process.lines(many),
    /** Killed and started again, after what happens in between. */
    async restart(meanwhile: () => void = () => {}) {
      await process.kill();
      meanwhile();
      process = await start();
    },
    /** What it wrote to its standard error until it was killed. */
    async complaints() {
      await process.kill();
      return process.complaints;
    },
    /** Sends a body as the shop does, or with other headers. */
    async send(id: string, event: object, changed: Partial<Sending> = {}) {
      const { secrets = [secret], timestamp = new Date(), headers, body = JSON.stringify(event) } = changed;
      const signed = signatureHeaders({ id, timestamp, body: JSON.stringify(event), secrets });
      const answer = await fetch(process.url, { method: "POST", body, headers: { ...signed, ...headers } });
      await answer.text();
      return answer.status;
    },
    async [Symbol.asyncDispose]() {
      await process.kill();
      await rm(folder, { recursive: true });
    },
  };

  async function start() {
    const child = Bun.spawn([...exampleReceivers[language]], {
      cwd: root,
      env: {
        PATH: globalThis.process.env["PATH"] ?? "",
        WEBHOOK_SECRET: secret,
        WEBHOOK_DATABASE: database,
        PORT: "0",
        PYTHONDONTWRITEBYTECODE: "1",
        ...libraries,
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const complaints = new Response(child.stderr).text();
    const read = linesOf(child.stdout);
    const [first = ""] = await read(1);
    const [url = ""] = /http:\S+/.exec(first) ?? [];
    return {
      url,
      complaints,
      lines: async (many: number) => (await read(many + 1)).slice(1),
      async kill() {
        child.kill("SIGKILL");
        await child.exited;
      },
    };
  }
}

type Sending = {
  secrets: string[];
  timestamp: Date;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
};

/** Reads on until there are so many lines; resolves to all so far. */
function linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return async (many: number): Promise<string[]> => {
    for (;;) {
      const lines = text.split("\n").slice(0, -1);
      if (lines.length >= many) return lines;
      const { value, done } = await reader.read();
      if (done) throw new Error(`it ended after ${JSON.stringify(text)}`);
      text += value;
    }
  };
}
