import { expect, test } from "bun:test";
import { accountByName } from "@/domain/accounts/sessions/account";
import { commit } from "@/core/database/commit";
import { answeredWrite, isUnread, noteRead } from "@/domain/tickets/writing/answered";
import { ownTicket } from "@/domain/tickets/reading/own";
import { customer } from "../../support/people/discord";
import { openDesk } from "../../support/people/tickets";

/** A ticket from the site, and how the shop holds it now. */
async function asked() {
  const stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const { body } = await person.post("/api/tickets", { topic: "device", question: "It says no" });
  const account = await accountByName(stage.ctx, "ada");
  const read = () => ownTicket(stage.ctx, account?.id ?? "", body.data.id);
  return { stage, read };
}

test("an answer that is stored while the page asks counts as unread", async () => {
  const { stage, read } = await asked();
  await using _ = stage;
  const { ctx } = stage;
  const before = await read();
  const answered = answeredWrite(ctx, before);
  await noteRead(ctx, before, new Date(ctx.now().getTime() + 5));
  await commit(ctx.store, [answered]);
  expect(isUnread(await read())).toBe(true);
});

test("a view from before an answer does not mark the answer as read", async () => {
  const { stage, read } = await asked();
  await using _ = stage;
  const { ctx } = stage;
  const before = await read();
  await commit(ctx.store, [answeredWrite(ctx, before)]);
  await noteRead(ctx, before, new Date(ctx.now().getTime() + 5));
  expect(isUnread(await read())).toBe(true);
  await noteRead(ctx, await read(), new Date(ctx.now().getTime() + 5));
  expect(isUnread(await read())).toBe(false);
});
