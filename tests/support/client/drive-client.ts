/** Drives the TypeScript client by lines of JSON: drive.ts says which. */
import { checkToken, createLicence, featuresOf, type Verdict } from "@/client/client";
import { fileKeeper } from "@/client/file-keeper";
import type { Case } from "./vector";

const input = console[Symbol.asyncIterator]();
/** Null at the end. */
const read = async () => JSON.parse((await input.next()).value || "null");
const write = (line: object) => console.log(JSON.stringify(line));
const instant = (at: Date | null | undefined) => (at ? Math.floor(at.getTime() / 1000) : null);

const world = { ahead: 0, cable: true, stop: false, broken: [] as string[], kept: null as string | null };
const { shop, ...options } = await read();
const licence = createLicence({
  ...options,
  shop,
  keeper: {
    read: async () => {
      if (world.broken.includes("read")) throw new Error("cannot read");
      return world.kept;
    },
    write: async (text) => {
      if (world.broken.includes("write")) throw new Error("no space left on device");
      world.kept = text;
    },
  },
  now: () => Date.now() + world.ahead * 1000,
  fetch: (url, init) => (world.cable ? fetch(url, init) : Promise.reject(new TypeError("no network"))),
  wait: async (milliseconds) => {
    write({ wait: milliseconds / 1000 });
    Object.assign(world, await read());
  },
});

/** By the names of the other languages. */
const verdict = (found: Verdict) => ({
  code: found.code,
  online: "online" in found && found.online,
  grace: "grace" in found && found.grace,
  type: "type" in found ? found.type : null,
  level: "level" in found ? found.level : null,
  features: "features" in found ? found.features : [],
  expires_at: "expiresAt" in found ? instant(found.expiresAt) : null,
  offline_until: "offlineUntil" in found ? instant(found.offlineUntil) : null,
  message: "message" in found ? found.message : null,
  available_at: "availableAt" in found ? instant(found.availableAt) : null,
  minimum_version: "minimumVersion" in found ? (found.minimumVersion ?? null) : null,
  why: "why" in found ? found.why : null,
  sign_in: "signIn" in found && found.signIn,
  fault: found.fault ?? null,
});

async function vectors(path: string) {
  const { keys, issuer, cases } = await Bun.file(path).json();
  const check = async ({ token, hwid, now, latest_seen, fresh }: Case) => {
    const { verdict, reason } = await checkToken(token, keys, issuer, hwid, now, latest_seen, fresh);
    return { expect: verdict, reason, features: verdict === "refused" ? [] : featuresOf(token, now) };
  };
  return Promise.all(cases.map(check));
}

/** Writes and reads a file that others write, too; returns what went wrong. */
async function contend(path: string, times: number): Promise<string[]> {
  const keeper = fileKeeper(path);
  const wrong = new Set<string>();
  for (let turn = 0; turn < times; turn += 1) {
    try {
      await keeper.write(String(turn % 10).repeat(5000));
      const text = await keeper.read();
      if (!text || text !== text.slice(0, 1).repeat(5000)) wrong.add("torn");
    } catch (error) {
      wrong.add(String(error));
    }
  }
  return [...wrong];
}

type ClientRun = {
  do: string;
  label: string;
  os: string;
  system: "linux";
  path: string;
  times: number;
  text?: string;
  feature: string;
};
const calls: Record<string, (asked: ClientRun) => Promise<unknown>> = {
  sign_in: ({ label, os }) =>
    licence.signIn(
      { label, os },
      (code) =>
        write({
          show: {
            user_code: code.userCode,
            verification_uri: code.verificationUri,
            verification_uri_complete: code.verificationUriComplete,
            expires_at: instant(code.expiresAt),
          },
        }),
      () => world.stop,
    ),
  activate: async ({ label, os }) => verdict(await licence.activate({ label, os })),
  check: async () => verdict(await licence.check()),
  check_offline: async () => verdict(await licence.checkOffline()),
  use_file: async ({ text = "" }) => verdict(await licence.useFile(text)),
  offline_request: ({ label, os }) => licence.offlineRequest({ label, os }),
  update: ({ system }) => licence.update(system),
  me: async () => {
    const me = await licence.me();
    if (!me) return null;
    const { expiresAt, ...rest } = me;
    return { ...rest, expires_at: instant(expiresAt) };
  },
  has: async ({ feature }) => licence.has(feature),
  deactivate: () => licence.deactivate(),
  contend: ({ path, times }) => contend(path, times),
  vectors: ({ path }) => vectors(path),
  kept: async ({ text }) => {
    world.kept = text ?? world.kept;
    return world.kept;
  },
};

for (let asked = await read(); asked; asked = await read()) {
  Object.assign(world, { ahead: asked.ahead, cable: asked.cable, broken: asked.broken, stop: false });
  write({ answer: await calls[asked.do]?.(asked) });
}
