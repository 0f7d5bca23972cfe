import { beforeEach, expect, spyOn, test } from "bun:test";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { brand } from "@/brand/brand";
import { gallery } from "@/brand/gallery";
import { Gallery } from "@/web/screens/landing/gallery";

const captions = gallery.map(({ caption }) => caption);
let ticking: (() => void) | undefined;

// The test controls the gallery's clock: nothing waits, and no time passes by itself.
beforeEach(() => {
  const start = (tick: () => void, milliseconds: number) => {
    expect(milliseconds).toBe(40);
    ticking = tick;
    return 1;
  };
  // @ts-expect-error -- the timer's number is enough to stop it
  spyOn(globalThis, "setInterval").mockImplementation(start);
  spyOn(globalThis, "clearInterval").mockImplementation(() => void (ticking = undefined));
  motion("no-preference");
});
const matches = window.matchMedia.bind(window);
/** What the visitor's system says about motion. */
function motion(wish: "reduce" | "no-preference") {
  spyOn(window, "matchMedia").mockImplementation((query) =>
    query.includes("prefers-reduced-motion")
      ? Object.defineProperty(matches(query), "matches", { value: query.includes(wish) })
      : matches(query),
  );
}

const pass = (ticks: number) =>
  act(() => {
    for (let tick = 0; tick < ticks; tick++) ticking?.();
  });
const shown = () => document.querySelector("[data-shown=true] img")?.getAttribute("alt");
const altOf = (index: number) => gallery[index]?.alt;
const progress = () => document.querySelector("progress")?.value;
const carousel = () => screen.getByRole("region", { name: "Pictures" });

test("a picture stays for a hundred ticks of 40 ms, with visible progress", () => {
  render(<Gallery />);
  expect([shown(), progress()]).toEqual([altOf(0), 0]);
  pass(99);
  expect([shown(), progress()]).toEqual([altOf(0), 99]);
  pass(1);
  expect([shown(), progress()]).toEqual([altOf(1), 0]);
});

test("there are five pictures, and the last is followed by the first", () => {
  render(<Gallery />);
  expect(captions).toHaveLength(5);
  pass(400);
  expect(shown()).toBe(altOf(4));
  pass(100);
  expect(shown()).toBe(altOf(0));
});

test("it pauses while the pointer is over it, and continues from there", () => {
  render(<Gallery />);
  const stage = carousel();
  pass(60);
  fireEvent.mouseEnter(stage);
  pass(500);
  expect([shown(), progress()]).toEqual([altOf(0), 60]);
  fireEvent.mouseLeave(stage);
  pass(40);
  expect(shown()).toBe(altOf(1));
});

test("it pauses while anything in it has focus", () => {
  render(<Gallery />);
  act(() => screen.getByRole("button", { name: "Next picture" }).focus());
  pass(500);
  expect([shown(), progress()]).toEqual([altOf(0), 0]);
  act(() => screen.getByRole("button", { name: "Next picture" }).blur());
  pass(100);
  expect(shown()).toBe(altOf(1));
});

test("buttons and dots lead to any picture, wrapping around at both ends", () => {
  render(<Gallery />);
  fireEvent.click(screen.getByRole("button", { name: "Previous picture" }));
  expect(shown()).toBe(altOf(4));
  fireEvent.click(screen.getByRole("button", { name: "Next picture" }));
  expect(shown()).toBe(altOf(0));
  fireEvent.click(screen.getByRole("button", { name: `Show ${captions[2]}` }));
  expect(shown()).toBe(altOf(2));
  expect(screen.getByRole("button", { name: `Show ${captions[2]}` }).getAttribute("aria-current")).toBe(
    "true",
  );
});

test("Pause stops it, and Play resumes it", () => {
  render(<Gallery />);
  fireEvent.click(screen.getByRole("button", { name: "Pause" }));
  pass(500);
  expect(shown()).toBe(altOf(0));
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  pass(100);
  expect(shown()).toBe(altOf(1));
});

test("with reduced motion it advances only on request", () => {
  motion("reduce");
  render(<Gallery />);
  pass(500);
  expect(shown()).toBe(altOf(0));
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  pass(100);
  expect(shown()).toBe(altOf(1));
});

test("a swipe changes the picture, and scrolling past doesn't", () => {
  render(<Gallery />);
  const stage = document.querySelector(".gallery-stage");
  if (!stage) throw new Error("no stage");
  const swipe = (x: number, y: number) => {
    fireEvent.touchStart(stage, { touches: [{ clientX: 200, clientY: 200 }] });
    fireEvent.touchEnd(stage, { changedTouches: [{ clientX: 200 + x, clientY: 200 + y }] });
  };
  swipe(-90, 5);
  expect(shown()).toBe(altOf(1));
  swipe(-50, 300);
  expect(shown()).toBe(altOf(1));
  swipe(90, 5);
  expect(shown()).toBe(altOf(0));
});

test("it links to the video", () => {
  render(<Gallery />);
  expect(screen.getByRole("link", { name: /video/ }).getAttribute("href")).toBe(
    brand.links.video ?? "no video",
  );
});
