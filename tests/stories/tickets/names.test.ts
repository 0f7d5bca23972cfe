import { expect, test } from "bun:test";
import {
  openDesk,
  openInDiscord,
  rowsOf,
  textIn,
  threads,
  waitForTicket,
  waitForText,
} from "../../support/people/tickets";

test("a ticket whose thread can't have its name gets another name at once, and staff are told", async () => {
  await using stage = await openDesk();
  await stage.atDiscord("members/rename", { user: "ada", global_name: "Nazi hunter" });
  const { thread, card } = await openInDiscord(stage, "ada");
  expect((await threads(stage)).find(({ id }) => id === thread).name).toBe("#1 License");
  expect(await textIn(stage, thread)).toContain("My key does nothing");
  await waitForText(stage, "staff", "Discord refuses the name of ticket");
  expect(card).toBeTruthy();
  expect(stage.lines.join()).not.toContain("Discord refused a call");
});

test("a number that Discord refuses in names is spelled, and its thread is found again if it was not stored", async () => {
  await using stage = await openDesk();
  await openInDiscord(stage, "ada");
  await stage.ctx.store.client.execute("UPDATE tickets SET number = 1487");
  const { thread } = await openInDiscord(stage, "dora");
  const [, row] = await rowsOf(stage);
  expect(row?.number).toBe(1488);
  const named = (await threads(stage)).find(({ id }) => id === thread);
  expect(named.name).toBe("Ticket one four eight eight");

  await stage.ctx.store.client.execute(
    "UPDATE tickets SET thread_id = NULL, greeting_id = NULL WHERE number = 1488",
  );
  await stage.restart();
  await waitForTicket(stage, ({ greeting_id }) => Boolean(greeting_id));
  expect((await rowsOf(stage))[1]?.thread_id).toBe(thread);
});
