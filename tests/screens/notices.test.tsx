import { expect, test } from "bun:test";
import { act, screen } from "@testing-library/react";
import { toast } from "sonner";
import { noticeAreas, notify } from "@/web/page/notices";
import { toastSaying, visit } from "./browser";

const show: typeof notify = (...notice) => act(() => notify(...notice));
const given = (text: string) => toast.getToasts().find((one) => "title" in one && one.title === text);

test("a toast stays three seconds plus 25 ms per character", async () => {
  expect(noticeAreas.site.duration("")).toBe(3_000);
  expect(noticeAreas.site.duration("x".repeat(40))).toBe(4_000);
  visit("/login");
  show("info", "Twenty letters long!");
  await toastSaying("Twenty letters long!");
  expect(given("Twenty letters long!")).toMatchObject({ duration: 3_500, toasterId: "site", type: "info" });
});

test("in the account area it stays five seconds, bottom left", async () => {
  visit("/login");
  show("success", "Reset", "account");
  const { xPosition, yPosition } = (await toastSaying("Reset")).dataset;
  expect(given("Reset")).toMatchObject({ duration: 5_000, toasterId: "account" });
  expect([yPosition, xPosition]).toEqual(["bottom", "left"]);
});

test("elsewhere it is at the bottom right", async () => {
  visit("/login");
  show("error", "Oh");
  const { xPosition, yPosition } = (await toastSaying("Oh")).dataset;
  expect([yPosition, xPosition]).toEqual(["bottom", "right"]);
});

test("the account area shows three toasts at once", async () => {
  visit("/login");
  for (const text of ["one", "two", "three", "four"]) show("info", text, "account");
  await toastSaying("four");
  const seen = [...document.querySelectorAll("[data-sonner-toast][data-visible=true]")];
  expect(seen.map((one) => one.textContent)).toEqual(["four", "three", "two"]);
});

test("a notice before the toasts' code has loaded is not lost, and a repeated one is shown once", async () => {
  notify("warning", "Early");
  notify("warning", "Early");
  visit("/login");
  await toastSaying("Early");
  show("warning", "Early");
  expect(screen.getAllByText("Early")).toHaveLength(1);
});

test("a success ends the errors of its area, and no others", async () => {
  visit("/login");
  show("error", "That code is wrong", "account");
  show("error", "The shop is away");
  await toastSaying("That code is wrong");
  await toastSaying("The shop is away");
  show("info", "Not yet", "account");
  await toastSaying("Not yet");
  expect(given("That code is wrong")).toBeDefined();
  show("success", "Enabled", "account");
  await toastSaying("Enabled");
  expect(["That code is wrong", "The shop is away", "Not yet"].map(given).map(Boolean)).toEqual([
    false,
    true,
    true,
  ]);
});

test("on a phone every area is at the top, and at the bottom once the window is 640 px wide", async () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  const before = innerWidth;
  happyDOM.setViewport({ width: 639 });
  try {
    visit("/login");
    for (const area of ["site", "account", "recovery"] as const) show("info", `in ${area}`, area);
    const places = async () => {
      const shown = await Promise.all(
        ["site", "account", "recovery"].map((area) => toastSaying(`in ${area}`)),
      );
      return shown.map(({ dataset }) => dataset.yPosition);
    };
    expect(await places()).toEqual(["top", "top", "top"]);
    act(() => happyDOM.setViewport({ width: 640 }));
    expect(await places()).toEqual(["bottom", "bottom", "bottom"]);
  } finally {
    happyDOM.setViewport({ width: before });
  }
});
