import { expect, spyOn, test } from "bun:test";
import { minute, second } from "@/contract/vocabulary/time";
import { isTouched, watchTouches, onTouchAfterPause, pollWhileTouched } from "@/web/api/desk/presence";

test("a page of the desk that nobody touched for five minutes asks nothing by itself, until the next touch", () => {
  const began = Date.now();
  const now = spyOn(Date, "now").mockReturnValue(began);
  let returned = 0;
  const ends = [watchTouches(), onTouchAfterPause(() => (returned += 1))];
  const often = pollWhileTouched(second);
  expect(often()).toBe(second);
  now.mockReturnValue(began + 5 * minute - 1);
  expect([isTouched(), often()]).toEqual([true, second]);
  now.mockReturnValue(began + 5 * minute);
  expect([isTouched(), often()]).toEqual([false, false]);
  dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
  expect([isTouched(), often(), returned]).toEqual([true, second, 1]);
  dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
  expect(returned).toBe(1);
  for (const end of ends) end();
});
