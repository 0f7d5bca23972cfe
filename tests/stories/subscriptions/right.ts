import { expect } from "bun:test";
import { operator } from "@/core/actor";
import { figures } from "@/domain/figures/figures";
import { rebuildFigures } from "@/domain/figures/rebuild";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { soldKey } from "@/domain/licences/keys";
import { licenceOfKey } from "@/domain/licences/find";
import { heldAtStripe, type HeldSubscription } from "./due";
import { beginHistory, type History } from "./history";
import { by, dayOf } from "./subscriber";

type Played = Awaited<ReturnType<typeof beginHistory>>;

/** Plays a history, and compares the shop with Stripe and the contract now and then, at its end, and from nothing. */
export async function holds({ steps, ...how }: History): Promise<void> {
  const played = await beginHistory(how);
  await using _ = played.stage;
  for (const [nth, step] of steps.entries()) {
    await played.live(step);
    if (nth % 8 === 7) await settledRight(played);
  }
  await settledRight(played);
  const before = await heldAtStripe(played.stage);
  await played.loseEverything();
  const after = await heldAtStripe(played.stage);
  expect(atAnyTime(after), "a restore changes nothing at Stripe").toEqual(atAnyTime(before));
  await heldRight(played);
}

const atAnyTime = (held: Map<string, HeldSubscription>) =>
  [...held.values()].map((one) => ({ ...one, now: 0 }));

async function settledRight(played: Played) {
  await played.settle();
  await heldRight(played);
  await customersRight(played);
}

const seconds = (value: unknown) => (value === null ? null : Math.floor(Number(value) / 1000));

const paymentFields = ["session", "state", "asked", "paid", "refunded"] as const;

/** Subscriptions, payments, licences and figures. */
async function heldRight({ stage, dues }: Played) {
  const { client } = stage.ctx.store;
  const all = await dues();
  const rows = async (sql: string, id: string) => (await client.execute({ sql, args: [id] })).rows;
  const held = await Promise.all(
    all.map(async ({ id, session }) => {
      const [row] = await rows("SELECT * FROM subscriptions WHERE stripe_id = ?", id);
      const licence = await licenceOfKey(stage.ctx, soldKey(stage.ctx, session));
      const sold = await rows(
        `SELECT session_id AS session, state, amount * quantity * (trial_days IS NULL) AS asked, paid_amount AS paid, refunded_amount AS refunded
         FROM payments WHERE subscription = ? AND sold_at IS NOT NULL ORDER BY session_id`,
        id,
      );
      if (!row && !licence && sold.length === 0) return { id, due: null };
      return {
        id,
        due: {
          status: row?.["status"],
          amount: row?.["amount"],
          interval: row?.["every"],
          renewsAt: seconds(row?.["renews_at"] ?? null),
          endsAt: seconds(row?.["ends_at"] ?? null),
          until: seconds(licence?.paidUntil?.getTime() ?? null),
          standing: licence?.paymentStatus,
          isPaid: (row?.["first_paid_at"] ?? null) !== null,
          payments: sold.map((one) => Object.fromEntries(paymentFields.map((name) => [name, one[name]]))),
        },
      };
    }),
  );
  const expected = all.map(({ id, held: { amount, interval }, due }) => {
    if (!due) return { id, due };
    const { status, renewsAt, endsAt, until, standing, payments } = due;
    const isPaid = payments.some(({ paid }) => paid > 0);
    const inOrder = payments.toSorted((one, other) => (one.session < other.session ? -1 : 1));
    return {
      id,
      due: { status, amount, interval, renewsAt, endsAt, until, standing, isPaid, payments: inOrder },
    };
  });
  expect(held, "subscriptions, licences and payments are as Stripe and the contract have them").toEqual(
    expected as typeof held,
  );
  for (const { held: one, due } of all)
    if (due?.standing === "refunded" || due?.standing === "revoked")
      expect(one.ended_at, "what was taken back is not charged again").not.toBeNull();
  const { rows: strangers } = await client.execute(
    "SELECT session_id FROM payments WHERE session_id LIKE 'in_%' AND subscription IS NULL",
  );
  expect(strangers, "every renewal belongs to its subscription").toEqual([]);
  const yearly = all.reduce((sum, { due }) => sum + (due?.yearly ?? 0), 0);
  const today = { from: dayOf(stage, 0), to: dayOf(stage, 0), currency: "usd" };
  const expectedFigures = {
    mrr: Math.round(yearly / 12),
    running: all.filter(({ due }) => due && due.yearly > 0).length,
  };
  const shown = async () => ({
    mrr: (await figures(stage.ctx, operator, today)).totals.mrr,
    running: (await subscriptionFigures(stage.ctx, operator, today))?.running.end,
  });
  expect(await shown(), "the monthly recurring revenue is that of what runs").toEqual(expectedFigures);
  await rebuildFigures(stage.ctx, by);
  expect(await shown(), "a recomputation finds the same").toEqual(expectedFigures);
}

/** Who is entitled, by which licence and until when. */
async function customersRight({ stage, dues, customers, signIn }: Played) {
  const all = await dues();
  const now = stage.ctx.now().getTime();
  for (const who of customers.filter(({ isRegistered }) => isRegistered)) {
    await signIn(who);
    const listed: { key: string; active: boolean; expiry_date: string }[] = (
      await who.person.get("/api/licenses/me")
    ).body.data;
    const own = all.filter(({ session, due }) => due !== null && who.holds.includes(session));
    for (const { session, due } of own) {
      const licence = listed.find(({ key }) => key === soldKey(stage.ctx, session));
      expect({ session, active: licence?.active }, `${who.name} is entitled by what was paid`).toEqual({
        session,
        active: due?.entitled,
      });
      if (due?.entitled) expect(seconds(Date.parse(licence?.expiry_date ?? ""))).toBe(due.until);
    }
    const isEntitled =
      who.lifetime || (who.timedUntil ?? 0) > now || own.some(({ due }) => due?.entitled === true);
    const me = await who.person.get("/api/user/me");
    expect({ name: who.name, active: me.body.data?.active_license }).toEqual({
      name: who.name,
      active: isEntitled,
    });
    if (who.lifetime)
      for (const { session, resumed, held } of own)
        expect(
          { session, ends: resumed || held.ended_at !== null || held.cancel_at !== null },
          "a lifetime ends the subscriptions of its account",
        ).toEqual({ session, ends: true });
  }
}
