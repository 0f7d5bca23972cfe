import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { newSecret, signatureHeaders } from "@/domain/webhooks/signature";
import { exampleReceiver, type Language } from "../../support/webhooks/example-receiver";

const order = (id: string, sequence: number, data: object = {}) => ({
  type: "order.paid",
  timestamp: "2026-03-01T10:00:00.000Z",
  data: {
    order: id,
    account: "acc_1",
    email: "ada@example.com",
    email_confirmed: true,
    state: "succeeded",
    ...data,
    sequence,
  },
});

for (const language of ["TypeScript", "Python"] as const satisfies Language[]) {
  const missing = language === "Python" && !Bun.which("python3");
  describe.skipIf(missing)(`the receiver in ${language}${missing ? " (needs python3)" : ""}`, () => {
    const secret = newSecret();
    let receiver: Awaited<ReturnType<typeof exampleReceiver>>;
    beforeAll(async () => {
      receiver = await exampleReceiver(language, secret);
    });
    afterAll(() => receiver?.[Symbol.asyncDispose]());
    let handled = 0;
    /** What it printed of the next events. */
    const next = async (many: number) => {
      handled += many;
      return (await receiver.lines(handled)).slice(-many);
    };

    test("answers 204 to what the shop signed, and handles it", async () => {
      expect(await receiver.send("evt_first", order("ord_ü", 10))).toBe(204);
      expect(await next(1)).toEqual(["order.paid order:ord_ü 10"]);
    });

    test("answers 401 to a request that the shop did not sign, and keeps running", async () => {
      const event = order("ord_forged", 11);
      const forged = JSON.stringify(event).replace("ada@", "eve@");
      const other = signatureHeaders({
        id: "evt_other",
        timestamp: new Date(),
        body: JSON.stringify(event),
        secrets: [secret],
      });
      const refused: Parameters<typeof receiver.send>[2][] = [
        { body: forged },
        { body: "" },
        { body: new Uint8Array([0xff, 0xfe]) },
        { secrets: [newSecret()] },
        { headers: { "webhook-id": "evt_other2" } },
        { headers: { "webhook-signature": other["webhook-signature"] } },
        { headers: { "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 60) } },
        { timestamp: new Date(Date.now() - 6 * minute) },
        { timestamp: new Date(Date.now() + 6 * minute) },
        ...["", "v1", "v1,", "v1,%%%", "v1,a,b", "v2,YQ==", "v1a,YQ==", ",", "é"].map((signature) => ({
          headers: { "webhook-signature": signature },
        })),
        { headers: { "webhook-timestamp": "soon" } },
        { headers: { "webhook-timestamp": "" } },
      ];
      for (const changed of refused)
        expect([changed, await receiver.send("evt_forged", event, changed)]).toEqual([changed, 401]);
      expect(await receiver.send("evt_whole", event)).toBe(204);
      expect(await next(1)).toEqual(["order.paid order:ord_forged 11"]);
    });

    test("accepts a request signed with two secrets if it has either", async () => {
      const event = order("ord_rotated", 12);
      const former = newSecret();
      expect(await receiver.send("evt_new", event, { secrets: [secret, former] })).toBe(204);
      expect(await receiver.send("evt_former", event, { secrets: [former, secret] })).toBe(204);
      expect(await next(2)).toEqual(["order.paid order:ord_rotated 12", "order.paid order:ord_rotated 12"]);
    });

    test("handles an event once, however often and simultaneously it arrives", async () => {
      const event = order("ord_often", 13);
      const answers = await Promise.all(Array.from({ length: 20 }, () => receiver.send("evt_often", event)));
      expect(new Set(answers)).toEqual(new Set([204]));
      expect(await receiver.send("evt_after", order("ord_after", 14))).toBe(204);
      expect(await next(2)).toEqual(["order.paid order:ord_often 13", "order.paid order:ord_after 14"]);
    });

    test("keeps the newer of two events about one thing, in whichever order they come", async () => {
      await receiver.send("evt_newer", { ...order("ord_late", 21, { refunded: 5 }), type: "order.refunded" });
      await receiver.send("evt_older", order("ord_late", 20, { refunded: 0 }));
      expect(await next(2)).toEqual([
        "order.refunded order:ord_late 21",
        "order.paid order:ord_late is older than what is known",
      ]);
      expect(stored("things", "order:ord_late")).toMatchObject({ sequence: 21, data: { refunded: 5 } });
    });

    test("forgets the email of an erased account, and every body that it has handled", async () => {
      const { timestamp } = order("", 0);
      const linked = { account: "acc_1", discord: "123", sequence: 30 };
      await receiver.send("evt_linked", { type: "discord.linked", timestamp, data: linked });
      const gone = { account: "acc_1", email: null, email_confirmed: false, sequence: 31 };
      await receiver.send("evt_gone", { type: "account.deleted", timestamp, data: gone });
      expect(await next(2)).toEqual(["discord.linked discord:acc_1 30", "account.deleted account:acc_1 31"]);
      expect(stored("things", "order:ord_late")).toMatchObject({
        data: { email: null, email_confirmed: false, state: "succeeded" },
      });
      expect(stored("things", "discord:acc_1")).toMatchObject({ data: { discord: null } });
      using db = new Database(receiver.database, { readonly: true });
      expect(db.query("SELECT count(*) AS many FROM inbox WHERE body IS NOT NULL").get()).toEqual({
        many: 0,
      });
    });

    test("refuses what the shop never sends", async () => {
      const url = receiver.url();
      const status = async (init: RequestInit, to = url) => (await fetch(to, init)).status;
      expect(await status({ method: "POST", body: "{}" }, url.replace("/webhooks", "/other"))).toBe(404);
      expect(await status({ method: "POST", body: "x".repeat(64 * 1024 + 1) })).toBe(413);
      expect([405, 501]).toContain(await status({}));
      expect(await status({ method: "POST", body: "{}" })).toBe(401);
    });

    test("after a kill it remembers handled events, and handles accepted ones", async () => {
      const former = receiver.complaints();
      await receiver.restart();
      expect(await former).toBe("");
      handled = 0;
      expect(await receiver.send("evt_first", order("ord_ü", 10))).toBe(204);
      expect(await receiver.send("evt_then", order("ord_then", 40))).toBe(204);
      expect(await next(1)).toEqual(["order.paid order:ord_then 40"]);
      const accepted = JSON.stringify(order("ord_accepted", 41));
      await receiver.restart(() => {
        using db = new Database(receiver.database);
        db.run("INSERT INTO inbox VALUES ('evt_broken', '{', 0), ('evt_accepted', ?, 0)", [accepted]);
      });
      handled = 0;
      // beside one that it can't read
      expect(await next(1)).toEqual(["order.paid order:ord_accepted 41"]);
      expect(await receiver.complaints()).toContain("Event evt_broken will be tried again");
    });

    function stored(table: "things", thing: string): unknown {
      using db = new Database(receiver.database, { readonly: true });
      const row = db.query(`SELECT sequence, data FROM ${table} WHERE thing = ?`).get(thing);
      const { sequence, data } = row as { sequence: number; data: string };
      return { sequence, data: JSON.parse(data) };
    }
  });
}
