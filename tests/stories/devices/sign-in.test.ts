import { expect, test } from "bun:test";
import * as oauth from "oauth4webapi";
import { day, hour, minute, second } from "@/contract/vocabulary/time";
import { addBlock } from "@/domain/blocks/staff-actions";
import { parseBlock } from "@/domain/blocks/typed";
import { hwidHashOf } from "@/domain/blocks/hashes";
import { accountNamed } from "@/domain/customers/find";
import { eraseAsStaff } from "@/domain/privacy/erase";
import { rotateSecrets } from "@/domain/secrets/rotate";
import { forgetDeviceRequests } from "@/domain/application/device-sign-in";
import { unbindDevice } from "@/domain/devices/remove";
import type { Answer } from "../../support/people/person";
import { release } from "../../support/shop/publish-release";
import { openStage } from "../../support/shop/stage";
import { askForCode, login, mailedCode } from "../accounts/people";
import { by, codeOf, computer, customerWith, listDevices, remove } from "./computers";
import { ask, call, decide, grant, showRequest, signIn } from "./signing-in";

test("a client for RFC 8628 that nobody wrote for this shop signs in", async () => {
  await using stage = await openStage();
  const { person, id } = await customerWith(stage, 2);
  const server: oauth.AuthorizationServer = {
    issuer: stage.url.origin,
    device_authorization_endpoint: new URL("/api/app/v1/device/code", stage.url).href,
    token_endpoint: new URL("/api/app/v1/device/token", stage.url).href,
  };
  const client: oauth.Client = { client_id: "any" };
  const auth = oauth.None();
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated to stand out; the story's shop has no certificate
  const http = { [oauth.allowInsecureRequests]: true };
  const asked = await oauth.deviceAuthorizationRequest(server, client, auth, computer("study"), http);
  const codes = await oauth.processDeviceAuthorizationResponse(server, client, asked);
  expect(codes).toMatchObject({ expires_in: 900, interval: 5 });
  expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(codes.verification_uri).toBe(new URL("/device", stage.url).href);
  expect(codes.verification_uri_complete).toBe(`${codes.verification_uri}?user_code=${codes.user_code}`);
  const poll = async () => {
    const answer = await oauth.deviceCodeGrantRequest(server, client, auth, codes.device_code, http);
    return oauth.processDeviceCodeResponse(server, client, answer);
  };
  const pending = await poll().catch((error: unknown) => error);
  expect(pending).toBeInstanceOf(oauth.ResponseBodyError);
  expect(pending).toMatchObject({ error: "authorization_pending", status: 400 });
  expect((await decide(person, codes.user_code)).status).toBe(200);
  stage.advance(5 * second);
  const { access_token: token, token_type: type } = await poll();
  expect(type).toBe("bearer");
  expect((await call(stage, token, "me")).body).toEqual({
    status: 200,
    code: "VALID",
    data: {
      username: "ada",
      offer: null,
      type: "premium",
      level: { id: "premium", name: "Wisp Premium" },
      features: [],
      expires_at: null,
      devices: { used: 1, places: 2 },
    },
  });
  expect(id).not.toBe("");
});

test("the person sees the computer, its system, its network and the time before they decide, and a look decides nothing", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  const before = stage.ctx.now().toISOString();
  const asking = await ask(stage, "study");
  const typed = asking.userCode.toLowerCase().replace("-", " – ");
  for (const code of [asking.userCode, typed]) {
    const {
      created_at: created,
      expires_at: expires,
      ...shown
    } = (await showRequest(person, code)).body.data;
    expect(created >= before && created <= stage.ctx.now().toISOString()).toBe(true);
    expect(Date.parse(expires) - Date.parse(created)).toBe(15 * minute);
    expect(shown).toEqual({
      label: "study",
      os: "Linux x64",
      version: "1.0.0",
      address: asking.from.address,
    });
  }
  expect((await asking.poll()).body).toEqual({ error: "authorization_pending" });
  expect((await showRequest(stage.person(), asking.userCode)).status).toBe(401);
});

test("every answer of the two calls has OAuth's form, for JSON and for forms", async () => {
  await using stage = await openStage();
  const at = (path: string, body: string, type: string) =>
    stage.person().send("POST", `/api/app/v1/device/${path}`, { body, headers: { "content-type": type } });
  const form = "application/x-www-form-urlencoded";
  const asked = await at("code", new URLSearchParams(computer("study")).toString(), `${form}; charset=utf-8`);
  expect(asked.status).toBe(200);
  const wrong: [string, string, string, number, string][] = [
    ["code", "{", "application/json", 400, "invalid_request"],
    ["code", JSON.stringify({ ...computer("a"), label: 7 }), "application/json", 400, "invalid_request"],
    ["code", `${new URLSearchParams(computer("a")).toString()}&os=b`, form, 400, "invalid_request"],
    ["code", "x", "text/plain", 400, "invalid_request"],
    ["code", "x".repeat(100_000), form, 400, "invalid_request"],
    ["token", "", form, 400, "invalid_request"],
    ["token", `grant_type=${grant}`, form, 400, "invalid_request"],
    ["token", "grant_type=password&device_code=x", form, 400, "unsupported_grant_type"],
    ["token", `grant_type=${grant}&device_code=x`, form, 400, "invalid_grant"],
  ];
  for (const [path, body, type, status, error] of wrong) {
    const answer = await at(path, body, type);
    expect([path, body.slice(0, 40), answer.status, answer.body]).toEqual([
      path,
      body.slice(0, 40),
      status,
      { error },
    ]);
  }
  expect((await stage.person().get("/api/app/v1/device/token")).body).toEqual({ error: "invalid_request" });
});

test("polling too fast adds five seconds for good, and the first poll may come at once", async () => {
  await using stage = await openStage();
  const { poll } = await ask(stage, "study");
  const after = async (seconds: number) => {
    stage.advance(seconds * second);
    return (await poll()).body.error;
  };
  expect(await after(0)).toBe("authorization_pending");
  expect(await after(5)).toBe("authorization_pending");
  for (const seconds of [1, 6, 11]) expect(await after(seconds)).toBe("slow_down");
  expect(await after(20)).toBe("authorization_pending");
  expect(await after(15)).toBe("slow_down");
  // a clock that was set back makes nobody wait
  stage.advance(-minute);
  expect(await after(0)).toBe("authorization_pending");
});

test("a code ends after 15 minutes, and a decided one is over for everybody", async () => {
  await using stage = await openStage();
  const ada = await customerWith(stage, 1);
  const bob = await customerWith(stage, 1, { name: "bob" });
  const [late, declined, approved] = [
    await ask(stage, "late"),
    await ask(stage, "declined"),
    await ask(stage, "study"),
  ];
  expect((await decide(ada.person, declined.userCode, false)).body).toEqual({ status: 200, data: null });
  expect((await decide(ada.person, approved.userCode)).status).toBe(200);
  for (const { userCode } of [declined, approved]) {
    for (const { person } of [ada, bob]) {
      expect(await showRequest(person, userCode)).toMatchObject({
        status: 404,
        body: { code: "device_request_unknown" },
      });
      expect((await decide(person, userCode)).status).toBe(404);
    }
  }
  expect((await declined.poll()).body).toEqual({ error: "access_denied" });
  expect((await approved.poll()).body).toMatchObject({ token_type: "bearer" });
  stage.advance(15 * minute);
  expect((await decide(ada.person, late.userCode)).status).toBe(404);
  expect((await late.poll()).body).toEqual({ error: "expired_token" });
  expect((await approved.poll()).body).toEqual({ error: "invalid_grant" });
  // a month later the shop has forgotten them
  stage.advance(30 * day);
  expect((await late.poll()).body).toEqual({ error: "expired_token" });
  await forgetDeviceRequests(stage.ctx);
  expect((await late.poll()).body).toEqual({ error: "invalid_grant" });
  expect(await stage.count("device_requests")).toBe(0);
});

test("approving needs a licence and a seat; a seat that is freed lets it continue", async () => {
  await using stage = await openStage();
  const { person, app } = await customerWith(stage, 1);
  const ended = await customerWith(stage, 1, { name: "bob", days: 1 });
  stage.advance(2 * day);
  const asking = await ask(stage, "laptop");
  expect(await decide(ended.person, asking.userCode)).toMatchObject({
    status: 403,
    body: { code: "license_required" },
  });
  await app.activate("study");
  expect(await decide(person, asking.userCode)).toMatchObject({ status: 409, body: { code: "places_full" } });
  expect((await remove(person, "study")).status).toBe(200);
  expect((await decide(person, asking.userCode)).status).toBe(200);
  // another computer takes the place before the token is handed out
  await app.activate("kitchen");
  expect((await asking.poll()).body).toEqual({ error: "access_denied" });
  stage.advance(5 * second);
  expect((await asking.poll()).body).toEqual({ error: "access_denied" });
});

test("a computer's token opens every call for that computer alone", async () => {
  await using stage = await openStage();
  const { person, app } = await customerWith(stage, 2);
  const laptop = await signIn(stage, person, "laptop");
  expect(await codeOf(laptop.validate("laptop"))).toBe("VALID");
  expect(await codeOf(laptop.activate("laptop"))).toBe("VALID");
  await app.activate("study");
  for (const answer of [laptop.validate("study"), laptop.activate("study"), laptop.deactivate("study")]) {
    expect(await answer).toMatchObject({ status: 403, body: { code: "HWID_MISMATCH", available_at: null } });
  }
  expect(await codeOf(laptop.activate("a third one"))).toBe("HWID_MISMATCH");
  expect(await codeOf(app.validate("laptop"))).toBe("VALID");
  expect((await call(stage, laptop.token, "update/windows")).body).toMatchObject({ code: "VALID" });
  expect(
    (await stage.person().get("/api/download", { authorization: `Bearer ${laptop.token}` })).status,
  ).not.toBe(401);
  expect(await codeOf(laptop.deactivate("laptop"))).toBe("NOT_ACTIVATED");
  expect(await codeOf(laptop.activate("laptop"))).toBe("VALID");
});

test("a computer's token ends when it signs in anew or is removed, and when the account's token is renewed", async () => {
  await using stage = await openStage();
  const { person, app, id } = await customerWith(stage, 2);
  const isDead = async (token: string) => {
    const answer = await call(stage, token, "me");
    expect(answer).toMatchObject({ status: 401, body: { code: "NO_LICENSE" } });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  };
  const first = await signIn(stage, person, "laptop");
  const anew = await signIn(stage, person, "laptop");
  await isDead(first.token);
  expect(await codeOf(anew.validate("laptop"))).toBe("VALID");
  expect(Object.keys(await listDevices(person))).toEqual(["laptop"]);

  expect((await remove(person, "laptop")).status).toBe(200);
  await isDead(anew.token);

  const staffed = await signIn(stage, person, "laptop");
  await unbindDevice(stage.ctx, id, by);
  await isDead(staffed.token);

  const renewed = await signIn(stage, person, "laptop");
  const approved = await ask(stage, "study");
  await decide(person, approved.userCode);
  expect((await person.post("/api/user/info/reset/token")).status).toBe(200);
  await isDead(renewed.token);
  expect((await approved.poll()).body).toEqual({ error: "invalid_grant" });
  expect((await call(stage, app.token, "me")).status).toBe(401);
});

test("a computer's token outlives a month and a replaced secret, and is stored only as a keyed hash", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  const laptop = await signIn(stage, person, "laptop");
  const waiting = await ask(stage, "laptop");
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM device_tokens, device_requests");
  const plain = new Bun.CryptoHasher("sha256");
  const stored = JSON.stringify(rows);
  for (const secret of [laptop.token, waiting.device_code, waiting.userCode.replace("-", "")]) {
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(plain.update(secret).digest("base64url"));
    expect(stage.lines.join("\n")).not.toContain(secret);
  }
  expect(stored).not.toContain(computer("laptop").hwid);
  for (let at = 0; at < 6; at += 1) {
    // so that the session goes on
    await listDevices(person);
    stage.advance(6 * day);
  }
  const [before, after] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
  await stage.restart({ secrets: { secretKey: after, secretKeyOld: before } });
  expect(await codeOf(laptop.validate("laptop"))).toBe("VALID");
  const unfinished = await ask(stage, "laptop");
  await rotateSecrets(stage.ctx, by);
  await stage.restart({ secrets: { secretKey: after, secretKeyOld: null } });
  expect(await codeOf(laptop.validate("laptop"))).toBe("VALID");
  await decide(person, unfinished.userCode);
  expect((await unfinished.poll()).body).toMatchObject({ token_type: "bearer" });
  expect(Object.keys(await listDevices(person))).toEqual(["laptop"]);
});

test("a recovered or deleted account's computers are signed out", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  const laptop = await signIn(stage, person, "laptop");
  const [email, fresh, recovering] = ["ada@example.com", "another long phrase", stage.person()];
  await askForCode(recovering, email);
  const code = await mailedCode(stage, email);
  await recovering.post("/api/user/password/forgot", { email, code });
  const typed = { email, code, password: fresh, renew_token: false };
  expect((await recovering.post("/api/user/password/forgot-reset", typed)).status).toBe(200);
  expect((await call(stage, laptop.token, "me")).status).toBe(401);
  const again = stage.person();
  expect((await login(again, "ada", { password: fresh })).status).toBe(200);
  const anew = await signIn(stage, again, "laptop", fresh);
  await eraseAsStaff(stage.ctx, async () => stage.shop.checkout, await accountNamed(stage.ctx, "ada"), by);
  expect((await call(stage, anew.token, "me")).status).toBe(401);
});

test("a blocked computer is not signed in", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  await signIn(stage, person, "laptop");
  const { hwid } = computer("laptop");
  const approved = await ask(stage, "laptop");
  await decide(person, approved.userCode);
  await addBlock(stage.ctx, parseBlock(stage.ctx, "device", hwid)!, by);
  expect((await approved.poll()).body).toEqual({ error: "access_denied" });
  const asking = await ask(stage, "laptop");
  expect(await decide(person, asking.userCode)).toMatchObject({ status: 403, body: { code: "blocked" } });
});

test("rollouts draw the computer that asks, also with the account's own token", async () => {
  await using stage = await openStage();
  const { person, app } = await customerWith(stage, 24);
  await release(stage, "1.0.0");
  await release(stage, "2.0.0", { rollout: 50 });
  const offered = async (token: string, query = "") =>
    (await call(stage, token, `update/windows${query}`)).body.data.version;
  const byHash = (name: string) => `?hwid_hash=${hwidHashOf(computer(name).hwid)}`;
  const names = Array.from({ length: 16 }, (_, at) => `computer ${at}`);
  const own: string[] = [];
  for (const name of names) own.push(await offered((await signIn(stage, person, name)).token));
  expect(new Set(own).size).toBe(2);
  for (const [at, name] of names.entries()) expect(await offered(app.token, byHash(name))).toBe(own[at]!);
  // without its hash, the account's first one is drawn, and an unknown one by its hash
  expect(await offered(app.token)).toBe(own[0]!);
  const unknown = await Promise.all(names.map((name) => offered(app.token, byHash(`no ${name}`))));
  expect(new Set(unknown).size).toBe(2);
  for (const wrong of ["", "short", `${hwidHashOf("x").slice(0, 42)}_`]) {
    const answer = await call(stage, app.token, `update/windows?hwid_hash=${wrong}`);
    expect(answer.status).toBe(400);
  }
});

test("a clock that jumps an hour ahead and back ends no code that is still good and signs nobody in twice", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 2);
  const asking = await ask(stage, "laptop");
  stage.advance(hour);
  expect((await asking.poll()).body).toEqual({ error: "expired_token" });
  expect((await showRequest(person, asking.userCode)).status).toBe(404);
  await forgetDeviceRequests(stage.ctx);
  // asked and approved while the clock is ahead
  const ahead = await ask(stage, "study");
  expect((await ahead.poll()).body).toEqual({ error: "authorization_pending" });
  expect((await decide(person, ahead.userCode)).status).toBe(200);
  stage.advance(-hour);
  // the first poll after the jump comes at once, and is not too soon
  const study = (await ahead.poll()).body;
  expect(study).toMatchObject({ token_type: "bearer" });
  expect((await ahead.poll()).body).toEqual({ error: "invalid_grant" });
  expect((await showRequest(person, asking.userCode)).status).toBe(200);
  expect((await decide(person, asking.userCode)).status).toBe(200);
  expect((await asking.poll()).body).toMatchObject({ token_type: "bearer" });
  expect((await asking.poll()).body).toEqual({ error: "invalid_grant" });
  expect(Object.keys(await listDevices(person)).toSorted()).toEqual(["laptop", "study"]);
  // a code from ahead lives no longer than a quarter of an hour of that time, and is forgotten
  stage.advance(hour);
  const late = await ask(stage, "late");
  stage.advance(-hour);
  stage.advance(2 * hour + 16 * minute);
  expect((await late.poll()).body).toEqual({ error: "expired_token" });
  await forgetDeviceRequests(stage.ctx);
  expect((await late.poll()).body).toEqual({ error: "invalid_grant" });
});

test("ten wrong codes an hour an account and thirty an address; right ones don't count", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  const asking = await ask(stage, "laptop");
  for (let at = 0; at < 12; at += 1) expect((await showRequest(person, asking.userCode)).status).toBe(200);
  for (let at = 0; at < 10; at += 1) {
    const answer = at % 2 ? await showRequest(person, "BBBB-BBBB") : await decide(person, "no code at all");
    expect(answer.status).toBe(404);
  }
  const refused = await showRequest(person, asking.userCode);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(isWithin(refused, 3600)).toBe(true);
  stage.advance(hour);
  expect((await decide(person, "BBBB-BBBB")).status).toBe(404);
  const others = await Promise.all(
    ["bob", "cyd", "dan", "eve"].map((name) => customerWith(stage, 1, { name })),
  );
  const from = { "x-forwarded-for": "192.0.2.7" };
  const statuses: number[] = [];
  for (const { person: other } of others) {
    for (let at = 0; at < 8; at += 1) {
      statuses.push((await other.get("/api/devices/request?user_code=BBBB-BBBB", from)).status);
    }
  }
  expect(statuses.filter((status) => status === 404)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test("an address gets twenty codes in ten minutes and three hundred polls a minute", async () => {
  await using stage = await openStage();
  const from = stage.person();
  const asking = await Promise.all(Array.from({ length: 20 }, () => ask(stage, "laptop", from)));
  expect(new Set(asking.map(({ userCode }) => userCode)).size).toBe(20);
  const refused = await from.post("/api/app/v1/device/code", computer("laptop"));
  expect([refused.status, refused.body]).toEqual([429, { error: "slow_down" }]);
  expect(isWithin(refused, 600)).toBe(true);
  const polls = await Promise.all(Array.from({ length: 301 }, (_, at) => asking[at % 20]!.poll()));
  const beyond = polls.filter(({ status }) => status === 429);
  expect(beyond).toHaveLength(1);
  expect(beyond[0]?.body).toEqual({ error: "slow_down" });
  expect(isWithin(beyond[0], 60)).toBe(true);
});

test("another site's page can't approve, and a link approves nothing by itself", async () => {
  await using stage = await openStage();
  const { person, app } = await customerWith(stage, 1);
  const asking = await ask(stage, "somebody else's");
  const link = new URL(asking.verification_uri_complete);
  await person.get(`${link.pathname}${link.search}`);
  const forged = await person.post(
    "/api/devices/request",
    { user_code: asking.userCode, approve: true },
    { "sec-fetch-site": "cross-site" },
  );
  expect(forged).toMatchObject({ status: 403, body: { code: "cross_site" } });
  // nor use up the customer's guesses
  for (let tries = 0; tries < 11; tries += 1) {
    const linked = { "sec-fetch-site": "cross-site" };
    const guess = await person.get("/api/devices/request?user_code=BBBB-BBBB", linked);
    expect(guess).toMatchObject({ status: 403, body: { code: "cross_site" } });
  }
  expect((await person.get(`/api/devices/request?user_code=${asking.userCode}`)).status).toBe(200);
  expect((await asking.poll()).body).toEqual({ error: "authorization_pending" });
  expect(await codeOf(app.validate("somebody else's"))).toBe("NOT_ACTIVATED");
});

/** Whether a refusal says to wait until the end of a window of so many seconds that began during the test. */
function isWithin(refused: Answer | undefined, seconds: number): boolean {
  const wait = Number(refused?.headers.get("retry-after"));
  return wait > seconds - 30 && wait <= seconds;
}
