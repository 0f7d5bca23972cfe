import { expect, test } from "bun:test";
import { operate } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

const commands = 60;
const lanes = 5;

test("sixty commands write while the shop is under load: none is lost, and no request fails", async () => {
  await using stage = await openStage({ webhooks: false });
  const { shop } = stage;
  const member = stage.person();
  await member.register(await stage.handOut(), "member");
  let over = false;
  const statuses = new Map<number, number>();
  const opened: string[] = [];
  const seen = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const load = Array.from({ length: 3 }, async () => {
    while (!over) {
      const buyer = stage.person();
      const checkout = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
      seen(checkout.status);
      if (checkout.status === 200) opened.push(checkout.body.data.id);
      seen((await buyer.get("/api/version/logs")).status);
      await Bun.sleep(5);
    }
  });
  const keys: string[] = [];
  const failed: string[] = [];
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let at = lane; at < commands; at += lanes) {
        const { out, err, code } = await operate(stage, "licences", "issue", "--reason", `the ${at}th`);
        if (code === 0) keys.push(out.trim());
        else failed.push(err);
      }
    }),
  );
  over = true;
  await Promise.all(load);
  console.log(
    `${commands} commands beside ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(", ")}`,
  );
  expect(failed).toEqual([]);
  expect(new Set(keys).size).toBe(commands);
  expect([...statuses.keys()]).toEqual([200]);
  const rows = async (sql: string) =>
    new Set((await shop.ctx.store.client.execute(sql)).rows.map((row) => row["found"]));
  const reasons = await rows("SELECT reason AS found FROM audit_log WHERE action = 'licence.issued'");
  for (let at = 0; at < commands; at += 1) expect(reasons).toContain(`the ${at}th`);
  const sessions = await rows("SELECT session_id AS found FROM payments");
  expect(opened.filter((session) => !sessions.has(session))).toEqual([]);
  const redeemed = await stage.person().register(keys.at(-1) ?? "", "last");
  expect(redeemed.status).toBe(200);
  // sixty commands take a while
});
