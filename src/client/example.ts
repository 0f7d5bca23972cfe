/**
 * A whole application, as far as its licence goes. Beside a running demo:
 *
 *     bun run example
 *     bun run example https://shop.example AUTH-TOKEN
 *
 * With an auth token (Account, Details) it does not sign in through the browser.
 */
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { arch, homedir, hostname, platform } from "node:os";
import { join } from "node:path";
import { createLicence, type Keeper, type Options, type Verdict } from "./client";
import { fileKeeper } from "./file-keeper";

const [shop = "http://localhost:3000", token] = process.argv.slice(2);
const folder = join(homedir(), ".example-application");
const day = 24 * 60 * 60 * 1000;
const system = ({ win32: "windows", darwin: "mac" } as const)[platform() as string] ?? "linux";
const machine = { label: hostname(), os: `${platform()} ${arch()}` };

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** What a program of the system prints about this machine. */
const said = (program: string, args: string[], pattern: RegExp): string | undefined =>
  pattern.exec(execFileSync(program, args, { encoding: "utf8" }))?.[1];

/** What the system calls this machine; the same until it is reinstalled. */
function machineId(): string | null | undefined {
  const registry = String.raw`HKLM\SOFTWARE\Microsoft\Cryptography`;
  try {
    if (platform() === "win32")
      return said("reg", ["query", registry, "/v", "MachineGuid", "/reg:64"], /REG_SZ\s+(\S+)/);
    if (platform() === "darwin")
      return said("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"], /IOPlatformUUID" = "([^"]+)/);
    return read("/etc/machine-id") ?? read("/var/lib/dbus/machine-id");
  } catch {
    return null;
  }
}

/** Of this application alone, so that no other can follow the machine by it. */
async function hardwareId(): Promise<string> {
  const kept = fileKeeper(join(folder, "machine"));
  const known = machineId()?.trim() || (await kept.read());
  const id = known || randomUUID();
  if (!known) await kept.write(id);
  return createHash("sha256").update(`example-application\n${id}`).digest("hex");
}

const options: Options = {
  shop,
  hwid: await hardwareId(),
  version: "1.0.0",
  keeper: fileKeeper(join(folder, `${new URL(shop).host.replaceAll(":", "-")}.json`)),
  ...(token ? { token } : {}),
};
const licence = createLicence(options);

/** A sentence about a verdict, and what to do about it. */
function told(verdict: Verdict): string {
  if (verdict.code === "UNVERIFIED")
    return `UNVERIFIED: the shop gave no verdict${verdict.fault ? ` (${verdict.fault})` : ""}, and offline it is ${verdict.why}.`;
  if (verdict.code !== "VALID") return `${verdict.code}: ${verdict.message}`;
  const until = verdict.offlineUntil.toISOString();
  const from = verdict.online ? "the shop says so" : "by the stored token";
  const features = verdict.features.join(", ") || "no features";
  const hint = verdict.grace ? ` Please go online before ${until}.` : "";
  return `VALID with ${features}, online: ${verdict.online} (${from}); offline until ${until}.${hint}`;
}

async function signIn(): Promise<boolean> {
  const outcome = await licence.signIn(machine, (code) => {
    console.log(`Open ${code.verificationUriComplete} and check that it shows ${code.userCode}.`);
  });
  if (outcome === "unsupported") {
    console.log("This shop has no sign-in for applications.");
    console.log(token ? "It does not know this auth token." : "Give the auth token as the second argument.");
  } else if (outcome !== "signed_in") {
    console.log(`Nobody signed in: ${outcome}.`);
  }
  return outcome === "signed_in";
}

const noNetwork = () => Promise.reject(new TypeError("no network"));

/** What the application would say without a network, some days from now. It writes nothing. */
async function offlineIn(days: number): Promise<string> {
  const kept = await options.keeper.read();
  const keeper: Keeper = { read: async () => kept, write: async () => {} };
  const now = () => Date.now() + days * day;
  return told(await createLicence({ ...options, keeper, fetch: noNetwork, now }).check());
}

let verdict = await licence.check();
if (verdict.signIn && (await signIn())) verdict = await licence.activate(machine);
if (verdict.code === "NOT_ACTIVATED") verdict = await licence.activate(machine);
console.log(told(verdict));

if (verdict.code === "VALID") {
  const me = await licence.me();
  if (me) {
    const { used, places } = me.devices;
    const until = me.expiresAt ? `until ${me.expiresAt.toISOString()}` : "for life";
    const level = me.level ? `${me.level.name} ${until}` : "no license";
    console.log(`${me.username}, ${level}, ${used} of ${places} computers`);
  }
  // the button that some levels unlock
  console.log(licence.has("export") ? "Export: ready" : "Export: not in this license");
  const update = await licence.update(system);
  if (update?.newer) console.log(`Version ${update.version} is out: ${update.title}`);
  for (const days of [0, 8, 22]) console.log(`Without a network, in ${days} days: ${await offlineIn(days)}`);
}
process.exitCode = verdict.code === "VALID" ? 0 : 1;
