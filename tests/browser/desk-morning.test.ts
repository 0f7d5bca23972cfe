import { afterAll, test } from "bun:test";
import { sizes } from "./browser";
import { openMorning } from "./journeys/desk-morning";

const morning = await openMorning();
afterAll(() => morning[Symbol.asyncDispose]());

test("an owner decides a refund, answers and closes a ticket, finds a customer, and suspends and reinstates a licence", () =>
  morning.spendMorning(sizes[2]));

test("a refund whose line was cut says so, keeps what was typed, and is made once when it is pressed again", () =>
  morning.refundTwice());
