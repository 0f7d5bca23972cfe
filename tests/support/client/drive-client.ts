/** Drives the TypeScript client by lines of JSON: drive.ts says which. */
import { checkToken, createLicence, type Verdict } from "@/client/client";
import type { Case } from "./vector";

const input = console[Symbol.asyncIterator]();
/** Null at the end. */
const read = async () => JSON.parse((await input.next()).value || "null");
const write = (line: object) => console.log(JSON.stringify(line));
const instant = (at: Date | null | undefined) => (at ? Math.floor(at.getTime() / 1000) : null);

const world = { ahead: 0, cable: true, stop: false, kept: null as string | null };
const { shop, ...options } = await read();
const licence = createLicence({
  ...options,
  shop,
  keeper: {
    read: async () => world.kept,
    write: async (text) => {
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
  expires_at: "expiresAt" in found ? instant(found.expiresAt) : null,
  offline_until: "offlineUntil" in found ? instant(found.offlineUntil) : null,
  message: "message" in found ? found.message : null,
  available_at: "availableAt" in found ? instant(found.availableAt) : null,
  minimum_version: "minimumVersion" in found ? (found.minimumVersion ?? null) : null,
  why: "why" in found ? found.why : null,
  sign_in: "signIn" in found && found.signIn,
});

async function vectors(path: string) {
  const { keys, issuer, cases } = await Bun.file(path).json();
  const check = async ({ token, hwid, now, latest_seen, fresh }: Case) => {
    const { verdict, reason } = await checkToken(token, keys, issuer, hwid, now, latest_seen, fresh);
    return { expect: verdict, reason };
  };
  return Promise.all(cases.map(check));
}

type Asked = { do: string; label: string; os: string; system: "linux"; path: string; text?: string };
const calls: Record<string, (asked: Asked) => Promise<unknown>> = {
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
  deactivate: () => licence.deactivate(),
  vectors: ({ path }) => vectors(path),
  kept: async ({ text }) => {
    world.kept = text ?? world.kept;
    return world.kept;
  },
};

for (let asked = await read(); asked; asked = await read()) {
  Object.assign(world, { ahead: asked.ahead, cable: asked.cable, stop: false });
  write({ answer: await calls[asked.do]?.(asked) });
}
