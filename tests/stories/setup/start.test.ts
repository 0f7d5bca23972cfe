import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandOf, type Machine } from "@/operator/setup/machine/start-files";
import { hasShop, productOf, shopStep } from "@/operator/setup/steps/shop";
import { machineOf } from "@/operator/setup/steps/start";
import { writeStartFiles } from "@/operator/setup/steps/start-shop";
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
  expect(text).toContain(`ReadWritePaths=${shop.setup.dataDir} /mnt/backups\n`);
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
  expect(first.said).toContain("There is another /etc/caddy/Caddyfile, which was left as it is. Put this into it");
  expect(first.said).toContain("\nshop.example.com {\n");
  expect(shop.read(caddy)).toBe(own);

  const text = shop.read(unit);
  const second = shop.write({ ...shop.machine, port: 3001 });
  expect(shop.read(unit)).toBe(text);
  expect(second.said).toContain("There is another /etc/systemd/system/latchkey.service");
  expect(second.said).toContain("There is another /usr/local/bin/shop");
});

test("the command works for root and the shop's user, in the folder in which it is typed", async () => {
  using shop = emptyMachine();
  const cwd = shop.setup.dataDir;
  const programs = { id: "echo $ME", runuser: 'echo "runuser $*" > called; shift 3; exec "$@"' };
  const PATH = putPrograms(join(cwd, "programs"), programs);
  const typed = (ME: string, ...words: string[]) =>
    runProcess(["sh", "-c", commandOf({ ...shop.machine, user: "latchkey" }), "shop", ...words], {
      cwd,
      env: { PATH, ME },
    });
  expect(await typed("latchkey", "settings", "export", "copy.env")).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(cwd, "copy.env"), "utf8")).toContain("PUBLIC_URL=https://shop.example.com\n");
  expect(await typed("root", "settings", "export", "another.env")).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(join(cwd, "called"), "utf8")).toStartWith("runuser -u latchkey -- env NODE_ENV=production ");
  expect(await typed("sam", "doctor")).toEqual({ code: 1, out: "", err: "Type sudo shop doctor\n" });
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
