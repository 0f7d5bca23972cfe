import { afterAll, expect, test } from "bun:test";
import { CString, dlopen, read } from "bun:ffi";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@/core/settings/config";
import { runProcess } from "../../support/operator/run-process";

/**
 * The manual's one way of writing a file of settings: single quotes, or double quotes where the value has a single
 * one. The values hold every character that one of the readers below treats specially.
 */
const values: Record<string, string> = {
  SMTP_URL: "smtps://login:p$w0rd&;%5C!*~(){}=$(id)@mail.example.com?tls.rejectUnauthorized=false",
  MAIL_FROM: '"The Shop, Ltd." <shop@example.com>',
  SELLER: "Smith's Tools & Sons; #1 <at>  (home)",
  METRICS_TOKEN: 'a\\b$HOME${PORT}"c"#d$(id)`id`',
  BUILDS_URL: " leading and trailing ",
  DATABASE_AUTH_TOKEN: "two\\nlines",
  PORT: "8080",
};
const written = Object.entries(values).map(([name, value]) => {
  if (/^\w+$/.test(value)) return `${name}=${value}`;
  return value.includes("'") ? `${name}="${value}"` : `${name}='${value}'`;
});
const scratch = await mkdtemp(join(tmpdir(), "latchkey-settings-"));
const file = join(scratch, "latchkey.env");
await Bun.write(file, `# a comment\n${written.join("\n")}\n`);
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("a file of settings written as the manual says is read alike by sh and bash", async () => {
  for (const shell of ["sh", "bash"]) {
    const read = await run([shell, "-c", `set -a; . ${file}; set +a; exec env -0`]);
    const given = Object.fromEntries(read.split("\0").map((line) => line.split(/=(.*)/s)));
    expect(given).toMatchObject(values);
  }
});

const [systemd] = ["lib", "lib64", "lib/*-linux-gnu"].flatMap((folder) => [
  ...new Bun.Glob(`${folder}/systemd/libsystemd-shared-*.so`).scanSync("/usr"),
]);

test.skipIf(systemd === undefined)("systemd reads it alike, by its own parser", () => {
  const library = dlopen(join("/usr", systemd ?? ""), {
    load_env_file_pairs: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
  });
  const found = new BigUint64Array(1);
  expect(library.symbols.load_env_file_pairs(null, Buffer.from(`${file}\0`), found)).toBe(0);
  const texts: string[] = [];
  for (let at = 0; ; at += 8) {
    const text = read.ptr(Number(found[0]), at);
    if (!text) break;
    texts.push(new CString(text));
  }
  library.close();
  expect(Object.fromEntries(texts.flatMap((name, at) => (at % 2 ? [] : [[name, texts[at + 1]]])))).toEqual(
    values,
  );
});

test("Compose reads it alike", async () => {
  expect(Object.fromEntries((await Bun.file(file).text()).split("\n").flatMap(asComposeReads))).toEqual(
    values,
  );
});

test.skipIf(Bun.which("docker") === null)(
  "docker run --env-file hands the shop the same settings",
  async () => {
    let env: string[] = [];
    const socket = join(scratch, "docker.sock");
    const daemon = Bun.serve({
      unix: socket,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        if (!pathname.endsWith("/containers/create")) {
          return new Response("OK", { headers: { "Api-Version": "1.47", OSType: "linux" } });
        }
        ({ Env: env } = (await request.json()) as { Env: string[] });
        return Response.json({ Id: "0".repeat(64), Warnings: [] }, { status: 201 });
      },
    });
    try {
      await run(["docker", "create", "--env-file", file, "latchkey"], { DOCKER_HOST: `unix://${socket}` });
    } finally {
      await daemon.stop(true);
    }
    const given = Object.fromEntries(env.map((line) => line.split(/=(.*)/s)));
    expect(Object.keys(given)).toEqual(Object.keys(values));
    const discord = { DISCORD: "off" };
    const wanted = readConfig({ ...values, ...discord });
    expect(readConfig({ ...given, ...discord })).toEqual(wanted);
    expect(wanted.mail).toEqual({ smtpUrl: values["SMTP_URL"] ?? "", from: values["MAIL_FROM"] ?? "" });
  },
);

test("the manual's own listings are written that way", async () => {
  const manual = await Bun.file(new URL("../../../docs/operations.md", import.meta.url)).text();
  const lines = manual.match(/^\s*(# )?[A-Z][A-Z_0-9]+=.*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) {
    const [, value = ""] = line.split(/=(.*)/s);
    expect(value).toMatch(/^([\w:/.@…+-]*|'[^']*[^'\\]')$/);
  }
});

async function run(command: string[], env: Record<string, string> = {}): Promise<string> {
  const { out, err, code } = await runProcess(command, {
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch, ...env },
  });
  if (code !== 0) throw new Error(err);
  return out;
}

/**
 * A line as Compose's own reader of files understands it: nothing between single quotes is special but `\'`; between
 * double quotes and outside, `$` begins a variable and a backslash an escape. Throws where it would not be plain.
 * https://docs.docker.com/compose/how-tos/environment-variables/variable-interpolation/#env-file-syntax
 */
function asComposeReads(line: string): [string, string][] {
  if (line === "" || line.startsWith("#")) return [];
  const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
  const [, single] = /^'((?:[^'\\]|\\[^'])*)'$/.exec(value) ?? [];
  if (single !== undefined) return [[name, single]];
  const [, double] = /^"([^"\\$]*)"$/.exec(value) ?? [];
  if (double !== undefined) return [[name, double]];
  if (!/^[^'"$#\\]*$/.test(value)) throw new Error(`Compose may change ${name}`);
  return [[name, value.trim()]];
}
