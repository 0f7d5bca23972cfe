/** Computers that ask to be let in. */
import { afterAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import type { Person } from "../../support/people/person";
import { openShop } from "../../support/shop/shop-in-browser";
import { findingsAtBothWidths } from "../browser";
import { visit } from "../visit";

export const stage = await openShop({ env: { LIMITS: "register-success=1000/60,app=1000/60" } });
afterAll(() => stage[Symbol.asyncDispose]());

export const password = "a long enough phrase";

export async function as(person: Person | null) {
  const { page, to, close } = await visit(stage.url, person ? { person } : {});
  const look = async (what: string) => {
    expect([what, await findingsAtBothWidths(page, what)]).toEqual([what, []]);
  };
  return { page, to, look, [Symbol.asyncDispose]: close };
}

export const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();

/** What an application on another computer does: asks for a code, and fetches its token later. */
export async function askForCode(name: string) {
  const application = stage.person();
  const asked = await application.post("/api/app/v1/device/code", {
    hwid: `hardware-id-of-${name}`,
    label: name,
    os: "Windows 11",
    version: "1.0.0",
  });
  expect(asked.status).toBe(200);
  const { device_code, user_code, verification_uri_complete } = asked.body;
  const poll = () =>
    application.post("/api/app/v1/device/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code,
    });
  return { code: user_code as string, link: new URL(verification_uri_complete), poll };
}
