/** The pictures in the README: the demo's own pages, as its customers and staff see them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { generateSync } from "otplib";
import { basename, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { cast } from "@/demo/members";
import { startDemo } from "@/demo/start";
import { createSite } from "@/serving/site";
import { startShop } from "@/shop";
import { control as controlAt } from "../support/network/control";
import { freePort } from "../support/shop/free-port";
import { sharedSite } from "../support/shop/shared-site";

const folder = join(import.meta.dir, "../../docs/pictures");
const viewport = { width: 1280, height: 760 };

/** Starts the demo and saves `docs/pictures/{landing,license,ticket,desk}.webp`. */
export async function takeShop(browser: Browser): Promise<void> {
  const demo = await openDemo();
  try {
    const page = await browser.newPage({ viewport, deviceScaleFactor: 1.5 });
    await page.goto(demo.url, { waitUntil: "networkidle" });
    await save("landing", await page.screenshot());
    await showLicense(page, demo.url);
    await save("license", await page.screenshot());
    await showTicket(page, demo);
    await save("ticket", await page.locator("#messages > li").last().screenshot());
    await page.close();
    await takeDesk(browser, demo.url);
  } finally {
    await demo.stop();
  }
}

async function openDemo() {
  const dataDir = await mkdtemp(join(tmpdir(), "pictures-shop-"));
  const config = readConfig({ PORT: String(await freePort()), DATA_DIR: dataDir, LOG_LEVEL: "error" });
  const filled = Promise.withResolvers<void>();
  let welcome = "";
  let staffChannel = "";
  const stopDemo = await startDemo(
    config,
    (complete, simulated) => {
      if (complete.discord !== "off") staffChannel = complete.discord.staffChannelId;
      return startShop(complete, {
        simulated,
        log: createLog(config.logLevel),
        pages: (publicUrl, offers) => createSite({ publicUrl, offers, cacheDir: sharedSite }),
      });
    },
    {
      print: (text) => {
        welcome += text;
        if (text.includes("Everyone is there")) filled.resolve();
      },
    },
  );
  await filled.promise;
  return {
    url: config.publicUrl.href,
    discord: /Discord.*: (http\S+)/.exec(welcome)?.[1] ?? "",
    staffChannel,
    async stop() {
      await stopDemo();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function showLicense(page: Page, shop: string): Promise<void> {
  const { username, password } = cast.ada;
  await page.goto(new URL("/login", shop).href);
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/dashboard");
  await page.goto(new URL("/dashboard/license", shop).href, { waitUntil: "networkidle" });
  await page.getByText("Active").first().waitFor();
}

/** The owner's morning: the demo's year in figures, and what waits for a decision. */
async function takeDesk(browser: Browser, shop: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(shop);
  const { username, password, secret } = cast.olga;
  // a code works once, and the desk takes the next one half a minute early
  const codes = [0, 30].map((later) =>
    generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + later }),
  );
  await send(page, "/api/auth/login", { username, password, security_code: codes[0] });
  await send(page, "/api/desk/enter", { security_code: codes[1] });
  await page.goto(new URL("/desk?range=90", shop).href, { waitUntil: "networkidle" });
  await page.locator(".recharts-bar-rectangle").first().waitFor();
  // the curve is drawn from left to right
  await page.waitForTimeout(2_000);
  await save("desk", await page.screenshot());
  await page.close();
}

/** A call by the page itself. */
async function send(page: Page, path: string, body: object): Promise<void> {
  const status = await page.evaluate(
    async ([to, text]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(to, { method: "POST", headers, body: text })).status;
    },
    [path, JSON.stringify(body)] as const,
  );
  if (status !== 200) throw new Error(`${path}: ${status}`);
}

/** A member asks for help, and staff see the ticket's card in their channel. */
async function showTicket(
  page: Page,
  { discord, staffChannel }: { discord: string; staffChannel: string },
): Promise<void> {
  const control = (action: string, body?: object) => controlAt(new URL(discord).origin, action, body);
  const panel = (await control("channels/support/messages")).messages[0].id;
  const user = "ada";
  const offered = await control("interact/button", {
    user,
    message: panel,
    custom_id: "ticket-topic:licence",
  });
  const open = { user, message: offered.messages[0].id, label: "Open a ticket" };
  const { interaction } = await control("interact/button", open);
  const fields = { text: "I have a new computer. Can I move my license to it?" };
  await control("interact/modal", { user, interaction, fields });
  // tall enough for the whole card
  await page.setViewportSize({ ...viewport, height: 1600 });
  await page.goto(new URL(`/?as=sam&channel=${staffChannel}`, discord).href);
  await page.getByText(fields.text).first().waitFor({ timeout: 15_000 });
}

async function save(name: string, png: Buffer): Promise<void> {
  const path = join(folder, `${name}.webp`);
  const { size } = await sharp(png).webp({ quality: 80, effort: 6, smartSubsample: true }).toFile(path);
  console.log(`${basename(path)}: ${(size / 1000).toFixed(1)} kB`);
}
