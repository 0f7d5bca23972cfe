import { expect, test } from "bun:test";
import { hour } from "@/contract/vocabulary/time";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { confirmation, login, mailsTo, me, member, password } from "./people";

const why = ["--reason", "a story"];

const enter = (stage: Stage, name: string, email: string) =>
  operated(stage, "accounts", "change-email", name, email, ...why);
const confirm = async (stage: Stage, token: string) =>
  (await stage.person().post("/api/user/email/confirm", { token })).body;

const tokenTo = async (stage: Stage, to: string) => (await confirmation(stage, to)).token;

test("an address entered by support takes effect once its owner confirms it", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await enter(stage, "pia", "Pia@New.example");
  expect((await me(pia)).data.email).toBe("pia@example.com");
  const subjects = (await mailsTo(stage, "pia@example.com")).map(({ subject }) => subject);
  // that of her registration, if it left before support's
  expect(subjects.filter((one) => one !== "Confirm your email address")).toEqual([]);
  const token = await tokenTo(stage, "pia@new.example");
  expect(await confirm(stage, token)).toEqual({
    status: 200,
    data: { email: "Pia@New.example", confirmed: true },
  });
  expect((await me(pia)).data.email).toBe("Pia@New.example");
  expect((await login(stage.person(), "pia@new.example")).status).toBe(200);
  const [notice] = await mailsTo(stage, "pia@example.com");
  expect(notice?.subject).toBe("Your email address was changed");
  const events = (await login(pia, "pia"), await pia.get("/api/user/security-events")).body.data;
  const codes = events.map(({ code }: { code: string }) => code);
  for (const code of ["email.requested_by_staff", "email.changed"]) expect(codes).toContain(code);
});

test("a hundred concurrent uses of a confirmation link confirm once", async () => {
  await using stage = await openStage();
  await member(stage, "pia");
  await enter(stage, "pia", "pia@new.example");
  const token = await tokenTo(stage, "pia@new.example");
  const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(stage, token)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(99);
  for (const { code } of refused) expect(code).toBeOneOf(["confirmation_invalid", "conflict"]);
});

test("a confirmation link that is used, forged, expired or replaced changes nothing", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await enter(stage, "pia", "first@new.example");
  const first = await tokenTo(stage, "first@new.example");
  await enter(stage, "pia", "second@new.example");
  const second = await tokenTo(stage, "second@new.example");
  const [id = ""] = second.split(".");
  for (const token of [first, id, `${id}.`, `${id}.guess`, `${second}x`, "x"])
    expect((await confirm(stage, token)).code).toBe("confirmation_invalid");
  expect((await me(pia)).data.email).toBe("pia@example.com");
  expect((await confirm(stage, second)).status).toBe(200);
  expect((await confirm(stage, second)).code).toBe("confirmation_invalid");
  await enter(stage, "pia", "third@new.example");
  const third = await tokenTo(stage, "third@new.example");
  stage.advance(24 * hour);
  expect((await confirm(stage, third)).code).toBe("confirmation_invalid");
});

test("a confirmation link is void once the owner asks for another address", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  await enter(stage, "pia", "pia@new.example");
  const token = await tokenTo(stage, "pia@new.example");
  const changed = await pia.post("/api/user/email/reset", { email: "own@example.com", password });
  expect(changed.status).toBe(200);
  expect((await confirm(stage, token)).code).toBe("confirmation_invalid");
});

test("an address that another account has, or took in the meantime, is refused", async () => {
  await using stage = await openStage();
  await member(stage, "pia");
  await member(stage, "eve");

  const refused = async (email: string) => {
    const { code, err } = await operate(stage, "accounts", "change-email", "pia", email, ...why, "--json");
    return [code, code === 1 ? JSON.parse(err).error.code : null];
  };
  expect(await refused("EVE@example.com")).toEqual([1, "email_taken"]);
  expect(await refused("pia@example.com")).toEqual([1, "email_unchanged"]);
  expect(await refused("nobody")).toEqual([2, null]);
  await enter(stage, "pia", "late@example.com");
  const token = await tokenTo(stage, "late@example.com");
  await member(stage, "late");

  expect((await confirm(stage, token)).code).toBe("email_taken");
});
