import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandOf, expectPlain, type Machine } from "@/operator/setup/machine/start-files";
import { hasShop, productOf, shopStep } from "@/operator/setup/steps/shop";
import { machineOf } from "@/operator/setup/steps/start";
import { startShop, writeStartFiles } from "@/operator/setup/steps/start-shop";
import { putPrograms } from "../../support/operator/bare-root";
import { runProcess } from "../../support/operator/run-process";
import { scriptedUi, startedSetup } from "../../support/operator/scripted-ui";

const [unit, command, caddy] = [
  "etc/systemd/system/latchkey.service",
  "usr/local/bin/shop",
  "etc/caddy/Caddyfile",
] as const;

/** A shop's machine: the folder of its files, and how they are written. */
function emptyMachine() {
  const shop = startedSetup({ PUBLIC_URL: "https://shop.example.com", BACKUP_TO: "/mnt/backups" });
  const below = join(shop.setup.dataDir, "root");
  return {
    ...shop,
    machine: machineOf(shop.setup),
    read: (file: string) => readFileSync(join(below, file), "utf8"),
    put(file: string, text: string) {
      mkdirSync(dirname(join(below, file)), { recursive: true });
      writeFileSync(join(below, file), text);
    },
    mode: (file: string) => statSync(join(below, file)).mode & 0o777,
    write(machine: Machine) {
      const { ui, said } = scriptedUi({});
      const hasCaddy = writeStartFiles(ui, machine, below);
      return { hasCaddy, said: said.join("\n") };
    },
  };
}

const packaged = `# The Caddyfile is an easy way to configure your Caddy web server.

:80 {
	# Set this path to your site's directory.
	root * /usr/share/caddy

	# Enable the static file server.
	file_server

	# reverse_proxy localhost:8080
}

# Refer to the Caddy docs for more information.
`;

test("root writes systemd's unit and the command, and in place of the package's Caddyfile the shop's", () => {
  using shop = emptyMachine();
  shop.put(caddy, packaged);
  expect(shop.write(shop.machine).hasCaddy).toBe(true);
  const text = shop.read(unit);
  expect(text).toContain(`Environment=NODE_ENV=production PORT=3000 DATA_DIR=${shop.setup.dataDir} `);
  expect(text).toContain(`ReadWritePaths=${shop.setup.dataDir} -/mnt/backups\n`);
  expect(text).not.toContain("SECRET_KEY");
  expect(shop.read(caddy)).toStartWith("shop.example.com {\n");
  expect(shop.read(`${caddy}.package`)).toBe(packaged);
  expect([shop.mode(unit), shop.mode(command)]).toEqual([0o644, 0o755]);
});

test("what stands there already is left alone, and what it needs is printed", () => {
  using shop = emptyMachine();
  const own = `${packaged}\nother.example.com {\n}\n`;
  shop.put(caddy, own);
  const first = shop.write(shop.machine);
  expect(first.hasCaddy).toBe(false);
  expect(first.said).toContain(
    "There is another /etc/caddy/Caddyfile, which was left as it is. Put this into it",
  );
  expect(first.said).toContain("\nshop.example.com {\n");
  expect(shop.read(caddy)).toBe(own);

  const text = shop.read(unit);
  const second = shop.write({ ...shop.machine, port: 3001 });
  expect(shop.read(unit)).toBe(text);
  expect(second.said).toContain("There is another /etc/systemd/system/latchkey.service");
  shop.put(command, "#!/bin/sh\n");
  expect(shop.write(shop.machine).said).toContain("There is another /usr/local/bin/shop");
});

test("the command works for root and the shop's user, in the folder in which it is typed", async () => {
  using shop = emptyMachine();
  const cwd = shop.setup.dataDir;
  const programs = { id: "echo $ME", runuser: 'echo "$DATA_DIR runuser $*"' };
  const PATH = putPrograms(join(cwd, "programs"), programs);
  const typed = (env: Record<string, string>, ...words: string[]) =>
    runProcess(["sh", "-c", commandOf({ ...shop.machine, user: "latchkey" }), "shop", ...words], {
      cwd,
      env: { PATH, ...env },
    });
  writeFileSync(join(cwd, "bunfig.toml"), 'preload = ["./stranger.ts"]\n');
  writeFileSync(join(cwd, "stranger.ts"), 'throw new Error("a stranger\'s code runs");\n');
  writeFileSync(join(cwd, ".env"), "DATA_DIR=/nowhere\n");
  for (const ME of ["latchkey", "root"]) {
    const copy = `copy-of-${ME}.env`;
    expect(await typed({ ME }, "settings", "export", copy)).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(cwd, copy), "utf8")).toContain("PUBLIC_URL=https://shop.example.com\n");
  }
  const { bun, root } = shop.machine;
  const asUser = `runuser -u latchkey -- ${bun} --config=${root}/bunfig.toml --no-env-file ${root}/src/operator/main.ts doctor`;
  expect((await typed({ ME: "root" }, "doctor")).out).toBe(`${cwd} ${asUser}\n`);
  const drill = { ME: "root", DATA_DIR: "/var/tmp/drill" };
  expect((await typed(drill, "doctor")).out).toBe(`/var/tmp/drill ${asUser}\n`);
  expect(await typed({ ME: "sam" }, "doctor")).toEqual({ code: 1, out: "", err: "Type sudo shop doctor\n" });
});

test("a path that systemd or a shell would read in another way is refused", () => {
  using shop = emptyMachine();
  for (const folder of [
    "/mnt/my disk",
    "/srv/100%",
    "/srv/o'neil",
    "/srv/$HOME",
    "/srv/x\nExecStartPre=+/bin/true",
  ]) {
    expect(() => expectPlain([shop.machine.dataDir, folder])).toThrow("can't stand in systemd's unit");
  }
  expect(() => expectPlain([shop.machine.root, shop.machine.bun, "/mnt/Sicherung-ä_1.2@x"])).not.toThrow();
});

type Said = Record<string, string>;

/** Starts a shop on a machine of which these commands fail, and say this. */
async function start(failing: Said, { port = 9, log = "", answer = "yes" } = {}) {
  using shop = emptyMachine();
  shop.put("run/systemd/system/.keep", "");
  shop.put(caddy, "");
  const { ui, said } = scriptedUi({ START: answer });
  const setup = { ...shop.setup, environment: { ...shop.setup.environment, PORT: String(port) }, ui };
  const run = async (...command: string[]) => {
    const why = failing[command.slice(1).join(" ")];
    return why === undefined ? { code: 0, said: log } : { code: 1, said: why };
  };
  const below = join(shop.setup.dataDir, "root");
  const isOpen = await startShop(setup, { user: "latchkey", below, patienceMilliseconds: 0, run });
  return { isOpen, said: said.join("\n") };
}

const isOpenAt = () => Bun.serve({ port: 0, fetch: () => new Response() });

test("a shop that runs is restarted, and the last sentence says what to open", async () => {
  using open = isOpenAt();
  const { isOpen, said } = await start({}, open);
  expect(isOpen).toBe(true);
  expect(said).toContain("Restart the shop, so that it reads this?");
  expect(said).toMatch(
    /or the one mailed to you\. Now open https:\/\/shop\.example\.com and buy with card [^\n]+$/,
  );
});

test("a proxy that doesn't run is told with what to type, and doesn't stop the shop", async () => {
  using open = isOpenAt();
  const { isOpen, said } = await start({ "reload caddy": "caddy.service is not active" }, open);
  expect(isOpen).toBe(true);
  expect(said).toContain(
    "If Caddy isn't running, type systemctl enable --now caddy. It says:\ncaddy.service is not active",
  );
  expect(said).toContain("The shop runs.");
});

test("a start that nobody wants now is told as commands", async () => {
  const { isOpen, said } = await start({}, { answer: "no" });
  expect(isOpen).toBe(true);
  expect(said).toContain(
    "systemctl daemon-reload && systemctl enable latchkey && systemctl restart latchkey && ",
  );
  expect(said).toContain("Once it runs, open");
});

test("a start that fails is told in systemd's words or the log's, with what to type", async () => {
  const refused = await start({ "restart latchkey": "no such unit", "is-active --quiet latchkey": "" });
  expect(refused.isOpen).toBe(false);
  expect(refused.said).toContain("Start the shop now?");
  expect(refused.said).toContain(
    "Once you know why, type systemctl restart latchkey again. It says:\nno such unit",
  );
  const closed = await start({}, { log: "The disk is full." });
  expect(closed.isOpen).toBe(false);
  expect(closed.said).toContain("-n 20 shows:\nThe disk is full.");
  expect(closed.said).toContain("Once it runs, open");
});

test("a second run proposes what was answered, and asks for no brand that there is", async () => {
  using shop = startedSetup({ CURRENCY: "eur", SELLER: "Olga Owner\\nBerlin", TIME_ZONE: "Europe/Berlin" });
  const { asked, said } = await shop.run(shopStep, {});
  expect(asked).toEqual(["OWNER_NAME", "OWNER_EMAIL", "PUBLIC_URL", "CURRENCY", "SELLER", "TIME_ZONE"]);
  expect(said).toContain("The product's names, price and texts stand in");
  expect(shop.setup.file).toMatchObject({
    CURRENCY: "eur",
    SELLER: "Olga Owner\\nBerlin",
    TIME_ZONE: "Europe/Berlin",
  });
});

test("a brand that an interrupted import had moved away is put back, and isn't asked for anew", async () => {
  using shop = startedSetup({ SELLER: "Olga Owner" });
  const brand = join(shop.setup.dataDir, "brand");
  renameSync(brand, `${brand}.former`);
  expect(hasShop(shop.setup)).toBe(true);
  expect(productOf(shop.setup)).toBe("Brushwork");
  const { asked } = await shop.run(shopStep, {});
  expect(asked).not.toContain("PRODUCT");
  expect(readdirSync(shop.setup.dataDir).filter((name) => name.startsWith("brand"))).toEqual(["brand"]);
});
