/** The house's table: which room may know which, and where a package is at home. `docs/architecture.md` draws it. */
import { circles, edgesBetween, withoutComments, type Import } from "./imports";

const ground = ["brand", "contract"];

/** Room → the rooms it may import. */
const mayImport: Record<string, readonly string[]> = {
  brand: [],
  contract: [],
  core: ground,
  domain: ["core", ...ground],
  gateways: ["domain", "core", ...ground],
  api: ["domain", "core", ...ground],
  web: ground,
  serving: ["web", "core", ...ground],
  // to look at the server with the bot's own eyes
  operator: ["bot", "domain", "gateways", "core", ...ground],
  bot: ["domain", "gateways", "core", ...ground],
  simulators: [],
  client: [],
  demo: ["simulators", "domain", "core", ...ground],
};

/** Room → the rooms of which it may import types, and nothing else. */
const mayImportTypes: Record<string, readonly string[]> = {
  api: ["gateways"],
  web: ["api"],
  demo: ["shop.ts"],
};

/** Package → the rooms it is at home in. What is not listed here is at home anywhere above the ground. */
const homes: Record<string, readonly string[]> = {
  "@libsql/client": ["core"],
  libsql: ["core"],
  "discord.js": ["bot", "simulators"],
  nodemailer: ["gateways"],
  stripe: ["gateways", "simulators"],
  hono: ["api", "serving", "simulators", "web"],
  "@hono/zod-openapi": ["api"],
};

const packagesOnTheGround: Record<string, readonly string[]> = {
  brand: [],
  contract: ["zod"],
  // the example keeps a file; the client itself has nothing at all
  client: ["node:crypto", "node:fs", "node:os", "node:path"],
};
const mayReadEnvironment = /^src\/(core\/config\.ts|bootstrap\.mjs|simulators\/[\w-]+\/main\.ts)$/;

export const roomNames = Object.keys(mayImport);

export interface SourceFile {
  path: string;
  text: string;
}

/** `src/api/route-guards.ts` → `api`, `bot/client.ts` → `bot`, `src/main.ts` → `main.ts`, `package.json` → `package.json`. */
export function roomOf(path: string): string {
  const [top = "", next = ""] = path.split("/");
  return top === "src" ? next : top;
}

/** Imports that the table doesn't name, as `a.ts → b.ts`. Only main.ts and shop.ts, which know every room, are free. */
export function forbiddenArrows(imports: readonly Import[]): string[] {
  return imports
    .filter((arrow) => !arrow.isPackage && roomNames.includes(roomOf(arrow.from)) && !isAllowed(arrow))
    .map(describe);
}

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [room, target] = [roomOf(from), roomOf(to)];
  if (room === target) return room !== "gateways" || gatewayOf(from) === gatewayOf(to);
  return Boolean(mayImport[room]?.includes(target) || (typeOnly && mayImportTypes[room]?.includes(target)));
}

/** Gateways don't know each other: each folder (or file) of that room stands alone. */
function gatewayOf(path: string): string {
  return path.split("/")[2] ?? path;
}

/** Packages outside their homes, as `a.ts → package`. */
export function straysOf(imports: readonly Import[]): string[] {
  return imports.filter((arrow) => arrow.isPackage && !isAtHome(arrow)).map(describe);
}

function isAtHome({ from, to }: Import): boolean {
  const room = roomOf(from);
  const name = packageName(to);
  if (room === "web" && /^(node:|bun$|bun:)/.test(to)) return false;
  const onTheGround = packagesOnTheGround[room];
  if (onTheGround) return onTheGround.includes(name);
  const homesOfIt = homes[name];
  return !homesOfIt || !roomNames.includes(room) || homesOfIt.includes(room);
}

function packageName(to: string): string {
  return to
    .split("/")
    .slice(0, to.startsWith("@") ? 2 : 1)
    .join("/");
}

/**
 * Circles of imports, those of types included: between files, between the nouns of the domain, and between the
 * bot's folders.
 */
export function circlesOf(imports: readonly Import[]): string[] {
  const own = imports.filter((arrow) => !arrow.isPackage);
  const within = (room: string) => own.filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room);
  return [
    ...circles(edgesBetween(own, (path) => path)),
    ...circles(edgesBetween(within("domain"), (path) => path.split("/").slice(0, 3).join("/"))),
    ...circles(edgesBetween(within("bot"), (path) => path.split("/").slice(0, -1).join("/"))),
  ].map((way) => way.join(" → "));
}

/** Ways by which a browser's page would come to carry zod, as `web file → … → zod`. */
export function zodInTheWeb(imports: readonly Import[]): string[] {
  const values = imports.filter((arrow) => !arrow.typeOnly);
  const reach = (way: readonly Import[], seen: Set<string>): Import[] | undefined => {
    const at = way.at(-1)?.to ?? "";
    if (packageName(at) === "zod") return [...way];
    if (seen.has(at)) return undefined;
    seen.add(at);
    const onward = values.filter((arrow) => arrow.from === at);
    return onward.map((arrow) => reach([...way, arrow], seen)).find(Boolean);
  };
  const leaving = values.filter(({ from, to }) => roomOf(from) === "web" && roomOf(to) !== "web");
  return leaving
    .map((arrow) => reach([arrow], new Set()))
    .filter((way) => way !== undefined)
    .map((way) => [way[0]?.from, ...way.map(({ to }) => to)].join(" → "));
}

/** What the rules must not do by themselves: reach the network, read the environment. As `a.ts uses x`. */
export function forbiddenWords({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  const words: string[] = [];
  if (!mayReadEnvironment.test(path) && /(?<!["'\w])(process\.env|Bun\.env|import\.meta\.env)\b/.test(code))
    words.push("the environment");
  if (roomOf(path) === "domain" && /(?<![\w.$])fetch\(/.test(code)) words.push("fetch");
  return words.map((word) => `${path} uses ${word}`);
}

/** What is dangerous to begin with, and the few files that may, each of which knows why. The garden shed is not looked at. */
const dangers: [what: string, how: RegExp, where: string[]][] = [
  ["a program", /child_process|Bun\.(spawn|spawnSync|\$)/, ["src/bootstrap.mjs", "src/core/backup.ts"]],
  ["made-up code", /\beval\(|new Function\(|\bnode:vm\b/, []],
  ["made-up SQL", /\bsql\.raw\(/, []],
  ["made-up markup", /dangerouslySetInnerHTML|(inner|outer)HTML|document\.write|insertAdjacentHTML/, []],
  ["a made-up pattern", /new RegExp\(/, ["src/domain/licences/keys.ts"]],
  ["words between windows", /\bpostMessage\(/, []],
  ["chance that can be guessed", /Math\.random\b/, ["src/api/answers.ts", "src/core/outbox.ts"]],
  ["a broken hash", /["'](md5|sha-?1|des|rc4|aes-\d+-(ecb|cbc))["']/i, []],
  ["the network", /(?<![\w.$])fetch\(/, ["src/gateways/discord/sign-on.ts", "bot/tickets/channels.ts"]],
  [
    "the browser's storage",
    /\b(local|session)Storage\b|\bindexedDB\b|document\.cookie/,
    [
      "api/just-registered",
      "parts/last-checkout",
      "parts/offers/promotion-code",
      "screens/dashboard/frame/use-collapsed",
    ]
      .map((path) => `src/web/${path}.ts`)
      .concat("src/web/late.tsx"),
  ],
];

/** Uses of what is dangerous outside the files that may, as `a.ts uses x`. */
export function dangersIn({ path, text }: SourceFile): string[] {
  if (["simulators", "demo", "client"].includes(roomOf(path))) return [];
  const code = withoutComments(text);
  return dangers
    .filter(([, how, where]) => how.test(code) && !where.includes(path))
    .map(([what]) => `${path} uses ${what}`);
}

/** A file that only passes on what others export. */
export function isBarrel({ text }: SourceFile): boolean {
  const rest = withoutComments(text).trim();
  const passedOn = /^export\s+(?:type\s)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*["'][^"']+["'];?\s*/;
  let left = rest;
  while (passedOn.test(left)) left = left.replace(passedOn, "");
  return rest !== "" && left === "";
}

function describe({ from, to, typeOnly }: Import): string {
  return `${from} → ${to}${typeOnly ? " (type)" : ""}`;
}
