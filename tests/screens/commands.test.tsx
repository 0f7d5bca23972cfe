import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { commands } from "@/brand/commands";
import { visit } from "./browser";

const groups = "abusive admin backup code fun help image nix porn text tools trolling user voice".split(" ");
const lines = () => [...document.querySelectorAll("main li")].map((line) => line.textContent);
const descriptions = Object.values(commands).flatMap((group) => Object.values<string>(group));

async function open(path = "/commands") {
  const page = visit(path);
  await screen.findByRole("heading", { level: 1, name: "All Wisp Selfbot Premium Commands" });
  return { ...page, search: screen.getByRole("searchbox") };
}

test("the catalogue has more than 250 commands in fourteen groups, with no name repeated", async () => {
  const names = Object.values(commands).flatMap((group) => Object.keys(group));
  expect(Object.keys(commands)).toEqual(groups);
  expect(names.length).toBeGreaterThanOrEqual(250);
  expect(new Set(names).size).toBe(names.length);
});

test("120 of them are in the free edition, as the product's card says", () => {
  expect(descriptions.filter((text) => !text.endsWith("(Premium)"))).toHaveLength(120);
});

test("groups have headings, and a line is 'name: description'", async () => {
  await open();
  const headings = screen.getAllByRole("heading", { level: 2 });
  expect(headings.map((heading) => heading.firstChild?.textContent)).toEqual(groups);
  expect(headings.every((heading) => heading.className.includes("capitalize"))).toBe(true);
  expect(lines()).toContain("purge: Removes your last messages in a channel, 100 at most");
});

test("their number is said, and the product is a link away", async () => {
  await open();
  screen.getByText(`${descriptions.length} commands`);
  const get = within(screen.getByRole("main")).getByRole("link", { name: "Get Wisp" });
  expect(get.getAttribute("href")).toBe("/#get");
  expect(get.parentElement?.textContent).toContain("$5");
});

test("the page starts at the top, and each command has its own link", async () => {
  window.scrollTo(0, 500);
  await open();
  await waitFor(() => expect(window.scrollY).toBe(0));
  expect(screen.getByRole("link", { name: "purge" }).getAttribute("href")).toBe("#purge");
  expect(document.getElementById("purge")?.textContent).toStartWith("purge: ");
});

test("typing filters at once by name, description and group", async () => {
  const { user, search } = await open();
  await user.type(search, "REMOVES link");
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(lines()[0]).toStartWith("purgelinks: ");
  await user.clear(search);
  await user.type(search, "no such thing");
  await screen.findByText("No matching commands.");
  await user.click(screen.getByRole("button", { name: "Show all commands" }));
  await waitFor(() => expect(lines().length).toBe(descriptions.length));
});

test("the slash key focuses the search, but types a slash in a field", async () => {
  const { user, search } = await open();
  await user.keyboard("/");
  expect(document.activeElement).toBe(search);
  expect(search).toHaveProperty("value", "");
  await user.keyboard("a/b");
  expect(search).toHaveProperty("value", "a/b");
});

test("a group's chip shows only that group", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "voice" }));
  await waitFor(() => expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(1));
  expect(lines()).toHaveLength(Object.keys(commands.voice ?? {}).length);
  expect(screen.getByRole("button", { name: "voice" }).getAttribute("aria-pressed")).toBe("true");
  await user.click(screen.getByRole("button", { name: "all" }));
  await waitFor(() => expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(14));
});

test("the footer credits the authors, with the year and the site's name", async () => {
  await open();
  const { textContent } = screen.getByRole("contentinfo");
  for (const part of ["written and maintained by", "2024", "Wisp Selfbot"])
    expect(textContent).toContain(part);
});
