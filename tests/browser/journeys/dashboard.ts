/** A customer who has bought, with a release to download, and pages on which nothing may complain. */
import { afterAll, expect } from "bun:test";
import type { BrowserContextOptions } from "playwright-core";
import type { Person } from "../../support/people/person";
import { release } from "../../support/shop/publish-release";
import { openShop } from "../../support/shop/shop-in-browser";
import { openBrowser, signIn, still, watchShifts } from "../browser";

export const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

const browser = await openBrowser();

export const stage = await openShop({ discord: true, env: { LIMITS: "register-success=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

/** A customer who bought and redeemed a key, and a release to download. */
export const ada = stage.person();
await release(stage, "1.0.0", { content: "One thing.\nAnother." });
await ada.register((await stage.buy()).key, "ada");
export const intent: string = (await ada.get("/api/payments")).body.data[0].payment_id;

/** A page signed in as somebody; closing it asserts no console message, no violation and no other host. */
export async function visitAs(person: Person, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ ...still, viewport: widths.desktop, ...options });
  await signIn(context, person, stage.url);
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    // what a busy machine draws late is used all the same: a test of the home page counts the calls
    if (text.includes("was preloaded using link preload but not used within a few seconds")) return;
    if (message.type() === "error" || message.type() === "warning") complaints.push(text);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && host !== stage.url.host) strangers.push(host);
  });
  return {
    page,
    /** Delays every call, so that the skeletons are seen. */
    slowly: () => watchShifts(page),
    close: async () => {
      await context.close();
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    },
  };
}
