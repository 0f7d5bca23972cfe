import { describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { LevelRow } from "@/contract/wire/desk/levels";
import type { OfferRow } from "@/contract/wire/desk/offers";
import { ok, toastSaying, visit } from "./browser";
import {
  asStaff,
  customerDetails,
  dialogNamed,
  figures,
  hostile,
  licenceDetails,
  operate,
  page,
  paymentDetails,
  pressInMenu,
  subscriptionDetails,
} from "./desk-answers";

const at = "2026-03-04T05:06:07.000Z";
const offer: OfferRow = {
  id: "month",
  name: "Month",
  amount: 499,
  currency: "usd",
  days: 30,
  devices: 1,
  recurring: null,
  level: "premium",
  hidden: true,
  state: "on_sale",
  created_at: at,
  retired_at: null,
};
const level: LevelRow = {
  id: "premium",
  name: hostile,
  place: 1,
  includes_before: true,
  contains: [],
  features: [],
  role: null,
  licences: 4,
  accounts: 3,
  offers: 1,
  is_first: false,
  from_order: false,
  created_at: at,
  retired_at: null,
};
const team: LevelRow = {
  ...level,
  id: "team",
  name: "Team",
  place: 2,
  contains: ["premium"],
  features: ["export"],
};

test("an owner adds a level, whose features are typed with commas between", async () => {
  const { user, sent } = visit("/desk/products/levels", {
    ...asStaff("owner"),
    "GET /api/desk/levels": page([level]),
    "POST /api/desk/levels": ok(level),
  });
  await screen.findByText("3 accounts");
  const typed = { Name: "Pro", Id: "pro", Features: "export, api" };
  const dialog = await operate(user, "New level", "New level", typed);
  dialog.getByText(/^Adds the level Pro, which offers can sell/);
  await toastSaying("Level added");
  expect(sent("POST /api/desk/levels")).toEqual([
    {
      name: "Pro",
      id: "pro",
      includes_before: true,
      features: ["export", "api"],
      role: null,
      reason: "Because",
    },
  ]);
});

test("whom a level concerns and who would lose a role is said before it is changed", async () => {
  const { user, named } = visit("/desk/products/levels", {
    ...asStaff("owner"),
    "GET /api/desk/levels": page([level, team]),
    "POST /api/desk/levels/team/change": ok({
      licences: 3,
      accounts: 2,
      offers: 1,
      role: { name: "Team", members: 12, losing: 9 },
    }),
  });
  await pressInMenu(user, "More for Team", "Change");
  const dialog = await dialogNamed("Change");
  dialog.getByText("4 active licenses of 3 accounts and 1 offer on sale have this level.");
  await user.type(dialog.getByLabelText("Discord role"), "123456789012345678");
  await dialog.findByText("12 members have Team, and 9 of them would lose it.");
  await user.click(dialog.getByLabelText(/^Take the role from members/));
  await user.click(dialog.getByLabelText("Includes the level before it"));
  await user.clear(dialog.getByLabelText("Features"));
  await user.click(dialog.getByRole("button", { name: "Change" }));
  await toastSaying("Team changed");
  const bodies = named("POST /api/desk/levels/team/change").map(({ body }) => body);
  expect(bodies.filter((body) => !(body as { preview?: true }).preview)).toEqual([
    {
      name: "Team",
      place: 2,
      includes_before: false,
      features: [],
      role: "123456789012345678",
      take_role: true,
    },
  ]);
});

test("with several levels an owner says which an offer sells", async () => {
  const { user, sent } = visit("/desk/products/offers", {
    ...asStaff("owner"),
    "GET /api/desk/levels": page([level, team]),
    "GET /api/desk/offers": page([offer]),
    "POST /api/desk/offers/month/change": ok(offer),
  });
  await screen.findByText("Month (hidden)");
  await pressInMenu(user, "More for Month", "Change");
  const dialog = await dialogNamed("Change");
  await user.selectOptions(dialog.getByLabelText("Level"), "Team");
  await user.click(dialog.getByLabelText("Hidden from every list"));
  await user.click(dialog.getByRole("button", { name: "Change" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/offers/month/change")).toMatchObject([{ level: "team", hidden: false }]),
  );
});

test("an owner gives a license another level, or the one that it was sold as", async () => {
  const { user, sent } = visit(`/desk/licences/${licenceDetails.id}`, {
    ...asStaff("owner"),
    "GET /api/desk/levels": page([level, team]),
    [`POST /api/desk/licences/${licenceDetails.id}/level`]: ok(licenceDetails),
  });
  await pressInMenu(user, "More operations", "Change level");
  const dialog = await dialogNamed("Change level");
  dialog.getByText(`${licenceDetails.key} of customer-1 has the level Wisp Premium.`);
  await user.selectOptions(dialog.getByLabelText("Level"), "Team");
  dialog.getByText(/the level Team, with its features and its role/);
  await user.type(dialog.getByLabelText("Reason"), "Ticket 12");
  await user.click(dialog.getByRole("button", { name: "Change level" }));
  await toastSaying("Level changed");
  await pressInMenu(user, "More operations", "Change level");
  const back = await dialogNamed("Change level");
  await user.selectOptions(back.getByLabelText("Level"), "As it was sold");
  await user.type(back.getByLabelText("Reason"), "Ticket 12");
  await user.click(back.getByRole("button", { name: "Change level" }));
  await waitFor(() =>
    expect(sent(`POST /api/desk/licences/${licenceDetails.id}/level`)).toEqual([
      { level: "team", reason: "Ticket 12" },
      { offer: true, reason: "Ticket 12" },
    ]),
  );
});

test("staff grant a hidden offer too, and with several levels say which", async () => {
  const { user, sent } = visit(`/desk/customers/${customerDetails.id}`, {
    ...asStaff("owner"),
    "GET /api/desk/levels": page([level, team]),
    "GET /api/desk/offers": page([
      { ...offer, state: "retired" },
      { ...offer, id: "friends", name: "Friends" },
    ]),
    [`POST /api/desk/customers/${customerDetails.id}/grant`]: ok(customerDetails),
  });
  await operate(user, "Grant a license", "Grant a license", { Offer: "Friends", Level: "Team" });
  await waitFor(() =>
    expect(sent(`POST /api/desk/customers/${customerDetails.id}/grant`)).toEqual([
      { offer: "friends", level: "team", reason: "Because" },
    ]),
  );
});

describe("the level of what was bought", () => {
  const several = { ...asStaff("owner"), "GET /api/desk/levels": page([level, team]) };
  const lists = [
    ["/desk/licences", "Licenses"],
    ["/desk/payments", "Payments"],
    ["/desk/customers", "Customers"],
  ] as const;
  for (const [path, name] of lists)
    test(`is a column of ${path} in a shop with several`, async () => {
      const { unmount } = visit(path, several);
      await screen.findByRole("columnheader", { name: "Level" });
      expect(within(screen.getByRole("grid", { name })).getAllByText("Wisp Premium").length).toBeGreaterThan(
        0,
      );
      unmount();
      visit(path, asStaff("owner"));
      await screen.findByRole("grid", { name });
      expect(screen.queryByRole("columnheader", { name: "Level" })).toBeNull();
    });

  const details = [
    [`/desk/licences/${licenceDetails.id}`, "License"],
    [`/desk/payments/${paymentDetails.id}`, "Order"],
    [`/desk/subscriptions/${subscriptionDetails.id}`, "Subscription"],
    [`/desk/customers/${customerDetails.id}`, "Account"],
  ] as const;
  for (const [path, card] of details)
    test(`is said on ${path.replace(/[^/]*$/, "ID")} in a shop with several`, async () => {
      const facts = async () => within(await screen.findByLabelText(card));
      const { unmount } = visit(path, several);
      const fact = (await (await facts()).findByText("Level")).parentElement;
      expect(fact?.textContent).toBe("LevelWisp Premium");
      unmount();
      visit(path, asStaff("owner"));
      expect((await facts()).queryByText("Level")).toBeNull();
    });
});

test("the figures of each level are beside the whole shop's, the lowest level first", async () => {
  const sums = { ...figures.totals, payments: 5 };
  const by_level = [
    { level: { id: "premium", name: "Pro" }, ...sums },
    { level: { id: "team", name: "Team" }, ...sums, orders: 2, gross: 9_000 },
  ];
  visit("/desk", { ...asStaff("owner"), "GET /api/desk/figures": ok({ ...figures, by_level }) });
  const [, pro, second] = within(await screen.findByRole("grid", { name: "By level" })).getAllByRole("row");
  expect(pro?.textContent).toStartWith("Pro");
  expect(second?.textContent).toContain("USD 90.00");
});
