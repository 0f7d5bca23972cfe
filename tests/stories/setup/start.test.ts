import { expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { hasShop, productOf, shopStep } from "@/operator/setup/steps/shop";
import { writeStartFiles } from "@/operator/setup/steps/start";
import { openMachine } from "../../support/operator/set-up";
import { scriptedUi, startedSetup } from "../../support/operator/scripted-ui";

test("--write makes systemd's unit, and Caddy's file where Caddy is, and leaves alone what stands there", () => {
  using shop = startedSetup({ PUBLIC_URL: "https://shop.example.com", BACKUP_TO: "/mnt/backups" });
  const below = join(shop.setup.dataDir, "root");
  mkdirSync(join(below, "etc/caddy"), { recursive: true });
  const [unit, caddy] = ["etc/systemd/system/latchkey.service", "etc/caddy/Caddyfile"].map((file) =>
    join(below, file),
  );
  const first = scriptedUi({});
  writeStartFiles({ ...shop.setup, ui: first.ui }, below);
  const text = readFileSync(unit!, "utf8");
  expect(text).toContain(`Environment=NODE_ENV=production PORT=3000 DATA_DIR=${shop.setup.dataDir} `);
  expect(text).toContain(`ReadWritePaths=${shop.setup.dataDir} /mnt/backups\n`);
  expect(text).not.toContain("SECRET_KEY");
  expect(readFileSync(caddy!, "utf8")).toStartWith("shop.example.com {\n");
  expect(first.said.at(-1)).toBe(
    "Start it: systemctl daemon-reload && systemctl enable --now latchkey && systemctl reload caddy",
  );

  shop.setup.environment = { ...shop.setup.environment, PORT: "3001" };
  const second = scriptedUi({});
  writeStartFiles({ ...shop.setup, ui: second.ui }, below);
  expect(readFileSync(unit!, "utf8")).toBe(text);
  expect(second.said.join("\n")).toContain("There is another /etc/systemd/system/latchkey.service");
});

const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(`another user's data folder is refused${isRoot ? "" : " (needs root)"}`, async () => {
  await using machine = await openMachine();
  mkdirSync(machine.dataDir, { mode: 0o700 });
  chownSync(machine.dataDir, 65_534, 65_534);
  const { err, code } = await machine.setUp();
  expect(code).toBe(1);
  expect(err).toContain(`${machine.dataDir} belongs to nobody: run sudo -u nobody`);
  expect(existsSync(join(machine.dataDir, "settings.env"))).toBe(false);
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
