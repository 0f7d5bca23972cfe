import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { operated } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

const why = ["--reason", "a story"];

test("each of an account's licences says what became of it and which payment bought it", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  const handedOut = await stage.handOut(1);
  await ada.register(handedOut, "ada");
  stage.advance(2 * day);
  const own = async () => (await ada.get("/api/licenses/me")).body.data;
  expect(await own()).toMatchObject([{ key: handedOut, status: "expired", payment_id: null }]);

  const redeemed = async () => {
    const bought = await stage.buy();
    const body = { key: bought.key, timezone: "UTC" };
    expect((await ada.post("/api/licenses/redeem", body)).status).toBe(200);
    const [payment] = (await ada.get("/api/payments/")).body.data;
    return { ...bought, payment_id: payment.payment_id };
  };
  const settled = async (action: string, { sessionId: session }: { sessionId: string }, status?: string) => {
    await stage.stripeTells(action, { session, status });
  };
  const newest = async (bought: { key: string; payment_id: string }) => {
    const { key, payment_id, status, active, disputed } = (await own())[0];
    expect({ key, payment_id }).toEqual({ key: bought.key, payment_id: bought.payment_id });
    return { status, active, disputed };
  };

  const first = await redeemed();
  expect(await newest(first)).toEqual({ status: "active", active: true, disputed: false });
  await settled("refund", first);
  expect(await newest(first)).toEqual({ status: "refunded", active: false, disputed: false });
  const second = await redeemed();
  await settled("dispute", second, "needs_response");
  expect(await newest(second)).toEqual({ status: "disputed", active: false, disputed: true });
  await settled("dispute", second, "lost");
  expect(await newest(second)).toEqual({ status: "revoked", active: false, disputed: false });
  const third = await redeemed();
  await operated(stage, "licences", "suspend", third.key, ...why);
  expect(await newest(third)).toEqual({ status: "suspended", active: false, disputed: false });
  await operated(stage, "licences", "revoke", third.key, ...why);
  expect(await newest(third)).toEqual({ status: "revoked", active: false, disputed: false });

  const fourth = await redeemed();
  const liveKey = "sk_live_of_the_shop";
  await stage.atStripe("keys", { key: liveKey });
  await stage.restart({ stripeKey: liveKey });
  expect(await newest(fourth)).toEqual({ status: "other_mode", active: false, disputed: false });
});
