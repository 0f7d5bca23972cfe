import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addOffer } from "@/domain/offers/change";
import { by, password, settleAll } from "../stories/subscriptions/subscriber";
import { runProcess } from "../support/operator/run-process";
import { connect, makeRole, waitForBot, waitForHolders } from "../support/people/discord";
import { addLevels } from "../support/shop/levels";
import { openShop } from "../support/shop/shop-in-browser";
import { payAtStripe, signIn } from "./browser";
import { visit } from "./visit";

test("a level that is bought, added, refunded and switched has its role and the application's export follow", async () => {
  await using stage = await openShop({ discord: { limits: { enabled: false } } });
  await waitForBot(stage);
  const team = { level: "team", days: null };
  await addLevels(stage, {
    id: "team",
    name: "Team",
    features: ["export"],
    roleId: await makeRole(stage, "Team"),
  });
  await addOffer(stage.ctx, { ...team, id: "team", name: "Team, for life", amount: 900 }, by);
  const monthly = { days: null, every: "month" } as const;
  await addOffer(stage.ctx, { ...monthly, id: "month", name: "A month", amount: 300 }, by);
  await addOffer(stage.ctx, { ...monthly, ...team, id: "team-month", name: "Team monthly", amount: 600 }, by);
  const { page, context, to, close } = await visit(stage.url);
  const [ada, home] = [stage.person(), await mkdtemp(join(tmpdir(), "example-"))];
  const refund = async (offer: string) => {
    const sold = `SELECT session_id FROM payments WHERE offer = '${offer}'`;
    const { rows } = await stage.ctx.store.client.execute(sold);
    await stage.stripeTells("refund", { session: rows[0]?.["session_id"] });
  };

  await to("/?offer=premium");
  await page.getByRole("button", { name: "Purchase Premium" }).click();
  await payAtStripe(page, "ada@example.com");
  const key = await page.getByText(/^WISP(-[0-9A-Z]{4}){4}$/).textContent();
  expect((await ada.register(key ?? "", "ada", password)).status).toBe(200);
  const { api_key: token } = (await ada.get("/api/user/me")).body.data;
  await connect(stage, ada, "ada");
  await signIn(context, ada, stage.url);
  await shows("Wisp Premium · Active · for life", { roles: ["Premium"], exporting: "not in this license" });

  await buy("Team, for life", "Buy Team");
  await shows("Team · Active · for life", { roles: ["Premium", "Team"], exporting: "ready" });
  await refund("team");
  await shows("Wisp Premium · Active · for life", { roles: ["Premium"], exporting: "not in this license" });
  await refund("premium");
  await shows("Team · Refunded", { roles: [], exporting: undefined });

  await buy("A month", "Subscribe");
  await settleAll(stage);
  await shows("Wisp Premium · Active", { roles: ["Premium"], exporting: "not in this license" });
  const plan = page.getByRole("region", { name: "License status" });
  await plan.getByRole("button", { name: "Change plan" }).click();
  await page.waitForURL(/\/p\/session\/.*switch/);
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/dashboard/license");
  await settleAll(stage);
  await shows("Team · Active", { roles: ["Team"], exporting: "ready" });
  await plan.getByText(/^Renews on \w{3} \d+, \d{4} for USD 6\.00\.$/).waitFor();
  await rm(home, { recursive: true });
  await close();

  async function buy(offer: string, act: string) {
    await page.getByRole("radio", { name: offer }).check();
    await page.getByRole("button", { name: act }).click();
    await payAtStripe(page);
    await page.getByRole("heading", { name: "Payment Verified" }).waitFor();
  }
  /** On the License page, at Discord, and in the example application. */
  async function shows(status: string, has: { roles: string[]; exporting: string | undefined }) {
    await to("/dashboard/license");
    await page.getByRole("region", { name: "License status" }).getByText(status).waitFor();
    for (const role of ["Premium", "Team"])
      await waitForHolders(stage, has.roles.includes(role) ? ["ada"] : [], role);
    const program = [process.execPath, "src/client/example.ts", stage.url.href, token];
    const { out } = await runProcess(program, { env: { HOME: home } });
    expect([status, /^Export: (.*)$/m.exec(out)?.[1]]).toEqual([status, has.exporting]);
  }
});
