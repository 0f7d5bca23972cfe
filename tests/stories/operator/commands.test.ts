import { expect, test } from "bun:test";
import { operate, operated, settingsOf } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { bindDevice, login, mailsTo, member, turnOnMfa } from "../accounts/people";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a story"];
const audited = async (stage: Stage, action: string) => {
  const trail: { actor: string; action: string; reason: string | null; subject: string }[] = await operated(
    stage,
    "audit",
    "show",
    "--limit",
    "200",
  );
  return trail.filter((entry) => entry.action === action);
};

test("a key issued by the operator can be redeemed, and the audit log says who made it and why", async () => {
  await using stage = await openStage();
  const { key } = await operated(stage, "licences", "issue", "--days", "30", "--reason", "a giveaway");
  const winner = stage.person();
  expect((await winner.register(key, "winner")).status).toBe(200);
  expect((await winner.get("/api/user/me")).body.data.active_license).toBeTruthy();
  expect(await audited(stage, "licence.issued")).toMatchObject([{ actor: "operator", reason: "a giveaway" }]);
});

test("keys issued by the operator are for as many computers as asked, one by default", async () => {
  await using stage = await openStage();
  const placesOf = async (key: string, name: string) => {
    const person = stage.person();
    expect((await person.register(key, name)).status).toBe(200);
    return (await person.get("/api/user/me")).body.data.devices.places;
  };
  const issue = (...more: string[]) => operated(stage, "licences", "issue", ...more, ...why);
  const team = await issue("--devices", "5");
  expect(team).toEqual({ key: expect.any(String), days: null, devices: 5 });
  expect(await placesOf(team.key, "team")).toBe(5);
  expect(await placesOf((await issue()).key, "alone")).toBe(1);
  const batch = await operated(stage, "licences", "batch", "2", "--devices", "3", ...why);
  expect(batch).toMatchObject({ devices: 3 });
  expect(await placesOf(batch.keys[1], "third")).toBe(3);
  for (const wrong of ["0", "1001", "1.5", "x"])
    expect((await operate(stage, "licences", "issue", "--devices", wrong, ...why)).code).toBe(2);
  const details = (
    await stage.ctx.store.client.execute(
      "SELECT detail FROM audit_log WHERE action = 'licence.issued' ORDER BY at, id",
    )
  ).rows.map(({ detail }) => JSON.parse(detail as string).devices);
  expect(details).toEqual([5, 1, 3, 3]);
});

test("a batch is printed as CSV, and each key is different and works", async () => {
  await using stage = await openStage();
  const { out, code } = await operate(stage, "licences", "batch", "120", "--days", "7", ...why);
  expect(code).toBe(0);
  const [heading, ...lines] = out.trim().split("\n");
  expect(heading).toBe("key,days");
  const keys = lines.map((line) => line.split(",")[0] ?? "");
  expect(new Set(keys).size).toBe(120);
  expect((await stage.person().register(keys[119] ?? "", "last")).status).toBe(200);
});

test("a batch whose output breaks off fails, and no key is valid that was not printed", async () => {
  await using stage = await openStage();
  const waiting = async () =>
    (await stage.ctx.store.client.execute("SELECT count(*) FROM licences WHERE revoked_at IS NULL"))
      .rows[0]?.[0];
  const into = async (target: string, count: string) => {
    const script = `set -o pipefail; "$0" src/operator/main.ts licences batch ${count} --reason test ${target}`;
    const child = Bun.spawn(["bash", "-c", script, process.execPath], {
      env: { PATH: process.env["PATH"] ?? "", ...settingsOf(stage) },
      stdout: "pipe",
      stderr: "pipe",
    });
    return { err: await new Response(child.stderr).text(), code: await child.exited };
  };
  const full = await into("> /dev/full", "10");
  expect(full).toEqual({ err: "The output can't be written (ENOSPC).\n", code: 1 });
  expect(await waiting()).toBe(0);
  const cut = await into("| head -n 150", "3000");
  const [, printed] = /The first (\d+) keys were made and printed; any after/.exec(cut.err) ?? [];
  expect(cut.code).toBe(1);
  expect(Number(printed)).toBeWithin(100, 3_000);
  expect(await waiting()).toBe(Number(printed));
});

test("days and counts have upper bounds, and a licence that was given more days can be redeemed", async () => {
  await using stage = await openStage();
  for (const args of [
    ["licences", "issue", "--days", "99999999"],
    ["licences", "batch", "1", "--days", "36501"],
    ["licences", "batch", "1000001"],
    ["licences", "extend", "x", "99999999"],
    ["offers", "add", "long", "--name", "Long", "--amount", "200", "--days", "99999999"],
    ["payments", "refund", "x", "--amount", "1e21"],
    ["codes", "create", "X", "--percent", "10", "--uses", "99999999999"],
  ]) {
    const { err, code } = await operate(stage, ...args, ...why);
    expect([...args, code, err.includes("It must be a whole number from 1 to")]).toEqual([...args, 2, true]);
  }
  const key = await stage.handOut(99_999_999);
  const owner = stage.person();
  expect((await owner.register(key, "owner")).status).toBe(200);
  const [licence] = (await owner.get("/api/licenses/me")).body.data;
  expect(licence.expiry_date).toStartWith("9999-12-31");
});

test("suspending takes effect at once, reinstating restores the licence, revoking is permanent", async () => {
  await using stage = await openStage();
  const key = await stage.handOut();
  const owner = stage.person();
  await owner.register(key, "owner");
  const active = async () => (await owner.get("/api/user/me")).body.data.active_license;
  const { id } = await operated(stage, "licences", "show", key);
  expect(await operated(stage, "licences", "suspend", id, ...why)).toEqual({ id, status: "suspended" });
  expect(await active()).toBeFalsy();
  const refusedTo = async (verb: string) => (await operate(stage, "licences", verb, id, ...why)).err;
  expect(await refusedTo("suspend")).toBe("That licence is suspended already. Nothing was changed.\n");
  expect(await operated(stage, "licences", "reinstate", id, ...why)).toEqual({ id, status: "active" });
  expect(await refusedTo("reinstate")).toBe("That licence is not suspended. Nothing was changed.\n");
  expect(await active()).toBeTruthy();
  expect(await operated(stage, "licences", "revoke", id, ...why)).toEqual({ id, status: "revoked" });
  expect(await active()).toBeFalsy();
  const again = await operate(stage, "licences", "reinstate", id, ...why, "--json");
  expect(again).toMatchObject({ code: 1, out: "" });
  expect(JSON.parse(again.err).error.code).toBe("license_unchanged");
  expect(await refusedTo("suspend")).toBe("That licence is revoked for good. Nothing was changed.\n");
  expect(await audited(stage, "licence.revoked")).toMatchObject([{ actor: "operator", subject: id }]);
});

test("a rotated key no longer works, the new one replaces it, and the payment still has one licence", async () => {
  await using stage = await openStage();
  const { key: sold } = await stage.buy();
  const { key } = await operated(stage, "licences", "rotate", sold, ...why);
  expect(key).not.toBe(sold);
  expect((await stage.person().register(sold, "thief")).body.code).toBe("license_unknown");
  expect((await stage.person().register(key, "owner")).status).toBe(200);
  // settling again must not bring the leaked key back
  const payments = await operated(stage, "payments", "sync", ...why);
  expect(payments.failed).toBe(0);
  expect((await stage.person().register(sold, "thief")).body.code).toBe("license_unknown");
});

test("the operator resets device and two-factor, and sees the account without its credentials", async () => {
  await using stage = await openStage();
  await member(stage, "owner");
  const shown = await operate(stage, "accounts", "show", "owner", "--json");
  expect(JSON.parse(shown.out).account).toMatchObject({ username: "owner", email: "owner@example.com" });
  const exported = await operate(stage, "accounts", "export", "owner@example.com");
  expect(JSON.parse(exported.out).licences).toHaveLength(1);
  for (const { out } of [shown, exported]) {
    expect(out).not.toMatch(/argon2|[Hh]ash"|[Ss]ealed"/);
  }
  const unset = await operate(stage, "accounts", "reset-device", "owner", ...why);
  expect(unset).toMatchObject({ code: 1, err: "No computer is bound to that account.\n" });
  const off = await operate(stage, "accounts", "reset-mfa", "owner", ...why);
  expect(off).toMatchObject({ code: 1, err: "Two-factor is off on that account.\n" });
});

test("the export of an account has what staff noted about its owner", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "owner");
  const { id } = (await owner.get("/api/user/me")).body.data;
  const sam = await atDesk(stage, "sam", "support");
  expect((await sam.post(`customers/${id}/notes`, { text: "Asks for invoices." })).status).toBe(200);
  const { out } = await operate(stage, "accounts", "export", "owner");
  expect(JSON.parse(out).notes).toEqual([{ at: expect.any(String), text: "Asks for invoices." }]);
});

test("the export of an account that redeemed a gift reveals nothing about its buyer", async () => {
  await using stage = await openStage();
  const buyer = await member(stage, "buyer");
  const gift = { email: "bob@example.com", from: "Ada", message: "Enjoy!" };
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd", gift });
  await stage.atStripe("pay", { session: opened.body.data.id, email: "buyer@example.com" });
  await buyer.get(`/api/stripe/verify-payment?session_id=${opened.body.data.id}`);
  const [mail] = await mailsTo(stage, "bob@example.com");
  const bob = stage.person();
  await bob.register(/WISP(-[0-9A-Z]{4}){4}/.exec(mail?.text ?? "")?.[0] ?? "", "bob");
  const { out } = await operate(stage, "accounts", "export", "bob");
  expect(JSON.parse(out).payments).toMatchObject([{ state: "succeeded", email: "b•••@e•••.com" }]);
  const { id } = (await buyer.get("/api/user/me")).body.data;
  for (const hidden of [id, "buyer@example.com", "Enjoy!", opened.body.data.id]) {
    expect(out).not.toContain(hidden);
  }
});

test("a customer who lost phone and computer gets in again with the operator's help, and is notified", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "owner");
  await turnOnMfa(stage, owner);
  await bindDevice(stage, owner);
  const shown = await operated(stage, "accounts", "show", "owner");
  expect(shown).toMatchObject({ twoFactor: true, device: { label: "Desk" } });
  expect((await login(stage.person(), "owner")).body.code).toBe("mfa_required");
  await operated(stage, "accounts", "reset-mfa", "owner", ...why);
  await operated(stage, "accounts", "reset-device", "owner", ...why);
  const back = stage.person();
  expect((await login(back, "owner")).status).toBe(200);
  expect((await back.get("/api/user/me")).body.data).toMatchObject({
    mfa: false,
    hwid_set: false,
    last_reset: null,
  });
  const [notice] = await mailsTo(stage, "owner@example.com");
  expect(notice?.text).toContain("our support");
  expect(await audited(stage, "mfa.reset_by_staff")).toMatchObject([
    { actor: "operator", reason: "a story" },
  ]);
});

test("the audit log is filtered by actor, action, time and subject", async () => {
  await using stage = await openStage();
  const { key } = await operated(stage, "licences", "issue", ...why);
  await stage.person().register(key, "owner");
  const { id } = await operated(stage, "licences", "show", key);
  await operated(stage, "licences", "suspend", id, "--reason", "looking into it");
  const shown = async (...filter: string[]) =>
    (await operated(stage, "audit", "show", ...filter)).map((entry: { action: string }) => entry.action);
  expect(await shown("--actor", "operator", "--action", "licence.suspended")).toEqual(["licence.suspended"]);
  expect(await shown(id, "--action", "licence")).toEqual([
    "licence.suspended",
    "licence.redeemed",
    "licence.issued",
  ]);
  expect(await shown("--action", "lic")).toEqual([]);
  expect(await shown("--since", "2999-01-01")).toEqual([]);
  expect(await shown("--until", "2000-01-01T12:00")).toEqual([]);
  expect(await operate(stage, "audit", "show", "--since", "yesterday")).toMatchObject({ code: 2 });
});

test("an erased account is gone, its key stays spent, and the audit log keeps who erased it and why", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("owner@example.com");
  const owner = stage.person();
  await owner.register(key, "owner");
  const { id } = await operated(stage, "accounts", "erase", "owner", "--reason", "asked by mail");
  expect((await owner.get("/api/user/me")).status).toBe(401);
  expect((await stage.person().register(key, "other")).body.code).toBe("license_taken");
  expect(await audited(stage, "account.erased")).toMatchObject([
    { actor: "operator", subject: id, reason: "asked by mail" },
  ]);
  expect((await operate(stage, "accounts", "show", "owner")).code).toBe(1);
});

test("a payment is shown, synced with Stripe, and written up as evidence", async () => {
  await using stage = await openStage({ webhooks: false });
  const { key } = await stage.buy();
  const { payment } = await operated(stage, "licences", "show", key);
  const shown = await operated(stage, "payments", "show", payment);
  expect(shown).toMatchObject({ state: "succeeded", licence: { key: expect.stringContaining("••••") } });
  await stage.atStripe("faults", { webhooks: { drop: "all" } });
  await stage.atStripe("refund", { session: shown.sessionId });
  expect(await operated(stage, "payments", "sync", shown.intentId, ...why)).toMatchObject({
    from: "succeeded",
    to: "refunded",
  });
  expect(await operated(stage, "payments", "evidence", payment)).toHaveProperty("refund_refusal_explanation");
  const unsaid = await operate(stage, "payments", "evidence", payment, "--submit");
  expect(unsaid).toMatchObject({ code: 2 });
});

test("statistics, outbox and audit log are printed for people and for scripts", async () => {
  await using stage = await openStage();
  const first = await stage.buy();
  const { sessionId } = await stage.buy();
  await stage.atStripe("dispute", { session: sessionId, status: "needs_response" });
  await stage.stripe.flush();
  expect(await operated(stage, "stats")).toMatchObject({
    payments: { succeeded: 1, disputed: 1 },
    disputes: { needs_response: 1 },
    licences: { issued: 2, redeemed: 0, active: 0, disputed: 1 },
    tickets: { open: 0 },
  });
  const statistics = (await operate(stage, "stats")).out;
  expect(statistics).toContain("Sales in the last 30 days: 2 sold, USD 10.00");
  await stage.atStripe("refund", { session: first.sessionId });
  await stage.stripe.flush();
  expect((await operate(stage, "stats")).out).toContain(
    "Sales in the last 30 days: 2 sold, USD 10.00 − USD 5.00 refunded − USD 5.00 disputed = USD 0.00\n",
  );
  // a day without a sale has a line as well
  expect(statistics.match(/^\d{4}-\d\d-\d\d/gm)).toHaveLength(30);
  expect(statistics).toMatch(/needs response\s+█+ 1/);
  expect(
    (await operate(stage, "stats", "--days", "365")).out.match(/^\d{4}-\d\d( |$)/gm)?.length,
  ).toBeGreaterThan(11);
  expect((await operate(stage, "outbox", "list")).code).toBe(0);
  expect((await operate(stage, "audit", "show")).out).toContain("payment.succeeded");
});

test("a saved reply needs no reason, and the log has none then", async () => {
  await using stage = await openStage();
  const add = (text: string) => operate(stage, "replies", "add", "Refund rules", text);
  const long = await add("n".repeat(4_001));
  expect(long).toMatchObject({ code: 2, err: expect.stringContaining("It must be 1 to 4,000 characters.") });
  expect(await add("Within 14 days.")).toMatchObject({ code: 0, err: "" });
  expect(await audited(stage, "reply.added")).toMatchObject([{ actor: "operator", reason: null }]);
});
