import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, isLiveKey } from "@/core/settings/config";
import { senderOf } from "@/core/settings/sender";
import { caddyFile, caddyOf, type Machine, nginxFile, nginxOf, unitFile, unitOf } from "./start-files";
import { configSoFar, given, type Setup } from "./state";

const root = new URL("../../../..", import.meta.url).pathname.replace(/\/$/, "");

/** How the shop starts on this machine, and whether it can sell. */
export async function startStep(setup: Setup, { writeBelow }: { writeBelow: string | null }): Promise<void> {
  const { ui, environment } = setup;
  if (environment["IN_CONTAINER"]) {
    ui.note(
      `Caddy and the mail relay read these lines from .env beside compose.yaml:\n${composeLines(setup)}`,
    );
    ui.note("Start it: docker compose up -d");
  } else if (writeBelow !== null) writeStartFiles(setup, writeBelow);
  else ui.note(howItStarts(setup));
  await doctor(setup);
  const address = given(setup, "PUBLIC_URL");
  const test = "buy with card 4242 4242 4242 4242, any later date, any three digits";
  const isTest = !isLiveKey(given(setup, "STRIPE_SECRET_KEY"));
  ui.note(`Once it runs, open ${address}${isTest ? ` and ${test}` : ""}.`);
}

function composeLines(setup: Setup): string {
  const { hostname } = new URL(given(setup, "PUBLIC_URL"));
  const domain = senderOf(given(setup, "MAIL_FROM"))?.address.split("@")[1];
  const sender = domain === undefined || domain === hostname ? [] : [`SENDER_DOMAIN=${domain}`];
  return [`SHOP_DOMAIN=${hostname}`, ...sender].join("\n");
}

const isProxied = ({ publicUrl }: Machine) => publicUrl.protocol === "https:";

function howItStarts(setup: Setup): string {
  const machine = machineOf(setup);
  const byHand = `NODE_ENV=production DATA_DIR=${setup.dataDir} npm start`;
  if (!isProxied(machine)) return `Start it: ${byHand}`;
  return [
    `Start it: ${byHand}`,
    `Or have systemd start it, and a proxy end TLS; as root, shop setup --write writes the first two.`,
    ...[
      [unitFile, unitOf(machine)],
      [caddyFile, caddyOf(machine)],
      [`or ${nginxFile}`, nginxOf(machine)],
    ].map(([file, text]) => `\n# ${file}\n${text}`),
  ].join("\n");
}

const next = "systemctl daemon-reload && systemctl enable --now latchkey && systemctl reload caddy";

/** Writes systemd's unit, and Caddy's file where Caddy is; what stands there already is left alone. */
export function writeStartFiles(setup: Setup, below: string): void {
  const { ui } = setup;
  const machine = machineOf(setup);
  const hasCaddy = existsSync(join(below, dirname(caddyFile)));
  const files = [
    [unitFile, unitOf(machine)],
    ...(hasCaddy && isProxied(machine) ? [[caddyFile, caddyOf(machine)]] : []),
  ] as const;
  for (const [file = "", text = ""] of files) {
    const written = writeNew(join(below, file), text);
    if (written) ui.proved(`${file} was written.`);
    else ui.untested(`There is another ${file}, which was left as it is. It needs:\n${text}`);
  }
  if (!hasCaddy && isProxied(machine)) ui.note(`For nginx, ${nginxFile}:\n${nginxOf(machine)}`);
  ui.note(`Start it: ${hasCaddy ? next : next.replace(/ && systemctl reload caddy/, "")}`);
}

/** False if another text stands there. */
function writeNew(file: string, text: string): boolean {
  if (existsSync(file)) return readFileSync(file, "utf8") === text;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && /^(EACCES|EPERM|EROFS)$/.test(String(error.code))) {
      throw new ConfigError(`${file} can't be written: run shop setup --write as root.`);
    }
    throw error;
  }
}

function machineOf(setup: Setup): Machine {
  const { port, publicUrl, backups, builds } = configSoFar(setup);
  const places = [builds, backups.place].flatMap((place) => ("folder" in place ? [place.folder] : []));
  return {
    root,
    bun: process.execPath,
    user: userOf(statSync(setup.dataDir).uid),
    dataDir: setup.dataDir,
    folders: places.filter((folder) => !folder.startsWith(`${setup.dataDir}/`)),
    port,
    publicUrl,
  };
}

/** A user's name as in /etc/passwd; otherwise the number. */
export function userOf(uid: number): string {
  const file = "/etc/passwd";
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.map((line) => line.split(":")).find(([, , id]) => id === String(uid))?.[0] ?? String(uid);
}

/** Runs `shop doctor` in a process of its own, which reads what was just written. False if it found something wrong. */
export async function doctor({ ui, environment }: Setup): Promise<boolean> {
  const child = Bun.spawn([process.execPath, join(root, "src/operator/main.ts"), "doctor"], {
    cwd: root,
    env: { ...environment, NODE_ENV: "production" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await ui.work("Running shop doctor", () =>
    Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]),
  );
  ui.note(`shop doctor says:\n${[out, err].map((text) => text.trim()).join("\n")}`);
  return code === 0;
}
