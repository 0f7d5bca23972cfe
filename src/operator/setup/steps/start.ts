import { statSync } from "node:fs";
import { isLiveKey } from "@/core/settings/config";
import { senderOf } from "@/core/settings/sender";
import { main } from "../machine/run-as";
import {
  caddyFile,
  caddyOf,
  codeFolder,
  type Machine,
  nginxFile,
  nginxOf,
  unitFile,
  unitOf,
} from "../machine/start-files";
import { userOf } from "../machine/user";
import { configSoFar, given, type Setup } from "./state";

/** Whether the shop can sell and, unless root starts it from here, how it starts on this machine. */
export async function startStep(setup: Setup, { forRoot }: { forRoot: boolean }): Promise<void> {
  const { ui, environment } = setup;
  if (forRoot) return void (await doctor(setup));
  if (environment["IN_CONTAINER"]) {
    ui.note("Caddy and the mail relay read these lines from .env beside compose.yaml:", composeLines(setup));
    ui.note("Start it: docker compose up -d");
  } else tellHowItStarts(setup);
  await doctor(setup);
  ui.note(`Once it runs, open ${whatToOpen(setup)}.`);
}

function composeLines(setup: Setup): string {
  const { hostname } = new URL(given(setup, "PUBLIC_URL"));
  const domain = senderOf(given(setup, "MAIL_FROM"))?.address.split("@")[1];
  const sender = domain === undefined || domain === hostname ? [] : [`SENDER_DOMAIN=${domain}`];
  return [`SHOP_DOMAIN=${hostname}`, ...sender].join("\n");
}

export const isProxied = ({ publicUrl }: Machine): boolean => publicUrl.protocol === "https:";

function tellHowItStarts(setup: Setup): void {
  const { ui, dataDir } = setup;
  const machine = machineOf(setup);
  ui.note("Start it:", `cd ${codeFolder} && env NODE_ENV=production DATA_DIR=${dataDir} npm start`);
  if (!isProxied(machine)) return;
  const files = [
    [unitFile, unitOf(machine)],
    [caddyFile, caddyOf(machine)],
    [`or ${nginxFile}`, nginxOf(machine)],
  ];
  ui.note(
    "Or have systemd start it, and a proxy end TLS, with these files:",
    files.map(([file, text]) => `# ${file}\n${text}`).join("\n"),
  );
  if (process.getuid?.() === 0) return;
  const asRoot = `cd ${codeFolder} && env DATA_DIR=${dataDir} npm run shop setup`;
  ui.note("Typed as root, this writes the first two, and starts the shop:", asRoot);
}

/** Where the owner goes next. */
export function whatToOpen(setup: Setup): string {
  const test = " and buy with card 4242 4242 4242 4242, any later date, any three digits";
  return `${given(setup, "PUBLIC_URL")}${isLiveKey(given(setup, "STRIPE_SECRET_KEY")) ? "" : test}`;
}

export function machineOf(setup: Setup): Machine {
  const { port, publicUrl, backups, builds } = configSoFar(setup);
  const places = [builds, backups.place].flatMap((place) => ("folder" in place ? [place.folder] : []));
  return {
    root: codeFolder,
    bun: process.execPath,
    user: userOf(statSync(setup.dataDir).uid),
    dataDir: setup.dataDir,
    folders: places.filter((folder) => !folder.startsWith(`${setup.dataDir}/`)),
    port,
    publicUrl,
  };
}

/** Runs `shop doctor` in a process of its own, which reads what was just written. False if it found something wrong. */
export async function doctor({ ui, environment }: Setup): Promise<boolean> {
  const child = Bun.spawn([process.execPath, main, "doctor"], {
    cwd: codeFolder,
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
