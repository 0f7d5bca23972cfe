import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import manifest from "../package.json";
import { permissions } from "@/domain/permissions";
import { daily, rest } from "./parts";
import { isAskedFor, isEntry, unauthorized, writesItself } from "./architecture/authorized";
import { importsOf } from "./architecture/imports";
import {
  crumbs,
  cyclesOf,
  dangersIn,
  forbiddenImports,
  forbiddenWords,
  isBarrel,
  moduleNames,
  misplacedPackages,
  ownBounds,
  ownFormats,
  declarationsThatKnowMore,
  schemasInVocabulary,
  zodInWeb,
  type SourceFile,
} from "./architecture/rules";

const root = join(import.meta.dir, "..");
const read = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), "utf8") });
const files = [...new Bun.Glob("{src,bot}/**/*.{ts,tsx,mjs}").scanSync({ cwd: root })].toSorted().map(read);
const imports = files.flatMap(({ path, text }) => importsOf(path, text, root));

/** A minute, an hour or a day in digits, in milliseconds. */
const countedOut = /\b(60_?000|3_?600_?000|86_?400_?000)\b/;

/** A file that is longer holds more than one thing. */
const mostLines = 400;
/** Authors copy one file, so it holds all that they need. */
const mostLinesOf: Record<string, number> = { "src/client/client.ts": 575 };
const linesOf = (text: string) => text.split("\n").length - 1;

describe("the import rules hold", () => {
  test("imports point downwards only", () => {
    expect(forbiddenImports(imports)).toEqual([]);
  });

  test("no file, noun of the domain, or folder of the bot, the core, payments, the web or the command line is part of an import cycle, types included", () => {
    expect(cyclesOf(imports)).toEqual([]);
  });

  test("the contract's vocabulary knows neither zod nor the wire", () => {
    expect(schemasInVocabulary(imports)).toEqual([]);
  });

  test("declarations of operations know field kinds and words alone", () => {
    expect(declarationsThatKnowMore(imports)).toEqual([]);
  });

  test("packages are used only in the modules that wrap them", () => {
    expect(misplacedPackages(imports)).toEqual([]);
  });

  test("the web does not ship zod", () => {
    expect(zodInWeb(imports)).toEqual([]);
  });

  test("the environment is read in one place, and the domain reaches no network", () => {
    expect(files.flatMap(forbiddenWords)).toEqual([]);
  });

  test("subprocesses, dynamic code, markup and SQL, the network and randomness are used only in the files listed", () => {
    expect(files.flatMap(dangersIn)).toEqual([]);
  });

  test("money and dates are each written in one place", () => {
    expect(files.flatMap(ownFormats)).toEqual([]);
  });

  test("how long and how large something may be is defined in the contract, not in entry points", () => {
    expect(files.flatMap(ownBounds)).toEqual([]);
  });

  test("minutes, hours and days have names", () => {
    // separate programs, the client that authors copy, and SQL
    const without = /^src\/(simulators|client)\/|^src\/core\/jobs\/clock-watch\.ts$/;
    const counted = files.filter(({ path, text }) => !without.test(path) && countedOut.test(text));
    expect(counted.map(({ path }) => path)).toEqual([]);
  });

  test("every package has an exact version and a hash", () => {
    const lock = Bun.JSONC.parse(read("bun.lock").text) as { packages: Record<string, unknown[]> };
    const loose = Object.values({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      (version) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
    expect(loose).toEqual([]);
    const [...packages] = Object.values(lock.packages);
    expect(packages.length).toBeGreaterThan(100);
    // name@version, no other source, its dependencies, its hash
    const unproven = packages.filter(
      ([name, place, , hash]) =>
        !/^(@[\w.-]+\/)?[\w.-]+@\d[\w.+-]*$/.test(String(name)) ||
        place !== "" ||
        !/^sha512-[\w+/]{86}==$/.test(String(hash)),
    );
    expect(unproven).toEqual([]);
  });

  test("no file of code has more than 400 lines, but for the client, which is one file to copy", () => {
    const lines = files
      .filter(({ path }) => /\.tsx?$/.test(path))
      .map(({ path, text }) => [path, linesOf(text)]);
    const most = (path: unknown) => mostLinesOf[String(path)] ?? mostLines;
    expect(lines.filter(([path, count]) => Number(count) > most(path))).toEqual([]);
  });

  test("no small file is next to the only one that imports it", () => {
    expect(crumbs(files, imports)).toEqual([]);
  });

  test("no file only re-exports", () => {
    expect(files.filter(isBarrel).map(({ path }) => path)).toEqual([]);
  });

  test("every folder of src is a known module, and none is a catch-all", () => {
    const modules = readdirSync(join(root, "src"), { withFileTypes: true });
    const unknown = modules.filter((entry) => entry.isDirectory() && !moduleNames.includes(entry.name));
    expect(unknown.map(({ name }) => name)).toEqual([]);
    // lib/utils.ts is where shadcn's components expect `cn`
    const drawers = files.filter(({ path }) => /\/(utils?|helpers?|lib|common|misc|shared)\//.test(path));
    expect(drawers.map(({ path }) => path)).toEqual(["src/web/lib/utils.ts"]);
    const loose = files.filter(({ path }) => /^src\/[^/]+$/.test(path)).map(({ path }) => path);
    expect(
      loose.filter(
        (path) =>
          !/\/(main\.ts|shop\.ts|open-shop\.ts|periodic-jobs\.ts|shutdown\.ts|bootstrap\.mjs)$/.test(path),
      ),
    ).toEqual([]);
  });

  test("the top level contains only what is listed", () => {
    const known = new Set(
      `src bot drizzle public tests docs bunfig.toml package.json tsconfig.json Dockerfile README.md CHANGELOG.md LICENSE bun.lock
       components.json compose.yaml drizzle.config.ts knip.json .oxlintrc.json .gitignore .dockerignore .editorconfig .ci .git
       .github node_modules data dist .cache .env`.split(/\s+/),
    );
    expect(readdirSync(root).filter((name) => !known.has(name))).toEqual([]);
  });

  test("no file names a package registry", () => {
    const top = readdirSync(root, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.name !== ".env",
    );
    const below = new Bun.Glob("{src,bot,tests,docs,.ci}/**/*.{ts,tsx,mjs,md,json,html,css,sh}");
    const paths = [...top.map(({ name }) => name), ...below.scanSync({ cwd: root, dot: true })];
    const naming = paths.filter((path) => /\bregistry\.[a-z0-9-]+|\/\/npm\.[a-z]/i.test(read(path).text));
    expect(naming).toEqual([]);
    expect(read("bun.lock").text).not.toContain("://");
  });

  test("the same version of Bun is used everywhere", () => {
    const pinned = manifest.devDependencies.bun;
    expect(manifest.devDependencies["bun-types"]).toBe(pinned);
    expect(read("Dockerfile").text.match(/oven\/bun:[\d.]+/g)).toEqual(
      expect.arrayContaining([`oven/bun:${pinned}`]),
    );
    expect(new Set(read("Dockerfile").text.match(/oven\/bun:[\d.]+/g)).size).toBe(1);
    const manual = [...read("docs/operations.md").text.matchAll(/(?:\bBun |\bbun@|\bbun-v)(\d[\w.]*\d)/g)];
    expect(new Set(manual.map(([, version]) => version))).toEqual(new Set([pinned]));
  });
});

/** What people's entry points may call although it writes without asking the table of permissions, and why. */
const mayWriteUnasked = {
  "src/domain/application/activate.ts#validateApplication": "it only notes when the application was seen",
  "src/domain/offers/first-offer.ts#beginSelling": "a start puts the brand's own offer on sale",
  "src/domain/payments/reconcile/key-watch.ts#permissionsNow": "it records what the Stripe key lacks",
  "src/domain/payments/reconcile/reconcile-payments.ts#reconcilePayments": "it records what Stripe says",
  "src/domain/payments/reconcile/settle-subjects.ts#settleLater": "it keeps Stripe's own event for later",
  "src/domain/payments/settlement/settle.ts#settleSubject": "Stripe's own events",
  "src/domain/payments/status/status.ts#statusOfPayment": "it records what Stripe says of what is looked at",
  "src/domain/payments/status/status.ts#statusOfSession": "the same",
  "src/domain/tickets/writing/answered.ts#noteRead": "it only notes when the customer looked",
};

describe("the table of permissions is asked", () => {
  test("every operation that an entry point calls asks before it writes, with the exceptions that are named", () => {
    expect(unauthorized(files, root)).toEqual(Object.keys(mayWriteUnasked));
  });

  test("entry points write nothing themselves", () => {
    expect(files.filter((file) => isEntry(file) && writesItself(file)).map(({ path }) => path)).toEqual([]);
  });

  test("every row is asked for somewhere in the domain", () => {
    expect(Object.keys(permissions).filter((row) => !isAskedFor(files, row))).toEqual([]);
  });
});

describe("the readers of the code", () => {
  test("an operation that doesn't ask is reported, however far from the entry point it writes", () => {
    const route = (name: string) => ({
      path: "src/api/routes/a.ts",
      text: `import { type T, ${name} as use } from "@/domain/n/a.ts";\nimport type { commits } from "@/domain/n/b.ts";`,
    });
    const operations = {
      path: "src/domain/n/a.ts",
      text: `import { commits } from "./b.ts";
export const asks = (ctx: Ctx, by: By) => {
  authorize(by, "n.change");
  return commits(ctx);
};
export async function reads(ctx: Ctx) {
  return find(ctx);
}
export const doesNot = (ctx: Ctx) => find(ctx).then(() => between(ctx));
const between = (ctx: Ctx) => commits(ctx);
export async function updates({ store: { db } }: Ctx) {
  await db.update(table).set({});
}`,
    };
    const below = {
      path: "src/domain/n/b.ts",
      text: "export const commits = (ctx: Ctx) => commit(ctx.store, []);",
    };
    const found = (name: string) => unauthorized([route(name), operations, below], root);
    expect(["asks", "reads"].flatMap(found)).toEqual([]);
    expect(["doesNot", "updates"].flatMap(found)).toEqual([
      "src/domain/n/a.ts#doesNot",
      "src/domain/n/a.ts#updates",
    ]);
    expect(writesItself({ ...route("x"), text: "await commit(ctx.store, []);" })).toBe(true);
    expect(isAskedFor([operations], "n.change")).toBe(true);
    expect(isAskedFor([operations], "n.remove")).toBe(false);
  });

  test("every form of import is recognised", () => {
    const text = `import a, { b } from "./a";
import type { T } from "@/core/t";
import { c } from "pkg";
export * from "./d";
export type { U } from "@bot/u";
import "./effect.css";
// import x from "commented";
const late = () => import("./late");
type V = typeof import("./v");
type W = import("./w").W;
`;
    const found = importsOf("src/api/x.ts", text, root).map(({ to, typeOnly }) =>
      typeOnly ? `${to} type` : to,
    );
    expect(found).toEqual(
      ["src/api/a", "src/core/t type", "pkg", "src/api/d", "bot/u type", "src/api/effect.css"].concat([
        "src/api/late",
        "src/api/v type",
        "src/api/w type",
      ]),
    );
  });

  test("Bun's own scanner finds no value import that ours misses", () => {
    const scanners = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };
    const missed = files.flatMap(({ path, text }) => {
      const mine = new Set(importsOf(path, text, root).map(({ to }) => to));
      const scanner = scanners[path.endsWith("x") ? "tsx" : "ts"];
      const theirs = scanner.scanImports(text).filter((found) => !/^react(\/jsx|$)/.test(found.path));
      return theirs
        .flatMap((found) => importsOf(path, `import "${found.path}"`, root))
        .filter(({ to }) => !mine.has(to))
        .map(({ to }) => `${path} → ${to}`);
    });
    expect(missed).toEqual([]);
    expect(imports.length).toBeGreaterThan(20);
  });
});

test("every test file belongs to a part of the run", () => {
  const inParts = [...daily, ...rest].flatMap((part) =>
    part.files.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })]),
  );
  const there = [...new Bun.Glob("tests/**/*.test.{ts,tsx}").scanSync({ cwd: root })];
  expect(inParts.toSorted()).toEqual(there.toSorted());
});
