import { expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { ImportFile, ImportPreview } from "@/contract/wire/desk/imports";
import type { DeskJob } from "@/contract/wire/desk/jobs";
import { ok, visit } from "./browser";
import { asStaff, hostile, idOf, press } from "./desk-answers";

const at = "2026-03-04T05:06:07.000Z";
const file: ImportFile = {
  id: idOf(30),
  what: "customers",
  format: "CSV with commas, UTF-8",
  lines: 3,
  columns: ["Mail", "username", hostile],
  fields: [
    { name: "username", required: false, column: "username" },
    { name: "email", required: true, column: null },
  ],
  kept_until: at,
};
const lines = { new: 1, changed: 1, merged: 0, left_out: 0, refused: 1 };
const preview: ImportPreview = {
  total: 3,
  unit: "line",
  lines,
  over: 1,
  ignored: [hostile],
  levels: [],
  known_levels: [],
  sample: [
    { line: 2, outcome: "new", name: "ada", sentence: null },
    { line: 3, outcome: "changed", name: hostile, sentence: "its 0.5 days become 1" },
    { line: 4, outcome: "refused", name: null, sentence: "email must be an address" },
  ],
};
const job: DeskJob = {
  id: file.id,
  action: "import_customers",
  by: { id: idOf(11), name: "olga" },
  done: 3,
  total: 3,
  refused: [],
  refused_total: 1,
  lines,
  created_at: at,
  cancelled_at: null,
  finished_at: at,
  keys_until: null,
  result_until: at,
};

test("an owner chooses a file and its columns, sees what becomes of each line, and follows the job", async () => {
  const { user, sent } = visit("/desk/settings/import?what=customers", {
    ...asStaff("owner"),
    "PUT /api/desk/imports/customers": ok(file),
    [`GET /api/desk/jobs/${job.id}`]: ok(job),
    [`POST /api/desk/imports/${file.id}`]: ({ body }) =>
      Response.json({ status: 200, data: (body as { preview?: true }).preview ? preview : { job: job.id } }),
  });
  await user.upload(await screen.findByLabelText("File"), new File(["Mail,username"], "people.csv"));
  await screen.findByText("people.csv");
  screen.getByText("CSV with commas, UTF-8, 3 lines");
  await user.type(screen.getByLabelText("Reason"), "Moving in");
  await press(user, "Preview");
  screen.getByText("Choose the column that has it");
  await user.selectOptions(screen.getByLabelText("Email"), "Mail");
  await user.click(screen.getByRole("checkbox", { name: /^Link Discord ids/ }));
  await press(user, "Preview");
  const refused = within(await screen.findByRole("region", { name: "Refused" }));
  refused.getByText("Line 4");
  refused.getByText("email must be an address");
  screen.getByText("1 license is over already.");
  await press(user, "Import 2 customers");
  await screen.findByRole("heading", { name: "Import customers" });
  screen.getByText("3 of 3 lines done, 1 of them refused.");
  expect(screen.getByRole("link", { name: "Download the result" }).getAttribute("href")).toBe(
    `/api/desk/jobs/${job.id}/result.csv`,
  );
  const order = {
    columns: { username: "username", email: "Mail" },
    link_anyway: true,
    unconfirmed: false,
    reason: "Moving in",
  };
  await waitFor(() =>
    expect(sent(`POST /api/desk/imports/${file.id}`)).toEqual([{ ...order, preview: true }, order]),
  );
});

test("words that name no level are asked for, and their lines are previewed again", async () => {
  const levels = [
    { word: "VIP", level: null },
    { word: "pro", level: "pro" },
  ];
  const answer = { ...preview, levels, known_levels: [{ id: "pro", name: "Pro" }] };
  const { user, sent } = visit("/desk/settings/import?what=customers", {
    ...asStaff("owner"),
    "PUT /api/desk/imports/customers": ok(file),
    [`POST /api/desk/imports/${file.id}`]: ok(answer),
  });
  await user.upload(await screen.findByLabelText("File"), new File(["Mail,username"], "people.csv"));
  await user.type(await screen.findByLabelText("Reason"), "Moving in");
  await user.selectOptions(screen.getByLabelText("Email"), "Mail");
  await press(user, "Preview");
  await user.selectOptions(await screen.findByLabelText("VIP"), "Pro");
  expect(screen.queryByLabelText("pro")).toBeNull();
  await press(user, "Preview again");
  await waitFor(() =>
    expect(sent(`POST /api/desk/imports/${file.id}`)[1]).toMatchObject({
      preview: true,
      levels: { VIP: "pro" },
    }),
  );
});

test("a file that is too large is refused before it is sent", async () => {
  const { user, named } = visit("/desk/settings/import", asStaff("owner"));
  const large = new File([new Uint8Array(2 * 1024 * 1024 + 1)], "keys.csv");
  await user.upload(await screen.findByLabelText("File"), large);
  await screen.findByText(/^That file is larger than 2 MB\./);
  expect(named("PUT /api/desk/imports/keys")).toEqual([]);
});

test("support finds no import", async () => {
  visit("/desk/settings/import", asStaff("support"));
  await screen.findByRole("heading", { name: "Page does not exist" });
});
