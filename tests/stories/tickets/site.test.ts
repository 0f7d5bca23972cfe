import { expect, test } from "bun:test";

import { customer } from "../../support/people/discord";
import { openDesk, rowsOf, textIn, threads, waitForText, waitForTicket } from "../../support/people/tickets";
import { eventually } from "../../support/shop/stage";

const placed = ({ thread_id, greeting_id, card_id }: Record<string, unknown>) =>
  Boolean(thread_id && greeting_id && card_id);

test("a question asked on the site is posted in a thread for staff, and their answer appears on the page", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const question = "It says <b>no</b> @everyone [x](https://evil.example)";
  const asked = await person.post("/api/tickets", { topic: "device", question });
  expect(asked).toMatchObject({
    status: 200,
    body: {
      status: 200,
      data: { number: 1, topic: "Device", via: "site", state: "open", answers_by: "mail" },
    },
  });
  const { id } = asked.body.data;
  const thread = String((await waitForTicket(stage, placed)).thread_id);
  await waitForText(stage, thread, question);
  expect(await textIn(stage, thread)).toContain(`ada (website):\n\`\`\`\n${question}\n\`\`\``);
  expect(JSON.stringify(await stage.atDiscord("visible?as=ada"))).not.toContain(thread);
  await stage.atDiscord("messages", { user: "sam", channel: thread, content: "Try it again" });
  const { body } = await eventually(
    () => person.get(`/api/tickets/${id}`),
    (one) => one.body.data.messages.length === 2,
  );
  expect(body.data.messages).toMatchObject([
    { author: "member", name: "ada", content: question, waiting: false },
    { author: "staff", name: "Sam (support)", content: "Try it again" },
  ]);
  expect(body.data).toMatchObject({ waiting_for: "member", unread: true });
  expect((await person.get("/api/tickets")).body.data).toMatchObject([
    { unread: false, last: { author: "staff", text: "Try it again" } },
  ]);
  await person.post(`/api/tickets/${id}/messages`, { text: "It works now" });
  await waitForText(stage, thread, "It works now");
  const early = await person.post(`/api/tickets/${id}/rating`, { stars: 5 });
  expect(early).toMatchObject({ status: 409, body: { code: "ticket_not_closed" } });
  expect((await person.post(`/api/tickets/${id}/close`)).body.data).toMatchObject({
    state: "closed",
    closed_by: "member",
  });
  await eventually(async () => (await threads(stage))[0].thread_metadata.locked);
  const late = await person.post(`/api/tickets/${id}/messages`, { text: "One more" });
  expect(late).toMatchObject({ status: 409, body: { code: "ticket_closed" } });
  expect((await person.post(`/api/tickets/${id}/rating`, { stars: 5, comment: "Quick" })).status).toBe(200);
  expect((await rowsOf(stage))[0]).toMatchObject({ stars: 5, rating_comment: "Quick", state: "closed" });
  expect((await person.get(`/api/tickets/${id}`)).body.data.messages).toHaveLength(3);
});
