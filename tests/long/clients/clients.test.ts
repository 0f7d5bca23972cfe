/** The three clients of src/client, driven alike: the same calls have to bring the same answers. */
import { password } from "../../stories/accounts/people";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { day, second } from "@/contract/vocabulary/time";
import {
  type Application,
  buildClients,
  languages,
  type Language,
  machine,
  missingFor,
  type Verdict,
} from "../../support/client/drive";
import { accessToken, openSignInShop } from "../../support/client/sign-in-shop";
import type { Case } from "../../support/client/vector";
import { fileFor } from "../../support/client/vectors";
import { handOut } from "@/domain/licences/keys/hand-out";
import { levels } from "@/domain/schema/levels";
import { by } from "../../stories/devices/computers";
import { addLevels } from "../../support/shop/levels";
import { release } from "../../support/shop/publish-release";
import { openStage, type Stage } from "../../support/shop/stage";

const missing = new Map(
  await Promise.all(languages.map(async (language) => [language, await missingFor(language)] as const)),
);
const here = languages.filter((language) => missing.get(language) === null);
const clients = await buildClients();
beforeAll(async () => {
  if (here.includes("C++")) await clients.build();
});
afterAll(() => clients[Symbol.asyncDispose]());

const hwid = "the-customer-s-machine";
const vectorsPath = new URL("../../../src/client/vectors.json", import.meta.url).pathname;
const vectors = await Bun.file(vectorsPath).json();

/** The token of a customer's account, with a licence. */
async function customer(stage: Stage, days: number | null = null): Promise<string> {
  const person = stage.person();
  await person.register(await stage.handOut(days), `user-${crypto.randomUUID().slice(0, 8)}`);
  return (await person.get("/api/user/me")).body.data.api_key;
}

const short = ({ code, online, grace, why }: Verdict) =>
  code === "VALID" ? `${online ? "online" : "offline"}${grace ? ", grace" : ""}` : (why ?? code);

const shopOf = (stage: Stage) => ({ shop: stage.url.href, hwid, version: "1.0.0" });

for (const language of languages) {
  const lacks = missing.get(language);
  describe.skipIf(Boolean(lacks))(`the client in ${language}${lacks ? ` (needs ${lacks})` : ""}`, () => {
    const open = (options: Parameters<typeof clients.open>[1]) => clients.open(language, options);

    test("answers every case of vectors.json as it says", async () => {
      await using application = await open({ shop: vectors.issuer, hwid, version: "1.0.0" });
      const answers: object[] = await application.ask("vectors", { path: vectorsPath });
      const cases: Case[] = vectors.cases;
      expect(cases.map(({ name }, at) => ({ name, ...answers[at] }))).toEqual(
        cases.map(({ name, expect, reason, features }) => ({ name, expect, reason, features })),
      );
    });

    test("activates, validates and deactivates at the shop", async () => {
      await using stage = await openStage();
      const token = await customer(stage);
      await using application = await open({ ...shopOf(stage), token });
      expect(await application.verdict("check")).toMatchObject({
        code: "NOT_ACTIVATED",
        message: "The application is not activated on this device.",
      });
      const activated = await application.verdict("activate");
      expect(activated).toMatchObject({ code: "VALID", online: true, grace: false, type: "premium" });
      expect(activated).toMatchObject({ expires_at: null, message: null, why: null, sign_in: false });
      expect(Math.abs((activated.offline_until ?? 0) - Date.now() / 1000 - 21 * 86_400)).toBeLessThan(60);
      expect(short(await application.verdict("check"))).toBe("online");
      expect(short(await application.verdict("check_offline"))).toBe("offline");
      await using elsewhere = await open({ ...shopOf(stage), hwid: "another-machine", token });
      expect((await elsewhere.verdict("activate")).code).toBe("HWID_MISMATCH");
      expect(await application.ask("deactivate")).toBe(true);
      expect(short(await application.verdict("check_offline"))).toBe("no_token");
      expect(short(await application.verdict("check"))).toBe("NOT_ACTIVATED");
    });

    test("keeps working for 21 days without a network, 14 of them in grace, and then needs the shop", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      application.world.cable = false;
      const course: [days: number, expected: string][] = [
        [0, "offline"],
        [6.99, "offline"],
        [8, "offline, grace"],
        [20.99, "offline, grace"],
        [22, "ended"],
        // back to the eighth day
        [8, "clock"],
        [20.99, "offline, grace"],
      ];
      for (const [days, expected] of course) {
        application.world.days = days;
        expect([days, short(await application.verdict("check"))]).toEqual([days, expected]);
      }
      application.world.cable = true;
      application.world.days = 22;
      stage.advance(22 * day);
      expect(short(await application.verdict("check"))).toBe("online");
    });

    test("notices a clock before the token, and one set back by more than five minutes", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      application.world.cable = false;
      for (const [minutes, expected] of [
        [-4, "offline"],
        [-6, "not_yet_valid"],
        [60, "offline"],
        [56, "offline"],
        [54, "clock"],
      ] as const) {
        application.world.days = minutes / (24 * 60);
        expect([minutes, short(await application.verdict("check"))]).toEqual([minutes, expected]);
      }
    });

    test("runs by what the shop says after its clock was ahead, and remembers that it was", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      application.world.days = 10;
      expect(short(await application.verdict("check_offline"))).toBe("offline, grace");
      application.world.days = 0;
      expect(short(await application.verdict("check_offline"))).toBe("clock");
      expect(short(await application.verdict("check"))).toBe("online");
      expect(short(await application.verdict("check_offline"))).toBe("clock");
      // an answer while it is ahead counts by the shop's time
      await application.ask("kept", { text: "{}" });
      application.world.days = 10;
      expect(short(await application.verdict("check"))).toBe("online, grace");
      application.world.days = 0;
      expect(short(await application.verdict("check_offline"))).toBe("offline");
    });

    test("believes the shop's answer on a clock that is behind, and goes by the shop's time until the next", async () => {
      await using stage = await openStage();
      for (const minutes of [6, 120, 60 * 24 * 400]) {
        await using application = await open({ ...shopOf(stage), token: await customer(stage) });
        const at = (behind: number) => {
          application.world.days = -behind / (24 * 60);
        };
        at(minutes);
        expect([minutes, short(await application.verdict("activate"))]).toEqual([minutes, "online"]);
        expect(short(await application.verdict("check"))).toBe("online");
        const kept = JSON.parse(await application.ask("kept"));
        expect(Math.abs(kept.ahead - minutes * 60)).toBeLessThan(5);
        application.world.cable = false;
        expect(short(await application.verdict("check"))).toBe("offline");
        // what the shop's time says, not the computer's
        for (const [days, expected] of [
          [6.99, "offline"],
          [8, "offline, grace"],
          [7.99, "clock"],
          [22, "ended"],
        ] as const) {
          at(minutes - days * 24 * 60);
          expect([days, short(await application.verdict("check"))]).toEqual([days, expected]);
        }
      }
    });

    test("needs no more than the next answer after its clock was put right", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      application.world.days = -120 / (24 * 60);
      await application.verdict("activate");
      application.world.days = 0;
      expect(short(await application.verdict("check_offline"))).toBe("offline");
      expect(short(await application.verdict("check"))).toBe("online");
      expect(JSON.parse(await application.ask("kept")).ahead).toBe(0);
      expect(short(await application.verdict("check_offline"))).toBe("offline");
      // it was right, and is turned back
      application.world.days = -60 / (24 * 60);
      expect(short(await application.verdict("check_offline"))).toBe("not_yet_valid");
      expect(short(await application.verdict("check"))).toBe("online");
      expect(short(await application.verdict("check_offline"))).toBe("offline");
    });

    test("takes nothing but whole seconds, and none before zero, for how far its clock is behind", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      const kept = JSON.parse(await application.ask("kept"));
      for (const ahead of [-86_400 * 30, "7200", 7200.5, true, null, [7200], undefined]) {
        await application.ask("kept", { text: JSON.stringify({ ...kept, ahead }) });
        expect([ahead, short(await application.verdict("check_offline"))]).toEqual([ahead, "offline"]);
      }
      application.world.days = 22;
      await application.ask("kept", { text: JSON.stringify({ ...kept, ahead: -86_400 * 22 }) });
      expect(short(await application.verdict("check_offline"))).toBe("ended");
    });

    test("does not keep a licence that was revoked, and says when another computer may have its seat", async () => {
      await using stage = await openStage();
      const token = await customer(stage, 2);
      await using application = await open({ ...shopOf(stage), token });
      const { expires_at, offline_until } = await application.verdict("activate");
      expect(Math.abs((expires_at ?? 0) - Date.now() / 1000 - 2 * 86_400)).toBeLessThan(60);
      expect(offline_until).toBe(expires_at);
      await application.ask("deactivate");
      await using elsewhere = await open({ ...shopOf(stage), hwid: "another-machine", token });
      expect((await elsewhere.verdict("activate")).code).toBe("VALID");
      const back = await application.verdict("activate");
      expect(back.code).toBe("HWID_MISMATCH");
      expect(Math.abs((back.available_at ?? 0) - Date.now() / 1000 - 30 * 86_400)).toBeLessThan(60);
      await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1");
      expect((await elsewhere.verdict("check")).code).toBe("REVOKED");
      elsewhere.world.cable = false;
      expect(short(await elsewhere.verdict("check"))).toBe("no_token");
    });

    test("finds updates with whole addresses, and learns when it must update", async () => {
      await using stage = await openStage();
      const token = await customer(stage);
      await using application = await open({ ...shopOf(stage), token });
      expect(await application.ask("update", { system: "linux" })).toBeNull();
      await release(stage, "2.0.0", { minimumVersion: "1.5.0" });
      const update = await application.ask("update", { system: "linux" });
      expect(update).toMatchObject({ version: "2.0.0", newer: true, required: true });
      const file = await fetch(update.files[0].url, { headers: { authorization: `Bearer ${token}` } });
      expect(file.status).toBe(200);
      expect((await file.bytes()).length).toBe(update.files[0].size);
      expect(await application.verdict("activate")).toMatchObject({
        code: "UPDATE_REQUIRED",
        minimum_version: "1.5.0",
      });
    });

    test("asks to sign in again when the shop doesn't know its token, and keeps what it has", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      const kept: string = await application.ask("kept");
      await using renewed = await open({ ...shopOf(stage), token: "no-such-token" });
      expect(await renewed.verdict("check")).toMatchObject({
        code: "UNVERIFIED",
        why: "no_token",
        sign_in: true,
      });
      await renewed.ask("kept", { text: kept });
      expect(await renewed.verdict("check")).toMatchObject({ code: "VALID", online: false, sign_in: true });
      expect(await renewed.verdict("check_offline")).toMatchObject({ code: "VALID", sign_in: false });
      await using alone = await open(shopOf(stage));
      expect(await alone.verdict("check")).toMatchObject({ code: "UNVERIFIED", sign_in: true });
      expect(await alone.ask("deactivate")).toBe(false);
    });

    test("says what the shop says when nothing can be stored or read, and remembers it until it ends", async () => {
      await using stage = await openStage();
      for (const broken of [["write"], ["read"], ["read", "write"]] as ("read" | "write")[][]) {
        const token = await customer(stage);
        await using application = await open({ ...shopOf(stage), token });
        application.world.broken = broken;
        expect([broken, short(await application.verdict("activate"))]).toEqual([broken, "online"]);
        expect(short(await application.verdict("check"))).toBe("online");
        application.world.cable = false;
        expect([broken, short(await application.verdict("check"))]).toEqual([broken, "offline"]);
        // its clock, too
        application.world.days = 8;
        expect(short(await application.verdict("check_offline"))).toBe("offline, grace");
        application.world.days = 7;
        expect(short(await application.verdict("check_offline"))).toBe("clock");
        application.world.days = 0;
        application.world.cable = true;
        expect(await application.ask("deactivate")).toBe(true);
        expect(short(await application.verdict("check_offline"))).toBe("no_token");
        expect(short(await application.verdict("check"))).toBe("NOT_ACTIVATED");
        expect(await application.ask("kept")).toBeNull();
        await application.verdict("activate");
        // and it is stored as soon as it can be
        application.world.broken = [];
        await application.verdict("check");
        expect(JSON.parse(await application.ask("kept")).token).toBeString();
      }
    });

    test("reports a refusal that it can't store, and goes by it", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1");
      application.world.broken = ["write"];
      expect(short(await application.verdict("check"))).toBe("REVOKED");
      expect(short(await application.verdict("check_offline"))).toBe("no_token");
    });

    test("writes over nothing that it can't read", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.ask("kept", { text: '{"accessToken":"of before"}' });
      application.world.broken = ["read"];
      expect(short(await application.verdict("activate"))).toBe("online");
      expect(JSON.parse(await application.ask("kept"))).toEqual({ accessToken: "of before" });
    });

    test("keeps working with what it read before, while it can't read", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      application.world.broken = ["read"];
      application.world.cable = false;
      expect(short(await application.verdict("check"))).toBe("offline");
      application.world.broken = [];
      await application.ask("kept", { text: "{}" });
      expect(short(await application.verdict("check"))).toBe("no_token");
    });

    test("is signed in, and runs by its file, until it ends where nothing can be stored", async () => {
      await using shop = openSignInShop();
      const now = Math.floor(Date.now() / 1000);
      await using application = await open({ shop: shop.url, hwid, version: "1.0.0" });
      application.world.broken = ["write"];
      await shop.approve();
      expect(await application.signIn(async () => {})).toBe("signed_in");
      expect(await application.ask("me")).toMatchObject({ username: "ada" });
      const given = { shop: vectors.issuer, hwid, version: "1.0.0", keys: vectors.keys };
      await using offline = await open(given);
      offline.world.cable = false;
      offline.world.broken = ["read", "write"];
      const request: string = await offline.ask("offline_request", machine);
      const { hwid_hash } = JSON.parse(Buffer.from(request, "base64url").toString());
      const text = fileFor(hwid_hash, { from: now, days: 30 });
      expect(short(await offline.verdict("use_file", { text }))).toBe("offline");
      expect(short(await offline.verdict("check"))).toBe("offline");
    });

    test("tells a question that is wrong, or to no shop, from a network that is down", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      const kept: string = await application.ask("kept");
      const faulty = { status: 400, body: '{"status":400,"code":"invalid_field","field":"hwid","data":"x"}' };
      let answer = { status: 0, body: "" };
      using elsewhere = Bun.serve({
        hostname: "127.0.0.1",
        port: 0,
        fetch: () => new Response(answer.body, { status: answer.status }),
      });
      const issuers = [stage.url.origin];
      await using wrong = await open({ ...shopOf(stage), shop: elsewhere.url.href, issuers, token: "t" });
      for (const [status, body, fault, signIn] of [
        [400, faulty.body, "400 invalid_field hwid", "invalid_request"],
        [400, '{"error":"invalid_request"}', "400", "invalid_request"],
        [404, "<html>", "404", "unsupported"],
        [404, '{"status":404,"code":"not_found","data":"x"}', "404 not_found", "unsupported"],
        [405, "", "405", "invalid_request"],
        [413, "[]", "413", "invalid_request"],
        [415, '{"code":"unsupported_media_type"}', "415 unsupported_media_type", "invalid_request"],
        [403, "<html>a hotel's page</html>", null, "unavailable"],
        [407, "<html>", null, "unavailable"],
        [429, '{"status":429,"code":"RATE_LIMITED","data":"x"}', null, "slow_down"],
        [502, "<html>", null, "unavailable"],
        [200, "<html>", null, "unavailable"],
      ] as const) {
        answer = { status, body };
        await wrong.ask("kept", { text: "{}" });
        expect([status, await wrong.verdict("check")]).toMatchObject([
          status,
          { code: "UNVERIFIED", why: "no_token", fault, sign_in: false },
        ]);
        expect([status, await wrong.signIn(async () => {})]).toEqual([status, signIn]);
        expect([status, await wrong.ask("deactivate")]).toEqual([status, false]);
        // a token that is good goes on counting
        await wrong.ask("kept", { text: kept });
        const verdict = await wrong.verdict("activate");
        expect([status, verdict]).toMatchObject([status, { code: "VALID", online: false, fault }]);
        expect(await wrong.verdict("check_offline")).toMatchObject({ code: "VALID", fault: null });
      }
      wrong.world.cable = false;
      expect(await wrong.verdict("check")).toMatchObject({ code: "VALID", fault: null });
      expect((await application.verdict("check")).fault).toBeNull();
    });

    test("asks for a computer whatever its name and system are", async () => {
      await using stage = await openStage();
      const person = stage.person();
      await person.register(await stage.handOut(), "ada");
      const { api_key: token } = (await person.get("/api/user/me")).body.data;
      await using application = await open({ ...shopOf(stage), token });
      const long = "DESKTOP-Margarethe-von-Hohenfels-Buchhaltung-2.Etage.corp.hohenfels.example";
      const nothing = { label: "A computer", os: "Unknown" };
      for (const [said, shown] of [
        [
          { label: long, os: long },
          { label: long.slice(0, 64), os: long.slice(0, 64) },
        ],
        [{ label: "", os: "" }, nothing],
        [{ label: " ", os: "\u3000" }, nothing],
        [{ label: "\n\u202e\u00a0", os: "\u200b" }, nothing],
        [
          { label: `${" ".repeat(70)}Study`, os: "x" },
          { label: "Study", os: "x" },
        ],
        [
          { label: "💻".repeat(40), os: `${"x".repeat(63)}💻` },
          { label: "💻".repeat(32), os: "x".repeat(63) },
        ],
        // the other two may get half a character from their system
        ...(language === "C++"
          ? []
          : [
              [
                { label: "J\udcf6rg", os: "x" },
                { label: "Jrg", os: "x" },
              ] as const,
            ]),
        [
          { label: "Jörgs Rechner", os: "רחוק" },
          { label: "Jörgs Rechner", os: "רחוק" },
        ],
      ] as const) {
        expect(short(await application.verdict("activate", said))).toBe("online");
        expect((await person.get("/api/user/device")).body.data).toMatchObject(shown);
        const request: string = await application.ask("offline_request", said);
        expect(JSON.parse(Buffer.from(request, "base64url").toString())).toMatchObject(shown);
        const file = await person.post("/api/devices/offline", { request, password });
        expect([said, file.status]).toEqual([said, 200]);
      }
    });

    test("shares its file with another instance of it", async () => {
      const given = { shop: vectors.issuer, hwid, version: "1.0.0" };
      await using first = await open(given);
      await using second = await open(given);
      const folder = await mkdtemp(join(tmpdir(), "latchkey-shared-"));
      const path = join(folder, "of the application", "licence.json");
      const both = [first, second].map((one) => one.ask("contend", { path, times: 300 }));
      expect(await Promise.all(both)).toEqual([[], []]);
      expect(await readdir(join(folder, "of the application"))).toEqual(["licence.json"]);
      await rm(folder, { recursive: true });
    });

    test("keeps working under the shop's new address if it knows the old one", async () => {
      await using stage = await openStage();
      await using application = await open({ ...shopOf(stage), token: await customer(stage) });
      await application.verdict("activate");
      const kept: string = await application.ask("kept");
      const moved = { ...shopOf(stage), shop: "https://new.example" };
      const seen = async (issuers?: string[]) => {
        await using elsewhere = await open({ ...moved, ...(issuers ? { issuers } : {}) });
        await elsewhere.ask("kept", { text: kept });
        return short(await elsewhere.verdict("check_offline"));
      };
      expect(await seen()).toBe("issuer");
      expect(await seen(["https://new.example", stage.url.origin])).toBe("offline");
      // a version that knows only the old address goes on with what it has
      const body = JSON.stringify({ code: "VALID", data: { token: vectors.cases[0].token } });
      using newShop = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(body) });
      const known = { issuers: [stage.url.origin], keys: [...vectors.keys, ...JSON.parse(kept).keys] };
      await using earlier = await open({ ...shopOf(stage), shop: newShop.url.href, token: "t", ...known });
      expect(short(await earlier.verdict("check"))).toBe("issuer");
      await earlier.ask("kept", { text: kept });
      expect(short(await earlier.verdict("check"))).toBe("offline");
    });

    test("signs in through the browser, with the pauses that the shop asks for", async () => {
      await using shop = openSignInShop();
      await using application = await open({ shop: `${shop.url}/`, hwid, version: "1.0.0" });
      shop.state.polls = ["authorization_pending", "slow_down", "down", "authorization_pending"];
      const waits: number[] = [];
      const outcome = await application.signIn(async (code, seconds) => {
        waits.push(seconds);
        expect(code).toMatchObject({ user_code: "BCDF-GHJK", verification_uri: `${shop.url}/device` });
        expect(code.verification_uri_complete).toBe(`${shop.url}/device?user_code=BCDF-GHJK`);
        if (shop.state.polls.length === 0) await shop.approve();
      });
      expect(outcome).toBe("signed_in");
      // five more seconds for good, and twice as long after no answer
      expect(waits).toEqual([5, 5, 10, 20, 20]);
      expect(shop.state.calls[0]).toEqual({
        path: "device/code",
        authorization: null,
        body: { hwid, version: "1.0.0", ...machine },
      });
      expect(await application.ask("me")).toEqual({
        username: "ada",
        offer: "Premium",
        type: "premium",
        level: { id: "premium", name: "Premium" },
        features: ["export"],
        expires_at: Date.parse("2028-02-29T23:59:58Z") / 1000,
        devices: { used: 1, places: 3 },
      });
      expect(shop.state.calls.at(-1)).toMatchObject({ path: "me", authorization: `Bearer ${accessToken}` });
      // no verdict, so no harm
      expect(await application.verdict("check")).toMatchObject({ why: "no_token", sign_in: false });
      shop.state.ended = true;
      expect(await application.ask("me")).toBeNull();
      expect(await application.verdict("check")).toMatchObject({ code: "UNVERIFIED", sign_in: true });
      expect(JSON.parse(await application.ask("kept")).accessToken).toBe("");
    });

    test("signs in at the shop by a code that its customer approves, until the customer renews their token", async () => {
      await using stage = await openStage();
      const person = stage.person();
      await person.register(await stage.handOut(), "ada");
      await using application = await open(shopOf(stage));
      let waits = 0;
      const outcome = await application.signIn(async ({ user_code }, seconds) => {
        stage.advance(seconds * second);
        waits += 1;
        if (waits < 2) return;
        const decided = await person.post("/api/devices/request", { user_code, approve: true, password });
        expect(decided.status).toBe(200);
      });
      expect([outcome, waits]).toEqual(["signed_in", 2]);
      expect(await application.ask("me")).toEqual({
        username: "ada",
        offer: null,
        type: "premium",
        level: { id: "premium", name: "Wisp Premium" },
        features: [],
        expires_at: null,
        devices: { used: 1, places: 1 },
      });
      expect(short(await application.verdict("activate"))).toBe("online");
      const [device] = (await person.get("/api/devices")).body.data;
      expect(device).toMatchObject({ ...machine, version: "1.0.0", active: true });
      await person.post("/api/user/info/reset/token");
      const asks = { code: "VALID", online: false, sign_in: true };
      expect(await application.verdict("check")).toMatchObject(asks);
      expect(await application.verdict("check")).toMatchObject(asks);
      // at the next start, too
      await using next = await open(shopOf(stage));
      await next.ask("kept", { text: await application.ask("kept") });
      expect(await next.verdict("check")).toMatchObject(asks);
      next.world.cable = false;
      expect(await next.verdict("check")).toMatchObject(asks);
    });

    test("asks to sign in until somebody does, and not where there never was more than an offline file", async () => {
      await using shop = openSignInShop();
      const given = { shop: shop.url, issuers: [vectors.issuer], keys: vectors.keys, hwid, version: "1.0.0" };
      await using application = await open(given);
      const request: string = await application.ask("offline_request", machine);
      const { hwid_hash } = JSON.parse(Buffer.from(request, "base64url").toString());
      const text = fileFor(hwid_hash, { from: Math.floor(Date.now() / 1000), days: 30 });
      const asks = async () => {
        const { code, sign_in } = await application.verdict("check");
        return [code, sign_in];
      };
      await application.verdict("use_file", { text });
      expect(await asks()).toEqual(["VALID", false]);
      await shop.approve();
      await application.signIn(async () => {});
      shop.state.ended = true;
      expect([await asks(), await asks()]).toEqual([
        ["VALID", true],
        ["VALID", true],
      ]);
      await application.verdict("use_file", { text });
      expect(await asks()).toEqual(["VALID", true]);
      await application.signIn(async () => {});
      expect(await asks()).toEqual(["VALID", false]);
      // what an earlier version kept of a sign-in that had ended
      const kept = JSON.parse(await application.ask("kept"));
      await application.ask("kept", { text: JSON.stringify({ ...kept, accessToken: null }) });
      expect(await asks()).toEqual(["VALID", false]);
    });

    test("says how a sign-in ended", async () => {
      await using shop = openSignInShop();
      await using application = await open({ shop: shop.url, hwid, version: "1.0.0" });
      for (const [poll, expected] of [
        ["access_denied", "access_denied"],
        ["expired_token", "expired_token"],
        ["invalid_grant", "expired_token"],
      ] as const) {
        shop.state.polls = [poll];
        expect(await application.signIn(async () => {})).toBe(expected);
      }
      expect(await application.signIn(async () => ({ stop: true }))).toBe("stopped");
      expect(
        await application.signIn(async () => {
          application.world.days = 901 / 86_400;
        }),
      ).toBe("expired_token");
      for (const [status, expected] of [
        [404, "unsupported"],
        [429, "slow_down"],
        [503, "unavailable"],
      ] as const) {
        shop.state.codeStatus = status;
        expect(await application.signIn(async () => {})).toBe(expected);
      }
      application.world.cable = false;
      expect(await application.signIn(async () => {})).toBe("unavailable");
    });

    test("takes in an offline file, on a computer that never goes online", async () => {
      const now = Math.floor(Date.now() / 1000);
      const given = { shop: vectors.issuer, hwid, version: "1.0.0", keys: vectors.keys };
      await using application = await open(given);
      application.world.cable = false;
      const request = await application.ask("offline_request", machine);
      const asked = JSON.parse(Buffer.from(request, "base64url").toString());
      expect(request).toMatch(/^[\w-]+$/);
      expect(asked).toEqual({ hwid_hash: expect.stringMatching(/^[\w-]{43}$/), ...machine });
      const text = fileFor(asked.hwid_hash, { from: now, days: 30 });
      expect(await application.verdict("use_file", { text })).toMatchObject({ code: "VALID", online: false });
      application.world.days = 29;
      expect(await application.verdict("check")).toMatchObject({
        code: "VALID",
        grace: false,
        sign_in: false,
      });
      application.world.days = 5;
      expect(short(await application.verdict("use_file", { text }))).toBe("clock");
      application.world.days = 30;
      expect(short(await application.verdict("check"))).toBe("ended");
      const next = fileFor(asked.hwid_hash, { from: now + 29 * 86_400, days: 30 });
      expect(
        short(await application.verdict("use_file", { text: `\uFEFF${next.replaceAll("\n", "\r\n")}` })),
      ).toBe("offline");
      // a file of another computer is not taken in
      const foreign = fileFor(`${asked.hwid_hash.slice(0, -2)}AA`, { from: now, days: 40 });
      expect(short(await application.verdict("use_file", { text: foreign }))).toBe("device");
      expect(short(await application.verdict("check"))).toBe("offline");
    });

    test("runs by the file that the shop makes from its request", async () => {
      await using stage = await openStage();
      const person = stage.person();
      await person.register(await stage.handOut(), "ada");
      const { keys } = (await person.get("/api/app/v1/keys")).body;
      await using application = await open({ ...shopOf(stage), keys });
      application.world.cable = false;
      const request: string = await application.ask("offline_request", machine);
      const { status, body: text } = await person.post("/api/devices/offline", { request, password });
      expect(status).toBe(200);
      expect(short(await application.verdict("use_file", { text }))).toBe("offline");
      application.world.days = 29.9;
      expect(short(await application.verdict("check"))).toBe("offline");
      application.world.days = 30.1;
      expect(short(await application.verdict("check"))).toBe("ended");
    });

    test("has a feature as long as a licence gives it, offline too, and what an offline file says", async () => {
      await using stage = await openStage();
      await stage.ctx.store.db.update(levels).set({ features: ["open"] });
      await addLevels(stage, { id: "team", features: ["export"] });
      const person = stage.person();
      await person.register(await stage.handOut(), "ada");
      const key = await handOut(stage.ctx, { level: "team", days: 3 }, by);
      await person.post("/api/licenses/redeem", { key, timezone: "UTC" });
      const { api_key: token } = (await person.get("/api/user/me")).body.data;
      await using application = await open({ ...shopOf(stage), token });
      const has = async () => [
        await application.ask("has", { feature: "open" }),
        await application.ask("has", { feature: "export" }),
      ];
      expect(await has()).toEqual([false, false]);
      expect(await application.verdict("activate")).toMatchObject({
        type: "team",
        level: "team",
        features: ["export", "open"],
      });
      expect(await has()).toEqual([true, true]);
      expect(await application.ask("has", { feature: "constructor" })).toBe(false);
      expect(await application.ask("me")).toMatchObject({
        level: { id: "team", name: "team" },
        features: ["export", "open"],
      });
      application.world.cable = false;
      // while it runs, and after a start without the network
      application.world.days = 2.9;
      expect(await has()).toEqual([true, true]);
      // a file that is refused takes nothing away
      expect(short(await application.verdict("use_file", { text: "no file" }))).toBe("malformed");
      expect(await has()).toEqual([true, true]);
      application.world.days = 3.1;
      expect(await has()).toEqual([true, false]);
      application.world.days = 0;
      expect(await has()).toEqual([true, false]);
      application.world.days = 3.1;
      expect(await application.verdict("check")).toMatchObject({ code: "VALID", features: ["open"] });
      // turning the clock back brings nothing back, as long as it runs
      application.world.days = 0;
      expect(await has()).toEqual([true, false]);
      expect(short(await application.verdict("check"))).toBe("clock");
      expect(await has()).toEqual([false, false]);
      application.world.days = 8;
      expect(short(await application.verdict("check"))).toBe("offline, grace");
      expect(await has()).toEqual([true, false]);
      application.world.cable = true;
      expect(await application.ask("deactivate")).toBe(true);
      expect(await has()).toEqual([false, false]);
      await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1");
      await application.verdict("check");
      expect(await has()).toEqual([false, false]);
      const keys = [...vectors.keys];
      await using never = await open({ shop: vectors.issuer, hwid, version: "1.0.0", keys });
      const request = await never.ask("offline_request", machine);
      const { hwid_hash } = JSON.parse(Buffer.from(request, "base64url").toString());
      const now = Math.floor(Date.now() / 1000);
      const features = { export: now + 10 * 86_400 };
      const text = fileFor(hwid_hash, { from: now, days: 30, features });
      expect(await never.verdict("use_file", { text })).toMatchObject({ features: ["export"] });
      expect(await never.ask("has", { feature: "export" })).toBe(true);
      never.world.days = 11;
      expect(await never.verdict("check_offline")).toMatchObject({ code: "VALID", features: [] });
      expect(await never.ask("has", { feature: "export" })).toBe(false);
    });

    test("goes by the shop's time for a feature where its clock is behind", async () => {
      await using stage = await openStage();
      await stage.ctx.store.db.update(levels).set({ features: ["open"] });
      await using application = await open({ ...shopOf(stage), token: await customer(stage, 3) });
      application.world.days = -400;
      await application.verdict("activate");
      expect(await application.ask("has", { feature: "open" })).toBe(true);
      application.world.days = -400 + 3.1;
      expect(await application.ask("has", { feature: "open" })).toBe(false);
    });

    test("takes no page of a hotel for a verdict", async () => {
      const answers = [
        "<html>",
        "null",
        "[]",
        "7",
        '{"code":"VALID"}',
        '{"code":"VALID","data":{"token":7}}',
      ];
      answers.push('{"code":["REVOKED"]}', '{"code":"VALID","data":{"token":"made up"}}', "{", "");
      let served = "";
      const hotel = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(served) });
      await using application = await open({ shop: hotel.url.href, hwid, version: "1.0.0", token: "t" });
      for (served of answers) {
        const { code, sign_in } = await application.verdict("check");
        expect([served, code, sign_in]).toEqual([served, "UNVERIFIED", false]);
        expect(await application.ask("me")).toBeNull();
        expect(await application.ask("update", { system: "linux" })).toBeNull();
      }
      await hotel.stop(true);
    });
  });
}

test.skipIf(here.length < 2)("what one of them keeps, the others read", async () => {
  await using stage = await openStage();
  const token = await customer(stage);
  let kept: string | null = null;
  for (const language of [...here, ...here.slice(0, 1)] satisfies Language[]) {
    await using application: Application = await clients.open(language, { ...shopOf(stage), token });
    if (kept === null) await application.verdict("activate");
    else await application.ask("kept", { text: kept });
    application.world.cable = false;
    expect([language, short(await application.verdict("check"))]).toEqual([language, "offline"]);
    kept = await application.ask("kept");
  }
});
