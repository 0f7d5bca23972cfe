import { expect, test } from "bun:test";
import { type Hours, isOpenAt, nextOpening } from "@bot/tickets/support-hours";

const berlin: Hours = { timezone: "Europe/Berlin", from: 9, to: 21, days: [1, 2, 3, 4, 5] };

test.each([
  // a Friday in winter, UTC+1
  ["2026-01-16T07:59:59Z", false, "2026-01-16T08:00:00Z"],
  ["2026-01-16T08:00:00Z", true, "2026-01-16T08:00:00Z"],
  ["2026-01-16T19:59:59Z", true, null],
  // from its evening on the weekend is skipped
  ["2026-01-16T20:00:00Z", false, "2026-01-19T08:00:00Z"],
  ["2026-01-18T12:00:00Z", false, "2026-01-19T08:00:00Z"],
  // the clocks go forward on Sunday the 29th of March: Monday opens an hour earlier by UTC
  ["2026-03-27T20:00:00Z", false, "2026-03-30T07:00:00Z"],
  // and back on Sunday the 25th of October
  ["2026-10-23T19:00:00Z", false, "2026-10-26T08:00:00Z"],
])("at %s support is there: %p, and is back at %p", (now, open, back) => {
  expect(isOpenAt(berlin, new Date(now))).toBe(open);
  if (back) expect(nextOpening(berlin, new Date(now))).toEqual(new Date(back));
});

test("an opening hour skipped in spring moves to the next hour, and one repeated in autumn is the first of the two", () => {
  const early: Hours = { timezone: "Europe/Berlin", from: 2, to: 4, days: [7] };
  expect(nextOpening(early, new Date("2026-03-29T00:30:00Z"))).toEqual(new Date("2026-03-29T01:00:00Z"));
  expect(nextOpening(early, new Date("2026-10-24T23:30:00Z"))).toEqual(new Date("2026-10-25T00:00:00Z"));
});

test("time zones offset from UTC by part of an hour are right to the minute", () => {
  const delhi: Hours = { timezone: "Asia/Kolkata", from: 9, to: 17, days: [1, 2, 3, 4, 5, 6, 7] };
  expect(nextOpening(delhi, new Date("2026-05-01T01:10:00Z"))).toEqual(new Date("2026-05-01T03:30:00Z"));
  const nepal: Hours = { ...delhi, timezone: "Asia/Kathmandu" };
  expect(nextOpening(nepal, new Date("2026-05-01T01:10:00Z"))).toEqual(new Date("2026-05-01T03:15:00Z"));
});

test("closing at midnight works, and without open days no opening is promised", () => {
  const late: Hours = { timezone: "UTC", from: 0, to: 24, days: [3] };
  expect(isOpenAt(late, new Date("2026-01-14T23:59:59Z"))).toBe(true);
  expect(isOpenAt(late, new Date("2026-01-15T00:00:00Z"))).toBe(false);
  expect(nextOpening({ ...late, days: [] }, new Date("2026-01-14T12:00:00Z"))).toBeNull();
});
