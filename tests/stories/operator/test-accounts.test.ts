import { expect, test } from "bun:test";
import type { TestAccount } from "@/domain/customers/test-accounts";
import { application } from "../devices/computers";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage } from "../../support/shop/stage";

const make = ["test-accounts", "dev@example.com", "--reason", "for the new version"];

test("authors get an account for each verdict, and the same accounts when they ask again", async () => {
  await using stage = await openStage();
  const made: TestAccount[] = await operated(stage, ...make);
  const told = async ({ username, token }: TestAccount) => {
    const app = application(stage, token ?? "");
    const before = (await app.validate("study")).body.code;
    return [username, before, (await app.activate("study")).body.code];
  };
  const verdicts = await Promise.all(made.map(told));
  expect(verdicts).toEqual([
    ["test-valid", "NOT_ACTIVATED", "VALID"],
    ["test-timed", "NOT_ACTIVATED", "VALID"],
    ["test-full", "HWID_MISMATCH", "HWID_MISMATCH"],
    ["test-expired", "EXPIRED", "EXPIRED"],
    ["test-disputed", "DISPUTED", "DISPUTED"],
    ["test-revoked", "REVOKED", "REVOKED"],
    ["test-none", "NO_LICENSE", "NO_LICENSE"],
  ]);
  for (const { username, email, password } of made) {
    expect(email).toBe(`dev+${username.slice("test-".length)}@example.com`);
    const entered = await stage.person().post("/api/auth/login", { username, password });
    expect([username, entered.status]).toEqual([username, 200]);
  }
  const again: TestAccount[] = await operated(stage, ...make);
  expect(again).toEqual(made.map((account) => ({ ...account, password: null })));
  expect((await operate(stage, ...make)).out).toContain("as printed before");
});
