import { afterAll, test } from "bun:test";
import { sizes } from "./browser";
import { openMorning } from "./journeys/desk-morning";

const morning = await openMorning();
afterAll(() => morning[Symbol.asyncDispose]());

for (const size of [sizes[0], sizes[2]])
  test(`an owner decides a refund, answers and closes a ticket, finds a customer, and suspends and reinstates a licence, at ${size.width} pixels`, () =>
    morning.spendMorning(size));

test("a refund whose line was cut says so, keeps what was typed, and is made once when it is pressed again", () =>
  morning.refundTwice());
