/** Which module may import which, and where each package may be used. `docs/architecture.md` draws it. */
import { cycles, edgesBetween, withoutComments, type Import } from "./imports";

const leaves = ["brand", "contract"];

/** Module → the modules it may import. */
const mayImport: Record<string, readonly string[]> = {
  brand: ["contract"],
  contract: [],
  // which Bun the release was tested with
  core: ["package.json", ...leaves],
  domain: ["core", ...leaves],
  gateways: ["domain", "core", ...leaves],
  api: ["domain", "core", ...leaves],
  web: leaves,
  serving: ["web", "core", ...leaves],
  // `shop doctor` runs the bot's own checks
  operator: ["bot", "domain", "gateways", "core", ...leaves],
  bot: ["domain", "gateways", "core", ...leaves],
  simulators: [],
  client: [],
  demo: ["simulators", "gateways", "domain", "core", ...leaves],
};

/** Module → the modules of which it may import only types. */
const mayImportTypes: Record<string, readonly string[]> = {
  api: ["gateways"],
  web: ["api"],
  demo: ["shop.ts"],
};

/** Package → the modules that may use it. Any module above the leaves may use a package that is not listed. */
const packageHomes: Record<string, readonly string[]> = {
  "@libsql/client": ["core"],
  libsql: ["core"],
  "discord.js": ["bot", "simulators"],
  nodemailer: ["gateways"],
  "prom-client": ["core"],
  "age-encryption": ["core"],
  "ipaddr.js": ["core"],
  stripe: ["gateways", "simulators"],
  "@resvg/resvg-js": ["brand"],
  // waits in the threads that read files and hash passwords: see src/core/base/look-up.ts
  "node:dns": [],
  "node:dns/promises": [],
  hono: ["api", "serving", "simulators", "web"],
  "@hono/zod-openapi": ["api"],
};

const packagesOfLeaves: Record<string, readonly string[]> = {
  brand: ["zod", "node:fs", "node:path", "@resvg/resvg-js"],
  contract: ["zod"],
  // only for the example, which keeps a file and asks the system for its id; the client itself uses nothing
  client: ["node:child_process", "node:crypto", "node:fs", "node:os", "node:path"],
};
const mayReadEnvironment =
  /^src\/(core\/settings\/environment\.ts|brand\/the-brand\.ts|bootstrap\.mjs|simulators\/[\w-]+\/main\.ts)$/;

export const moduleNames = Object.keys(mayImport);

export interface SourceFile {
  path: string;
  text: string;
}

/** `src/api/route-guards.ts` → `api`, `bot/client.ts` → `bot`, `src/main.ts` → `main.ts`, `package.json` → `package.json`. */
export function moduleOf(path: string): string {
  const [top = "", next = ""] = path.split("/");
  return top === "src" ? next : top;
}

/** Imports that the table does not allow, as `a.ts → b.ts`. Only main.ts and shop.ts may import everything. */
export function forbiddenImports(imports: readonly Import[]): string[] {
  return imports
    .filter((arrow) => !arrow.isPackage && moduleNames.includes(moduleOf(arrow.from)) && !isAllowed(arrow))
    .map(describe);
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [module, target] = [moduleOf(from), moduleOf(to)];
  if (module === target) return module !== "gateways" || gatewayOf(from) === gatewayOf(to);
  return Boolean(
    mayImport[module]?.includes(target) || (typeOnly && mayImportTypes[module]?.includes(target)),
  );
}

/** Gateways don't import each other: each folder (or file) of that module is independent. */
function gatewayOf(path: string): string {
  return path.split("/")[2] ?? path;
}

/** Packages used where they may not be, as `a.ts → package`. */
export function misplacedPackages(imports: readonly Import[]): string[] {
  return imports.filter((arrow) => arrow.isPackage && !isPackageAllowed(arrow)).map(describe);
}

function isPackageAllowed({ from, to }: Import): boolean {
  const module = moduleOf(from);
  const name = packageName(to);
  if (module === "web" && /^(node:|bun$|bun:)/.test(to)) return false;
  const ofLeaf = packagesOfLeaves[module];
  if (ofLeaf) return ofLeaf.includes(name);
  const allowed = packageHomes[name];
  return !allowed || !moduleNames.includes(module) || allowed.includes(module);
}

function packageName(to: string): string {
  return to
    .split("/")
    .slice(0, to.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Import cycles, types included: between files, between the domain's nouns, and between the folders of what is large. */
export function cyclesOf(imports: readonly Import[]): string[] {
  const own = imports.filter((arrow) => !arrow.isPackage);
  const within = (folder: string) =>
    own.filter(({ from, to }) => from.startsWith(`${folder}/`) && to.startsWith(`${folder}/`));
  const upTo = (depth: number) => (path: string) => path.split("/").slice(0, -1).slice(0, depth).join("/");
  return [
    ...cycles(edgesBetween(own, (path) => path)),
    ...cycles(edgesBetween(within("src/domain"), (path) => path.split("/").slice(0, 3).join("/"))),
    ...["bot", "src/core", "src/domain/payments", "src/web", "src/operator"].flatMap((folder) =>
      cycles(edgesBetween(within(folder), upTo(Infinity))),
    ),
    ...cycles(edgesBetween(within("src/simulators"), upTo(3))),
    // a noun's emails read what the others write, and are sent by them
    ...["accounts", "licences", "tickets"].flatMap((noun) =>
      cycles(
        edgesBetween(
          within(`src/domain/${noun}`).filter(({ from, to }) => !/\/emails\//.test(`${from} ${to}`)),
          upTo(Infinity),
        ),
      ),
    ),
  ].map((way) => way.join(" → "));
}

/** What pages, mails and the command line may load without a schema. */
export function schemasInVocabulary(imports: readonly Import[]): string[] {
  return imports
    .filter(
      ({ from, to }) =>
        from.startsWith("src/contract/vocabulary/") && /^(zod\b|src\/contract\/wire\/)/.test(to),
    )
    .map(describe);
}

/** Declarations are plain data, as pages load them: they know field kinds and words, and of the wire its types alone. */
export function declarationsThatKnowMore(imports: readonly Import[]): string[] {
  return imports
    .filter(({ from, typeOnly }) => from.startsWith("src/contract/operations/") && !typeOnly)
    .filter(({ to }) => !/^src\/contract\/(operations|vocabulary)\//.test(to))
    .map(describe);
}

/** Import paths by which zod would reach the browser, as `web file → … → zod`. */
export function zodInWeb(imports: readonly Import[]): string[] {
  // in pages, what the brand's modules read is data (src/serving/brand-modules.ts)
  const values = imports.filter((arrow) => !arrow.typeOnly && arrow.to !== "src/brand/the-brand.ts");
  const reach = (way: readonly Import[], seen: Set<string>): Import[] | undefined => {
    const at = way.at(-1)?.to ?? "";
    if (packageName(at) === "zod") return [...way];
    if (seen.has(at)) return undefined;
    seen.add(at);
    const onward = values.filter((arrow) => arrow.from === at);
    return onward.map((arrow) => reach([...way, arrow], seen)).find(Boolean);
  };
  const leaving = values.filter(({ from, to }) => moduleOf(from) === "web" && moduleOf(to) !== "web");
  return leaving
    .map((arrow) => reach([arrow], new Set()))
    .filter((way) => way !== undefined)
    .map((way) => [way[0]?.from, ...way.map(({ to }) => to)].join(" → "));
}

/** Files that read the environment, or reach the network from the domain, as `a.ts uses x`. */
export function forbiddenWords({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  const words: string[] = [];
  if (!mayReadEnvironment.test(path) && /(?<!["'\w])(process\.env|Bun\.env|import\.meta\.env)\b/.test(code))
    words.push("the environment");
  if (moduleOf(path) === "domain" && /(?<![\w.$])fetch\(/.test(code)) words.push("fetch");
  return words.map((word) => `${path} uses ${word}`);
}

/** Dangerous calls, and the few files that may use them. Simulators, the demo and the client are not checked. */
const dangers: [what: string, how: RegExp, where: string[]][] = [
  [
    "a program",
    /child_process|Bun\.(spawn|spawnSync|\$)/,
    [
      "src/bootstrap.mjs",
      "src/core/backup/backup.ts",
      "src/operator/setup/machine/program.ts",
      "src/operator/setup/machine/run-as.ts",
      "src/operator/setup/steps/start.ts",
      "src/serving/build-cache.ts",
    ],
  ],
  ["dynamic code", /\beval\(|new Function\(|\bnode:vm\b/, []],
  ["dynamic SQL", /\bsql\.raw\(/, []],
  [
    "dynamic markup",
    /dangerouslySetInnerHTML|(inner|outer)HTML|document\.write|insertAdjacentHTML/,
    // keeps what the page itself was sent with
    // the second reads a letter that it parsed, without its styles and links, for a frame without scripts
    // the last two show the logo, of which `readLogo` wrote every tag
    [
      "src/web/parts/late.tsx",
      "src/web/screens/desk/products/email-frame.tsx",
      "src/web/screens/dashboard/home/early-status-card.tsx",
      "src/web/parts/mark.tsx",
      "src/api/unsubscribe-page.tsx",
    ],
  ],
  ["a dynamic pattern", /new RegExp\(/, ["src/domain/licences/keys/keys.ts", "src/serving/page-offers.ts"]],
  ["messages between windows", /\bpostMessage\(/, []],
  [
    "insecure randomness",
    /Math\.random\b/,
    [
      "src/api/answers.ts",
      "src/core/jobs/job-leases.ts",
      "bot/discord/reconnect.ts",
      "src/domain/webhooks/outcome.ts",
    ],
  ],
  ["a broken hash", /["'](md5|sha-?1|des|rc4|aes-\d+-(ecb|cbc))["']/i, []],
  [
    "the network",
    /(?<![\w.$])fetch\(|["']node:(https?|http2|tls|dgram)["']|\bBun\.(connect|udpSocket)\b/,
    [
      "src/gateways/webhooks/exchange.ts",
      "src/gateways/discord/sign-on.ts",
      "src/gateways/stripe/clock.ts",
      // what a bucket answers where Bun does not say
      "src/gateways/storage/s3.ts",
      "src/web/page/load-failure.ts",
      "src/web/page/early.ts",
      "src/web/api/desk/call.ts",
      "bot/tickets/channels.ts",
      "src/core/database/database-line.ts",
      // whether the shop's address leads to this machine
      "src/operator/setup/steps/ours.ts",
      // whether the shop that was just started is open
      "src/operator/setup/steps/start-shop.ts",
    ],
  ],
  [
    "the browser's storage",
    /\b(local|session)Storage\b|\bindexedDB\b|document\.cookie/,
    ["src/web/page/stored.ts", "src/web/parts/late.tsx"],
  ],
];

/** Dangerous calls outside the files that may use them, as `a.ts uses x`. */
export function dangersIn({ path, text }: SourceFile): string[] {
  if (["simulators", "demo", "client"].includes(moduleOf(path))) return [];
  const code = withoutComments(text);
  return dangers
    .filter(([, how, where]) => how.test(code) && !where.includes(path))
    .map(([what]) => `${path} uses ${what}`);
}

/** What writes money or a time for people, and the files that may. Those that only read a time zone or a clock are among them. */
const formats: [what: string, how: RegExp, where: string[]][] = [
  [
    "money",
    /style:\s*"currency"|\.toFixed\(2\)|\bIntl\.NumberFormat\b/,
    [
      "src/contract/vocabulary/money.ts",
      // counts, shares, and money in the few digits that an axis has room for
      "src/web/screens/desk/today/measures.ts",
    ],
  ],
  [
    "a date",
    /\bIntl\.(DateTime|RelativeTime)Format\b|\.toLocale(Date|Time)String\(|\.to(Date|UTC|GMT)String\(/,
    [
      "src/contract/vocabulary/dates.ts",
      "src/web/parts/format-time.ts",
      "src/contract/wire/envelope.ts",
      "src/web/api/timezone.ts",
      "src/operator/setup/steps/shop.ts",
      // times in words, and the days and weeks of charts
      "src/web/screens/desk/parts/dates.ts",
      "bot/tickets/support-hours.ts",
      // the header Last-Modified
      "src/api/files/serve.ts",
    ],
  ],
  [
    "a part of a date",
    /\.toISOString\(\)\s*\.(slice|split|replace|substring)/,
    // the names of a backup's file, and the cursors of look-ups
    ["src/contract/vocabulary/dates.ts", "src/domain/backups/place.ts", "src/contract/wire/lookups.ts"],
  ],
];

export function ownFormats({ path, text }: SourceFile): string[] {
  if (["simulators", "client"].includes(moduleOf(path))) return [];
  const code = withoutComments(text);
  return formats
    .filter(([, how, where]) => how.test(code) && !where.includes(path))
    .map(([what]) => `${path} writes ${what} by itself`);
}

const ownBound =
  /(?<!Math)\.(min|max)\(\s*-?\d|\b(upTo|wholeNumber)\([^)]*\b\d[\d_]+|[mM](ax|in)Length[=:]\s*\{?\s*\d|\bset(Max|Min)(Length|Value)\(\d|\b(max|min)_length:\s*\d|\bmax_value:\s*\d/;
/** What a valid request is stands in the contract; a field with a bound of its own here would differ from the others in time. */
const boundedElsewhere = [
  // ids, tokens and file names in addresses, which nobody types
  "src/api/routes/unsubscribe.ts",
  "src/api/routes/updates.ts",
  // an amount of money, which has a reader of its own
  "bot/interactions/components.ts",
];

/** Entry points that say how long or large something may be, as `a.ts has a bound of its own`. */
export function ownBounds({ path, text }: SourceFile): string[] {
  const isEntry = /^(src\/(api\/routes|operator|web\/screens\/desk)|bot)\//.test(path);
  if (!isEntry || boundedElsewhere.includes(path) || !ownBound.test(withoutComments(text))) return [];
  return [`${path} has a bound of its own`];
}

const mostOfASmallFile = 20;
/** These import each file of their folder, one a command or a call. */
const lists = /\/(all|routes)\.ts$/;

/** Small files beside the only file that imports them, as `a.ts ← b.ts`: one file would do. What is loaded later has to be its own. */
export function crumbs(files: readonly SourceFile[], imports: readonly Import[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const importers = new Map<string, Set<string>>();
  for (const { from, to } of imports) importers.set(to, (importers.get(to) ?? new Set()).add(from));
  return files.flatMap(({ path, text }) => {
    const [only, ...others] = importers.get(path) ?? [];
    if (only === undefined || others.length > 0 || lists.test(only)) return [];
    if (text.split("\n").length - 1 > mostOfASmallFile || folderOf(only) !== folderOf(path)) return [];
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, "");
    return texts.get(only)?.includes(`import("./${name}")`) ? [] : [`${path} ← ${only}`];
  });
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));

/** Whether a file only re-exports. */
export function isBarrel({ text }: SourceFile): boolean {
  const rest = withoutComments(text).trim();
  const reexport = /^export\s+(?:type\s)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*["'][^"']+["'];?\s*/;
  let left = rest;
  while (reexport.test(left)) left = left.replace(reexport, "");
  return rest !== "" && left === "";
}

function describe({ from, to, typeOnly }: Import): string {
  return `${from} → ${to}${typeOnly ? " (type)" : ""}`;
}
