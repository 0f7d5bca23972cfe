import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patternsIn, slowedBy } from "../support/checks/slow-patterns";

const root = join(import.meta.dir, "../..");
/** Files that never see a client's text: other programs, the operator's, the browser's own code, and the build. */
const elsewhere =
  /^src\/(simulators|demo|operator|web|client|brand)\/|^src\/serving\/(build|bundle|page-html|tailwind|without-style-tags|write-site)/;
/** Files that only see the operator's settings. */
const settings = [
  "bot/discord/rest.ts",
  "src/core/settings/config.ts",
  "src/gateways/discord/sign-on.ts",
  "src/core/settings/sender.ts",
];

const files = [...new Bun.Glob("{src,bot}/**/*.{ts,tsx}").scanSync({ cwd: root })].filter(
  (path) => !elsewhere.test(path) && !settings.includes(path),
);

test("no regular expression is slow on 15,000 characters from a client", () => {
  const found = files.flatMap((path) =>
    patternsIn(readFileSync(join(root, path), "utf8")).map((pattern) => ({ path, pattern })),
  );
  expect(found.length).toBeGreaterThan(60);
  const slow = found.map(({ path, pattern }) => ({ path, pattern: String(pattern), by: slowedBy(pattern) }));
  expect(slow.filter(({ by }) => by !== null)).toEqual([]);
});

test("a slow pattern is found wherever it is", () => {
  const slow = [
    "/\\bVersion\\/[\\d.]+.*\\bSafari\\//",
    "/\\/+$/",
    "/a+.*b/",
    "/(x+x+)+y/",
    "/^\\s*(\\w+\\s*)+:/",
    "/[\\s-]+$/",
    "/<[^>]+\\sid=/",
  ];
  for (const literal of slow) {
    const [pattern] = patternsIn(`const found = ${literal}.test(text);`);
    expect([literal, pattern && slowedBy(pattern)]).toEqual([literal, expect.any(String)]);
  }
});
