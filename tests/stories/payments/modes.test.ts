import { expect, test } from "bun:test";
import { connect } from "../../support/people/discord";
import { operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const liveKey = "sk_live_of_the_shop";

/** The shop goes live, and its bot agrees with Discord again. */
async function goLive(stage: Stage): Promise<void> {
  await stage.atStripe("keys", { key: liveKey });
  await stage.restart({ stripeKey: liveKey });
}

test("a licence bought in test mode gives nothing once the shop is live, and works again in test mode", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const key = (await stage.buy("ada@example.com")).key;
  const unused = (await stage.buy("late@example.com")).key;
  await ada.register(key, "ada");
  const hwid = { hwid: "the-machine-of-ada", label: "desk", os: "linux", version: "1.0.0" };
  const bearer = {
    authorization: `Bearer ${(await ada.post("/api/user/info/reset/token")).body.data.api_key}`,
  };
  const activate = async () => (await ada.post("/api/app/v1/activate", hwid, bearer)).body.code;
  const revoked = (await stage.buy("revoked@example.com")).key;
  await operated(stage, "licences", "revoke", revoked, "--reason", "a story");
  const active = async () => (await ada.get("/api/user/me")).body.data.active_license;
  expect([await active(), await activate()]).toEqual([true, "VALID"]);

  await goLive(stage);
  expect([await active(), await activate()]).toEqual([false, "REVOKED"]);
  expect((await ada.get("/api/licenses/me")).body.data).toMatchObject([{ active: false }]);
  const refused = await stage.person().register(unused, "late");
  expect([refused.status, refused.body.code]).toEqual([409, "license_other_mode"]);
  const redeem = await ada.post("/api/licenses/redeem", { key: unused, timezone: "UTC" });
  expect([redeem.status, redeem.body.code]).toEqual([409, "license_other_mode"]);

  const { out, code } = await operateWith(
    { ...settingsOf(stage), STRIPE_SECRET_KEY: liveKey, STRIPE_PUBLISHABLE_KEY: "pk_live_of_the_shop" },
    "doctor",
    "--json",
  );
  expect(code).toBe(0);
  const sentence = "2 were bought in Stripe's test mode: not valid while the shop uses a live key.";
  expect(JSON.parse(out)).toContainEqual({ what: "licences", state: "warning", sentence });

  // a real purchase and a key issued by the operator are worth what they were
  const timed = await ada.post("/api/licenses/redeem", { key: await stage.handOut(30), timezone: "UTC" });
  expect([timed.status, await active()]).toEqual([200, true]);
  const real = await stage.person().register((await stage.buy("real@example.com")).key, "real");
  expect(real.status).toBe(200);

  await stage.restart({ stripeKey: stage.stripe.secretKey });
  expect((await stage.person().register(unused, "late")).status).toBe(200);
});

test("the premium role from a licence bought in test mode is removed when the shop is live", async () => {
  await using stage = await openStage({ discord: true });
  const ada = stage.person();
  await ada.register((await stage.buy("greta@example.com")).key, "greta");
  await stage.atDiscord("members", { username: "greta", join: true });
  expect((await connect(stage, ada, "greta")).status).toBe(200);
  const holdsRole = async () =>
    (await stage.ctx.store.client.execute("SELECT holds_role FROM links")).rows[0]?.["holds_role"];
  expect(await holdsRole()).toBe(1);
  await goLive(stage);
  await eventually(holdsRole, (held) => held === 0);
});
