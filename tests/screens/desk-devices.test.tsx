import { expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import type { CustomerDetails } from "@/contract/wire/desk/details";
import { day } from "@/contract/vocabulary/time";
import { ok, toastSaying, visit } from "./browser";
import { asStaff, customerDetails, licenceDetails, pressInMenu } from "./desk-answers";

const at = new Date(Date.now() - day).toISOString();
const later = new Date(Date.now() + 9 * day).toISOString();

const desktop: CustomerDetails["devices"][number] = {
  id: "desktop",
  label: "Desktop",
  os: "Windows 11",
  version: "2.4.0",
  active: true,
  first_seen_at: at,
  last_seen_at: at,
  deactivated_at: null,
  removable_at: null,
  offline_until: null,
};
const devices = [
  desktop,
  { ...desktop, id: "out", label: "Signed-out one", deactivated_at: at },
  { ...desktop, id: "old", label: "Old one", active: false },
  { ...desktop, id: "lab", label: "Lab", version: null, offline_until: later, removable_at: later },
];

const customer = `/desk/customers/${customerDetails.id}`;
const reset = `POST /api/desk/customers/${customerDetails.id}/reset-device`;
const answers = {
  ...asStaff("support"),
  [`GET /api/desk/customers/${customerDetails.id}`]: ok({ ...customerDetails, devices }),
};

test("a customer's page says what each computer is: in use, deactivated, without a seat, or offline", async () => {
  visit(customer, answers);
  const card = within(await screen.findByRole("region", { name: "Devices" }));
  const rowOf = (name: string) => card.getByText(name).closest("[role=row], tr")?.textContent ?? "";
  expect(rowOf("Desktop")).toContain("In use");
  expect(rowOf("Signed-out one")).toContain("Deactivated");
  expect(rowOf("Old one")).toContain("No seat left");
  expect(rowOf("Lab")).toMatch(/Offline file.*in \d+ days/);
});

test("staff remove one of several computers, and are told of a file that keeps working", async () => {
  const { user, sent } = visit(customer, { ...answers, [reset]: ok(customerDetails) });
  await user.click(await screen.findByRole("button", { name: "Remove device" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Remove device" }));
  dialog.getByText(
    /^Removes 4 computers from customer-1's account\. .* An offline license file keeps working/,
  );
  await user.selectOptions(dialog.getByLabelText("Computer"), "Lab (Windows 11)");
  dialog.getByText(/^Removes Lab from customer-1's account\. .* until it expires\.$/);
  await user.selectOptions(dialog.getByLabelText("Computer"), "Desktop (Windows 11)");
  dialog.getByText(/^Removes Desktop from .* activated again\.$/);
  await user.type(dialog.getByLabelText("Reason"), "Sold it");
  await user.click(dialog.getByRole("button", { name: "Remove device" }));
  await toastSaying("customer-1 can use another computer now");
  expect(sent(reset)).toEqual([{ device: "desktop", reason: "Sold it" }]);
});

test("an owner changes on how many computers a licence may be used", async () => {
  const verb = `POST /api/desk/licences/${licenceDetails.id}/devices`;
  const { user, sent } = visit(`/desk/licences/${licenceDetails.id}`, {
    ...asStaff(),
    [verb]: ok(licenceDetails),
  });
  await pressInMenu(user, "More operations", "Change computers");
  const dialog = within(await screen.findByRole("dialog", { name: "Change computers" }));
  const number = dialog.getByLabelText<HTMLInputElement>("Computers");
  expect(number.value).toBe("1");
  await user.clear(number);
  await user.type(number, "1001");
  await user.type(dialog.getByLabelText("Reason"), "A studio");
  await user.click(dialog.getByRole("button", { name: "Change computers" }));
  dialog.getByText("Enter a whole number from 1 to 1,000");
  await user.clear(number);
  await user.type(number, "3");
  dialog.getByText(/ be used on 3 computers at a time instead of 1\.$/);
  await user.click(dialog.getByRole("button", { name: "Change computers" }));
  await toastSaying("Number of computers changed");
  expect(sent(verb)).toEqual([{ number: 3, reason: "A studio" }]);
});
