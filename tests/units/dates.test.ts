import { expect, test } from "bun:test";
import { datesIn, isoDay, utcDay, utcStamp, utcTime } from "@/contract/vocabulary/dates";
import { fromNow } from "@/web/screens/desk/parts/dates";

const at = new Date("2026-12-23T16:05:00Z");

test("people read the day as `Dec 23, 2026` and the time beside it, in words that say whose time it is", () => {
  expect(utcDay(at)).toBe("Dec 23, 2026");
  expect(utcTime(at)).toBe("Dec 23, 2026 at 4:05 PM UTC");
  expect(datesIn("Asia/Tokyo").day(at)).toBe("Dec 24, 2026");
  expect(datesIn("Asia/Tokyo").clock(at)).toBe("1:05 AM");
  expect(datesIn("Asia/Tokyo").time(at)).toBe("Dec 24, 2026 at 1:05 AM");
  expect(datesIn("America/New_York").time(new Date("2026-03-01T05:00:00Z"))).toBe("Mar 1, 2026 at 12:00 AM");
});

test("the command line's times sort and say UTC", () => {
  expect(utcStamp(at)).toBe("2026-12-23 16:05 UTC");
  expect(isoDay(at)).toBe("2026-12-23");
});

test("days away are days of the calendar", () => {
  const now = new Date(2026, 10, 30, 13, 40);
  const said = (...at: [day: number, hour: number]) => fromNow(new Date(2026, 10, ...at), now);
  expect([said(30, 2), said(29, 15), said(29, 12), said(28, 21)]).toEqual([
    "11 hours ago",
    "22 hours ago",
    "yesterday",
    "2 days ago",
  ]);
  expect([said(31, 15), said(33, 23)]).toEqual(["tomorrow", "in 3 days"]);
});
