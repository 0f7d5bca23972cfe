import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { tickets } from "@/domain/schema/tickets";
import { openStage } from "../../support/shop/stage";
import { member } from "../accounts/people";

test("customers learn how soon support usually answers, once ten tickets of 30 days were answered, counted once an hour", async () => {
  await using stage = await openStage();
  const person = await member(stage, "ada");
  const usual = async () => (await person.get("/api/tickets/answer-time")).body;
  const answered = (number: number, daysAgo: number) => {
    const at = new Date(stage.ctx.now().getTime() - daysAgo * 24 * hour);
    return stage.ctx.store.db.insert(tickets).values({
      id: `ticket-${number}`,
      number,
      topic: "other",
      memberName: "Ada",
      question: "Hello",
      openedAt: at,
      waitingSince: at,
      firstAnswerAt: new Date(at.getTime() + minute),
    });
  };
  for (let number = 1; number <= 9; number += 1) await answered(number, number);
  await answered(10, 31);
  expect(await usual()).toEqual({ status: 200, data: { hours: null } });
  await answered(11, 1);
  expect((await usual()).data.hours).toBeNull();
  stage.advance(hour);
  expect((await usual()).data.hours).toBe(1);
  expect((await stage.person().get("/api/tickets/answer-time")).status).toBe(401);
});
