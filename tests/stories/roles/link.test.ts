import { customer as owner } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { commit } from "@/core/database/commit";
import { accounts } from "@/domain/schema/accounts";
import type { Guild } from "@/domain/discord/guild";
import { reconcileMember } from "@/domain/discord/reconcile-member";
import { linkWrites } from "@/domain/discord/change-link";
import { linkOf } from "@/domain/discord/links";
import { mailsTo, prove } from "../accounts/people";
import { authorize, connect, customer, holders, waitForBot } from "../../support/people/discord";
import { openStage } from "../../support/shop/stage";

test("connecting a Discord user is answered once they are in the server and have the role", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "tim");
  await waitForBot(stage);
  const returned = await authorize(stage, person, "tim");
  const answer = await person.post("/api/discord/auth/callback", returned);
  expect(answer.body).toMatchObject({ status: 200, status_message: "Success" });
  expect(await holders(stage)).toEqual(["tim"]);
  expect((await person.get("/api/user/me")).body.data.discord_authed).toBe(true);
  expect((await person.get("/api/discord/me")).body.data).toMatchObject({
    connected: true,
    name: "Tim",
    role: { held: true, reason: "held", join_url: null },
  });
});

test("somebody who links again during a reconciliation still joins the server", async () => {
  await using stage = await openStage();
  await customer(stage, "tim");
  const [account] = await stage.ctx.store.db.select({ id: accounts.id }).from(accounts);
  const accountId = account?.id ?? "";
  const link = async (scopes: string[]) => {
    stage.advance(1_000);
    const tokens = { access: "token", refresh: null, scopes };
    const tie = { discordUserId: "42", displayName: "Tim", tokens, actor: owner(accountId) };
    const former = await linkOf(stage.ctx, accountId);
    await commit(stage.ctx.store, linkWrites(stage.ctx, { accountId, former }, tie));
  };
  const joined: string[] = [];
  const guild = (meanwhile: () => Promise<unknown>): Guild => ({
    firstRoleId: "1",
    may: () => true,
    roles: async () => [],
    member: async () => (await meanwhile(), null),
    join: async (userId) => (joined.push(userId), null),
    grant: async () => true,
    take: async () => true,
    async *members() {},
  });
  const settle = async (meanwhile: () => Promise<unknown>) =>
    commit(stage.ctx.store, await reconcileMember(stage.ctx, guild(meanwhile), "42"));
  await link(["identify"]);
  await settle(() => link(["identify", "guilds.join"]));
  expect(joined).toEqual([]);
  await settle(async () => {});
  expect(joined).toEqual(["42"]);
});

test("the owner is told of a connection", async () => {
  await using stage = await openStage({ discord: true });
  const { person: pia } = await customer(stage, "pia");
  await prove(stage, "pia");
  expect((await connect(stage, pia, "tim")).body.status_message).toBe("Success");
  const [told] = await mailsTo(stage, "pia@example.com");
  expect(told?.subject).toBe("A Discord user was connected to your account");
});
