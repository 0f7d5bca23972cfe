import { expect, test } from "bun:test";
import { datesIn, isoDay, utcDay, utcStamp, utcTime } from "@/contract/vocabulary/dates";

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
