/** An account on which ten thousand computers came and went in a year. */
import { password } from "../../stories/accounts/people";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import { day, hour } from "@/contract/vocabulary/time";
import { auditLog } from "@/core/database/schema";
import { forgetDeviceRequests } from "@/domain/application/device-sign-in";
import { hashOf, hwidHashOf } from "@/domain/blocks/hashes";
import { unbindDevice } from "@/domain/devices/remove";
import { deviceRemovals, deviceRequests, devices } from "@/domain/schema/devices";
import { openBulk } from "../../growth/bulk";
import { atDesk } from "../../support/people/desk";
import { longestList } from "../../support/people/walk";
import { watchStatements } from "../../support/checks/statements";
import { openStage, type Stage } from "../../support/shop/stage";
import { by, codeOf, computer, deviceCounts, customerWith } from "../../stories/devices/computers";
import { call, signIn } from "../../stories/devices/signing-in";

const history = { seen: 10_000, places: 1_000 };
const patient = {
  env: { LIMITS: "app=100000/60,device-change=100000/60,device-reset=1000/60,own=100000/60" },
};
/** The most rows that one statement answered, and which it was. */
const largest = { rows: 0, sql: "" };
afterAll(
  watchStatements((sql, _, rows) => {
    if (rows > largest.rows) Object.assign(largest, { rows, sql });
  }),
);

const name = (at: number) => `machine ${at}`;

/** Everything that such a year leaves behind: the last computers, when places were freed, the log, and old codes. */
async function fill(stage: Stage, accountId: string): Promise<void> {
  const now = stage.ctx.now().getTime();
  const ago = (milliseconds: number) => new Date(now - milliseconds);
  const { ctx } = stage;
  await stage.restart({
    async meanwhile() {
      const bulk = openBulk(join(stage.dataDir, "shop.db"));
      bulk.begin();
      const add = {
        device: bulk.table(devices),
        removal: bulk.table(deviceRemovals),
        request: bulk.table(deviceRequests),
        audit: bulk.table(auditLog),
      };
      for (let at = 0; at < history.seen; at += 1) {
        const came = ago((365 * day * (history.seen - at)) / history.seen + hour);
        const event = { actor: accountId, actorKind: "application", subject: accountId, accountId } as const;
        const replaced = at >= history.places ? { replaced: `device-${at - history.places}` } : {};
        add.audit({
          ...event,
          id: `bound-${at}`,
          at: came,
          action: at >= history.places ? "device.moved" : "device.bound",
          detail: { computer: `device-${at}`, cause: "application", ...replaced },
        });
        add.request({
          id: `request-${at}`,
          deviceCodeHash: `device code ${at}`,
          userCodeHash: `user code ${at}`,
          hwidSealed: "",
          label: name(at),
          os: "Linux",
          version: "1.0.0",
          address: "192.0.2.7",
          createdAt: came,
          expiresAt: new Date(came.getTime() + hour / 4),
          pollSeconds: 5,
          decision: "declined",
        });
        if (at < history.seen - history.places) continue;
        add.device({
          id: `device-${at}`,
          accountId,
          computerHash: hashOf(ctx, computer(name(at))),
          label: name(at),
          os: "Linux",
          version: "1.0.0",
          firstSeenAt: came,
          lastSeenAt: came,
        });
        add.removal({ id: `removal-${at}`, accountId, removedAt: came, rank: 0 });
      }
      bulk.close(() => {});
    },
  });
}

async function inTurn(calls: (() => Promise<unknown>)[]): Promise<void> {
  for (const one of calls) await one();
}

test("ten thousand computers seen in a year leave every list bounded, and every call right", async () => {
  await using stage = await openStage(patient);
  const { person, app, id } = await customerWith(stage, history.places);
  const other = await customerWith(stage, 1, { name: "bob" });
  await other.app.activate("alone");
  await fill(stage, id);
  const [first, last] = [history.seen - history.places, history.seen - 1];
  Object.assign(largest, { rows: 0, sql: "" });
  expect(await deviceCounts(person)).toEqual({ used: history.places, places: history.places });

  // applications on them
  const tries = Array.from({ length: 20 }, (_, at) => at);
  await inTurn(tries.map(() => () => other.app.validate("alone")));
  await inTurn(
    tries.map((at) => async () => expect(await codeOf(app.validate(name(last - at)))).toBe("VALID")),
  );
  // one of the nine thousand that went, and one that never came
  for (const gone of [name(17), "a new one"])
    expect((await app.validate(gone)).body).toMatchObject({ code: "HWID_MISMATCH", available_at: null });
  await inTurn(
    tries.map((at) => async () => expect(await codeOf(app.activate(`new ${at}`))).toBe("HWID_MISMATCH")),
  );
  expect(await codeOf(app.deactivate(name(first + 1)))).toBe("NOT_ACTIVATED");
  expect(await codeOf(app.activate("after a deactivated one"))).toBe("VALID");

  // most of the year's removals were more than thirty days ago, and the seat goes to whoever signs in next
  const removing = (at: number) => person.post("/api/devices/remove", { id: `device-${at}` });
  expect((await removing(17)).body.code).toBe("device_unknown");
  await inTurn([async () => expect((await removing(first)).status).toBe(200)]);
  const signingIn = async () => {
    const signedIn = await signIn(stage, person, "signed in");
    expect(await codeOf(signedIn.validate("signed in"))).toBe("VALID");
    expect((await call(stage, signedIn.token, "me")).body.data.devices.used).toBe(history.places);
  };
  await inTurn([signingIn]);
  const fileFor = (computerName: string) => {
    const asked = { hwid_hash: hwidHashOf(computer(computerName).hwid), label: computerName, os: "Linux" };
    return person.post("/api/devices/offline", {
      request: Buffer.from(JSON.stringify(asked)).toString("base64url"),
      password,
    });
  };
  expect((await fileFor("attic")).body.code).toBe("places_full");
  expect((await removing(first + 2)).status).toBe(200);
  await inTurn([async () => expect((await fileFor("attic")).status).toBe(200)]);
  expect((await fileFor(name(last))).status).toBe(200);

  // what its owner and staff read
  const seen = new Set<string>();
  for (let next: string | null = ""; next !== null;) {
    const { body }: { body: { data: { id: string }[]; next: string | null } } = await person.get(
      `/api/devices${next ? `?before=${next}` : ""}`,
    );
    expect(body.data.length).toBeLessThanOrEqual(100);
    for (const row of body.data) seen.add(row.id);
    next = body.next;
  }
  expect(seen.size).toBe(history.places);
  const events = (await person.get("/api/user/security-events")).body;
  expect([events.data.length, typeof events.next]).toEqual([100, "string"]);
  const olga = await atDesk(stage, "olga", "owner");
  const shown = await olga.get(`customers/${id}`);
  expect(shown.status).toBe(200);
  expect(longestList(shown.body)).toBeLessThanOrEqual(100);
  await forgetDeviceRequests(stage.ctx);
  expect(await stage.ctx.store.db.$count(deviceRequests)).toBe(0);

  // all that may be removed at once, then by staff those that their owner may not remove yet
  expect((await person.post("/api/user/info/reset/hwid")).status).toBe(200);
  const { used } = await deviceCounts(person);
  expect(used).toBeGreaterThan(history.places / 2);
  expect(used).toBeLessThan(history.places);
  // removals of more than thirty days ago are forgotten
  expect(await stage.ctx.store.db.$count(deviceRemovals)).toBe(history.places);
  expect([largest.rows <= history.places, largest.sql]).toEqual([true, largest.sql]);
  await unbindDevice(stage.ctx, id, by);
  expect(await deviceCounts(person)).toEqual({ used: 0, places: history.places });
  expect(await codeOf(app.activate("at last"))).toBe("VALID");
});
