import { afterAll, test } from "bun:test";
import { sizes } from "../../browser/browser";
import { openMorning } from "../../browser/journeys/desk-morning";

const morning = await openMorning();
afterAll(() => morning[Symbol.asyncDispose]());

test("an owner decides a refund, answers and closes a ticket, finds a customer, and suspends and reinstates a licence, on a phone", () =>
  morning.spendMorning(sizes[0]));
