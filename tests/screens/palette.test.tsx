import { expect, spyOn, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { commands } from "@/brand/commands";
import { search } from "@/web/screens/dashboard/palette/targets";
import { ada, asAda, ok, toastSaying, visit } from "./browser";

const named = { name: "Search pages and commands" };

/** The palette as Ctrl K opens it on the dashboard. */
async function openPalette(answers = asAda) {
  const page = visit("/dashboard", answers);
  await screen.findByText("Online");
  await page.user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole<HTMLInputElement>("combobox", named);
  return { ...page, field };
}

const options = () => screen.getAllByRole("option");
const active = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-activedescendant") ?? "")?.textContent;

test("Ctrl K and Cmd K open and close it", async () => {
  const { user } = await openPalette();
  for (const keys of ["{Meta>}k{/Meta}", "{Meta>}k{/Meta}", "{Control>}k{/Control}"]) {
    const before = screen.queryAllByRole("combobox").length;
    await user.keyboard(keys);
    await waitFor(() => expect(screen.queryAllByRole("combobox")).toHaveLength(1 - before));
  }
});

test("a button opens it too, and Escape closes it", async () => {
  const { user } = visit("/dashboard", asAda);
  await user.click(await screen.findByRole("button", { name: /^Search/ }));
  const dialog = await screen.findByRole<HTMLDialogElement>("dialog", named);
  act(() => dialog.close());
  await waitFor(() => expect(screen.queryByRole("dialog", named)).toBeNull());
});

test("the field has focus, and what one can do is listed before anything is typed, pages as typed", async () => {
  const { user, field } = await openPalette();
  expect(field.getAttribute("aria-controls")).toBe(screen.getByRole("listbox").id);
  const groups = () => screen.getAllByRole("group").map((group) => group.querySelector("p")?.textContent);
  expect(groups()).toEqual(["Actions", "Appearance"]);
  expect(active(field)).toBe("Copy tokenPaste your token into Wisp");
  await user.type(field, "down");
  expect(groups()[0]).toBe("Pages");
  expect(active(field)).toBe("DownloadMain");
});

test("the arrow keys cycle through the list while the field keeps focus", async () => {
  const { user, field } = await openPalette();
  await user.type(field, "play");
  const first = active(field);
  await user.keyboard("{ArrowDown}");
  expect(active(field)).toBe(options()[1]?.textContent);
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(active(field)).toBe(options().at(-1)?.textContent);
  await user.keyboard("{ArrowDown}");
  expect(active(field)).toBe(first);
  expect(field.value).toBe("play");
});

test("Enter goes to the page", async () => {
  const { user, field } = await openPalette({ ...asAda, "GET /api/licenses/me": ok([]) });
  await user.type(field, "licen{Enter}");
  await screen.findByRole("heading", { name: "License" });
  expect(location.pathname).toBe("/dashboard/license");
  expect(screen.queryByRole("combobox")).toBeNull();
});

test("a command links to its line in the catalogue, and clicking works like Enter", async () => {
  const { user, field } = await openPalette();
  await user.type(field, "purge");
  const group = within(screen.getByRole("group", { name: "Commands" }));
  await user.click(group.getByText("purge", { exact: true }));
  await waitFor(() => expect(location.pathname + location.hash).toBe("/commands#purge"));
});

test("another site opens in a new tab", async () => {
  const { user, field } = await openPalette();
  const open = spyOn(globalThis, "open").mockImplementation(() => null);
  await user.type(field, "documentation{Enter}");
  expect(open).toHaveBeenCalledWith(expect.stringContaining("docs"), "_blank", "noreferrer");
});

test("a locked page is found, says why, and links nowhere", async () => {
  const { user, field } = await openPalette({
    ...asAda,
    "GET /api/user/me": ok({ ...ada, active_license: false }),
  });
  await user.type(field, "download");
  expect(options()[0]?.getAttribute("aria-disabled")).toBe("true");
  await user.keyboard("{Enter}");
  await toastSaying("You must have an active license to visit the download page");
  expect(location.pathname).toBe("/dashboard");
});

test("an empty result says so", async () => {
  const { user, field } = await openPalette();
  await user.type(field, "zzzz");
  screen.getByText("No results found.");
  expect(field.hasAttribute("aria-activedescendant")).toBe(false);
  await user.keyboard("{ArrowDown}{Enter}");
  expect(location.pathname).toBe("/dashboard");
});

test("what settings hold is found by its own words", () => {
  const pagesFor = (typed: string) =>
    search(typed, ada).flatMap(({ heading, targets }) =>
      heading === "Pages" ? targets.map(({ to }) => to) : [],
    );
  expect(pagesFor("two-factor")).toEqual(["/dashboard/account"]);
  expect(pagesFor("sessions")).toEqual(["/dashboard/settings#security"]);
  expect(pagesFor("delete account")).toEqual(["/dashboard/settings#data"]);
});

test("every command can be found by its name, ahead of those that only mention it", () => {
  for (const name of Object.values(commands).flatMap((group) => Object.keys(group))) {
    const found = search(name, ada).find(({ heading }) => heading === "Commands")?.targets ?? [];
    expect([name, found.some((target) => target.name === name)]).toEqual([name, true]);
    const holding = found.map((target) => target.name.includes(name));
    expect([name, holding]).toEqual([name, holding.toSorted((a, b) => Number(b) - Number(a))]);
  }
});
