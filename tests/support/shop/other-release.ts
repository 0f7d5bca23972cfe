import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { release } from "@/core/database/release";
import { runProcess } from "../operator/run-process";

const root = new URL("../../..", import.meta.url).pathname;

/** How a release differs from this one: in a file, one text replaces another. */
type Difference = [path: string, was: string, is: string];
type Differences = {
  texts: Difference[];
  /** A migration more, as SQL. */
  migration?: string;
};

/**
 * The next release: its migration adds a column and a table, and it knows a version of an order's text more, which it
 * writes.
 */
export const nextRelease = {
  texts: [
    ["package.json", `"version": "${release.number}"`, '"version": "99.0.0"'],
    ["src/domain/payments/port/order-terms.ts", "knownVersions = [1, 2]", "knownVersions = [1, 2, 3]"],
    ["src/domain/payments/port/order-terms.ts", "orderVersion = 2", "orderVersion = 3"],
  ],
  migration: "ALTER TABLE payments ADD next text;--> statement-breakpoint\nCREATE TABLE next (id text);",
} satisfies Differences;

/** Turns a folder with this release's files into another release. */
export async function differ(folder: string, { texts, migration }: Differences): Promise<void> {
  for (const [path, was, is] of texts) {
    const text = await Bun.file(join(folder, path)).text();
    if (!text.includes(was)) throw new Error(`${path} has no ${was}`);
    await Bun.write(join(folder, path), text.replace(was, is));
  }
  if (migration) await addMigration(folder, migration);
}

/** A copy of this release with differences, whose shop and command line run in processes of their own. */
export async function copyRelease(differences: Differences) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-release-"));
  for (const part of ["src", "bot", "drizzle", "public", "package.json", "tsconfig.json", "bunfig.toml"]) {
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await differ(folder, differences);
  await mkdir(join(folder, "tests"));
  await Bun.write(join(folder, "tests/serve.ts"), serveProgram);
  return {
    folder,
    /** Starts its shop, without pages. Resolves when it answers; rejects with its output if it did not start. */
    serve: (env: Record<string, string>) => serve(folder, env),
    operate: (env: Record<string, string>, ...args: string[]) =>
      runProcess([process.execPath, "src/operator/main.ts", ...args], { cwd: folder, env: environment(env) }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
export type OtherRelease = Awaited<ReturnType<typeof copyRelease>>;

async function addMigration(folder: string, sql: string): Promise<void> {
  const journal = Bun.file(join(folder, "drizzle/meta/_journal.json"));
  const { entries, ...rest } = (await journal.json()) as { entries: { idx: number; when: number }[] };
  const last = entries.at(-1);
  if (!last) throw new Error("there is no migration");
  const [idx, when] = [last.idx + 1, last.when + 1];
  const tag = `${String(idx).padStart(4, "0")}_next`;
  await Bun.write(join(folder, `drizzle/${tag}.sql`), sql);
  await journal.write(JSON.stringify({ ...rest, entries: [...entries, { ...last, idx, when, tag }] }));
}

/** The program that the other release's shop is started with. */
const serveProgram = `
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { startShop } from "@/shop";
const { stripe, mail, discord, ...config } = readConfig();
try {
  const shop = await startShop(
    { ...config, stripe: stripe!, mail: mail!, discord: discord! },
    { log: createLog("error", (line) => console.error(line)) },
  );
  process.on("SIGTERM", () => void shop.stop({ noticeMilliseconds: 0 }).then(() => process.exit(0)));
  console.log(JSON.stringify({ url: shop.listening.href }));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
`;

const environment = (env: Record<string, string>) => ({ PATH: process.env["PATH"] ?? "", ...env });

async function serve(folder: string, env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, "tests/serve.ts"], {
    cwd: folder,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: environment({ PORT: "0", ...env }),
  });
  const errors = new Response(child.stderr).text();
  let out = "";
  const decoder = new TextDecoder();
  for await (const bytes of child.stdout) {
    out += decoder.decode(bytes, { stream: true });
    if (out.includes("\n")) break;
  }
  if (!out.includes("\n")) throw new Error((await errors).trim());
  const { url } = JSON.parse(out) as { url: string };
  return {
    url: new URL(url),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}
