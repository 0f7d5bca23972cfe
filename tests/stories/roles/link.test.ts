import { customer as owner } from "@/core/actor";
import { expect, test } from "bun:test";
import { minute } from "@/contract/time";
import { commit } from "@/core/commit";
import { accounts } from "@/domain/schema/accounts";
import type { Guild } from "@/domain/discord/guild";
import { reconcile } from "@/domain/discord/reconcile-member";
import { linkWrites } from "@/domain/discord/change-link";
import { linkOf } from "@/domain/discord/links";
import {
  authorize,
  connect,
  customer,
  holders,
  waitForBot,
  waitForHolders,
} from "../../support/people/discord";
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
    member: async () => (await meanwhile(), null),
    join: async (userId) => (joined.push(userId), null),
    grant: async () => true,
    take: async () => true,
    async *members() {},
  });
  const settle = async (meanwhile: () => Promise<unknown>) =>
    commit(stage.ctx.store, await reconcile(stage.ctx, guild(meanwhile), "42"));
  await link(["identify"]);
  await settle(() => link(["identify", "guilds.join"]));
  expect(joined).toEqual([]);
  await settle(async () => {});
  expect(joined).toEqual(["42"]);
});

test("the owner is told of a connection; one from after an email change ends when the change is undone", async () => {
  await using stage = await openStage({ discord: true });
  await customer(stage, "pia");
  await waitForBot(stage);
  const mails = async (to: string) => {
    await stage.shop.worker.drain();
    return stage.mail.messages(to);
  };
  // a thief who knows the password
  const thief = stage.person();
  const signIn = () => thief.post("/api/auth/login", { username: "pia", password: "a long enough phrase" });
  await signIn();
  const changed = await thief.post("/api/user/email/reset", {
    email: "thief@example.com",
    password: "a long enough phrase",
  });
  expect(changed.status).toBe(200);
  stage.advance(minute);
  expect((await connect(stage, thief, "tim")).body.status_message).toBe("Success");
  const [told] = await mails("thief@example.com");
  expect(told?.subject).toBe("A Discord user was connected to your account");
  const [notice] = (await mails("pia@example.com")).filter(({ text }) => text?.includes("/undo-email#"));
  const token = /\/undo-email#(\S+)/.exec(notice?.text ?? "")?.[1];
  expect((await stage.person().post("/api/user/email/undo", { token })).status).toBe(200);
  await waitForHolders(stage, []);
  // the password is still known
  await signIn();
  expect((await thief.get("/api/discord/me")).body.data).toMatchObject({ connected: false });
  expect((await thief.get("/api/functions/get-discord-oauth-url")).body.code).toBe("recovery_due");
});

test("undoing an email change leaves a Discord user that was connected before it", async () => {
  await using stage = await openStage({ discord: true });
  const { person: pia } = await customer(stage, "pia");
  await waitForBot(stage);
  await connect(stage, pia, "tim");
  stage.advance(minute);
  await pia.post("/api/user/email/reset", { email: "new@example.com", password: "a long enough phrase" });
  await stage.shop.worker.drain();
  const token = stage.mail
    .messages("pia@example.com")
    .map(({ text }) => /\/undo-email#(\S+)/.exec(text ?? "")?.[1])
    .find(Boolean);
  expect((await stage.person().post("/api/user/email/undo", { token })).status).toBe(200);
  await waitForHolders(stage, ["tim"]);
  const linked = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM links");
  expect(linked.rows[0]?.["n"]).toBe(1);
});
