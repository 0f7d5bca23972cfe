/** The programs of docs/clients, followed to the letter: from nothing to a licensed application. */
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { languages, type Language, missingFor } from "../../support/client/drive";
import { openSignInShop } from "../../support/client/sign-in-shop";
import { runProcess } from "../../support/operator/run-process";
import { Person } from "../../support/people/person";
import { freePort } from "../../support/shop/free-port";
import { openStage } from "../../support/shop/stage";

const root = join(import.meta.dir, "../../..");
const scratch = await mkdtemp(join(tmpdir(), "latchkey-pages-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const cpp = ["-std=c++17", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"];
/** Each page, the files that its code blocks are, in their order, and how the first of them is built and run. */
const pages: Record<
  Language,
  { page: string; client: string; beside?: string; files: string[]; build?: string[]; run: string[] }
> = {
  TypeScript: {
    page: "typescript.md",
    client: "client.ts",
    beside: "src/client/file-keeper.ts",
    files: ["main.ts", "hardware-id.ts"],
    run: [process.execPath, "main.ts"],
  },
  Python: {
    page: "python.md",
    client: "client.py",
    files: ["main.py", "hardware_id.py"],
    run: ["python3", "-B", "main.py"],
  },
  "C++": {
    page: "cpp.md",
    client: "client.hpp",
    beside: "tests/support/client/send.hpp",
    files: ["main.cpp", "libcurl.hpp", "hardware_id.hpp"],
    build: ["g++", ...cpp, "main.cpp", "-lcrypto", "-o", "main"],
    run: ["./main"],
  },
};

const machineId = "0123456789abcdef0123456789abcdef";
const blocksOf = (text: string) =>
  Array.from(text.matchAll(/```(?:ts|python|cpp)\n([^]*?)```/g), ([, code = ""]) => code);

/** A folder with the client and the page's code, for this shop and on this machine. */
async function lay(language: Language, shop: string): Promise<string> {
  const { page, client, beside, files } = pages[language];
  const folder = join(scratch, client);
  await mkdir(folder);
  await cp(join(root, "src/client", client), join(folder, client));
  if (beside) await cp(join(root, beside), join(folder, basename(beside)));
  await Bun.write(join(folder, "machine-id"), `${machineId}\n`);
  const blocks = blocksOf(await Bun.file(join(root, "docs/clients", page)).text());
  expect(blocks.length).toBeGreaterThan(files.length);
  for (const [at, file] of files.entries()) {
    const code = (blocks[at] ?? "").replaceAll("https://shop.example", shop);
    // the second of the two files that a system may have
    const there = code.replaceAll("/etc/machine-id", join(folder, "none"));
    await Bun.write(join(folder, file), there.replaceAll("/var/lib/dbus", folder));
  }
  return folder;
}

for (const language of languages) {
  const lacks = await missingFor(language);
  const named = `the program on the page for ${language} signs in and is licensed`;
  test.skipIf(lacks !== null)(lacks ? `${named} (needs ${lacks})` : named, async () => {
    await using signIn = openSignInShop();
    const env = { PORT: String(await freePort()), PUBLIC_URL: signIn.url };
    await using stage = await openStage({ env, webhooks: false });
    const person = new Person(() => stage.shop.listening);
    await person.register(await stage.handOut(), "ada");
    const token: string = (await person.get("/api/user/me")).body.data.api_key;
    Object.assign(signIn.state, { interval: 1, approved: true });
    signIn.state.behind = { url: stage.shop.listening.origin, token };
    const cwd = await lay(language, signIn.url);
    const own = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
    const start = async (command: string[]) => {
      const { out, err, code } = await runProcess(command, { cwd, env: own });
      expect([command, code, err]).toEqual([command, 0, ""]);
      return out;
    };
    const { build, run } = pages[language];
    if (build) await start(build);
    expect(await start(run)).toMatch(/^Open http\S+\?user_code=BCDF-GHJK:? BCDF-GHJK\nLicensed\n$/);
    // the same in each language: in another, the application finds its computer's place again
    const hwid = createHash("sha256").update(`your-application\n${machineId}`).digest("hex");
    expect(signIn.state.calls[0]).toMatchObject({ path: "device/code", body: { hwid } });
    const { mode } = await stat(join(cwd, "licence.json"));
    expect((mode & 0o777).toString(8)).toBe("600");
    // the second time it has what the first one kept
    expect(await start(run)).toBe("Licensed\n");
    const { behind } = signIn.state;
    signIn.state.behind = null;
    expect(await start(run)).toBe("Licensed\n");
    // an ended sign-in stops nothing, and it asks for a new one
    Object.assign(signIn.state, { behind, ended: true });
    expect(await start(run)).toMatch(/^Licensed\nOpen http\S+:? BCDF-GHJK\n$/);
    expect(await start(run)).toBe("Licensed\n");
  });
}

const [, libcurl = ""] = blocksOf(await Bun.file(join(root, "docs/clients/cpp.md")).text());
const hasCurl =
  (await missingFor("C++")) === null &&
  (await runProcess(["g++", "-E", "-include", "curl/curl.h", "-x", "c++", "/dev/null"])).code === 0;
const compiles = "the page for C++ sends with libcurl";
test.skipIf(!hasCurl)(hasCurl ? compiles : `${compiles} (needs libcurl's headers)`, async () => {
  const file = join(scratch, "libcurl.cpp");
  await Bun.write(file, libcurl.replace("#pragma once\n", ""));
  const command = ["g++", ...cpp, "-fsyntax-only", `-I${join(root, "src/client")}`, file];
  expect((await runProcess(command)).err).toBe("");
});

test("the pages say how many vectors there are", async () => {
  const { cases } = await Bun.file(join(root, "src/client/vectors.json")).json();
  expect(await Bun.file(join(root, "docs/clients/README.md")).text()).toContain(`to ${cases.length} tokens`);
});
