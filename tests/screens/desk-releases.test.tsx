import { expect, test } from "bun:test";
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ReleaseRow, Upload } from "@/contract/wire/desk/releases";
import { type Answers, ok, refused, silence, toastSaying, unreachable, visit } from "./browser";
import { asStaff, hostile, page, pressInMenu } from "./desk-answers";

const at = "2026-03-04T05:06:07.000Z";
const release: ReleaseRow = {
  id: "01a1fd74-495b-730b-a5fe-000000000001",
  version: "2.0.0",
  channel: "latest",
  title: hostile,
  content: hostile,
  rollout: 100,
  minimum_version: "1.4.0",
  own_key: false,
  published_at: at,
  yanked_at: null,
  current: true,
  builds: [{ platform: "win_exe", name: "wisp-2.0.0.exe", size: 10, sha256: "0".repeat(64) }],
};
const yanked: ReleaseRow = { ...release, id: "2", version: "1.9.0", current: false, yanked_at: at };

/** Three parts of four bytes, the last of two. */
const content = "0123456789";
const sha256Of = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const file = (text = content, name = "wisp-2.1.0.exe") => new File([text], name);

const upload = (received = 0, state: Upload["state"] = "sending"): Upload => ({
  id: "up-1",
  state,
  version: "2.1.0",
  channel: "beta",
  title: "Faster",
  content: "",
  rollout: 25,
  minimum_version: null,
  keep: [],
  tell: false,
  part_bytes: 4,
  received,
  files: [
    {
      name: "wisp-2.1.0.exe",
      platform: "win_exe",
      size: content.length,
      sha256: sha256Of(content),
    },
  ],
  stored: state === "publishing" ? { bytes: 5, of: 20 } : null,
  refusal: null,
  created_at: at,
  expires_at: "2099-01-01T00:00:00.000Z",
});

/** A shop that takes parts of one upload, and publishes it when asked. */
function uploading(begun: Upload) {
  let now = begun;
  const parts = new Map<number, string>();
  const take = (part: number) => async (call: { body: unknown }) => {
    parts.set(part, String(call.body));
    now = upload(Math.min(4 * (part + 1), content.length), now.state);
    return Response.json({ status: 200, data: { received: now.received } });
  };
  const answered = (data: unknown) => Response.json({ status: 200, data });
  const answers: Answers = {
    ...asStaff(),
    "GET /api/desk/releases": page([release, yanked]),
    "GET /api/desk/releases/uploads": () =>
      answered({ rows: now.state === "published" ? [] : [now], next: null }),
    "GET /api/desk/releases/uploads/up-1": () => answered(now),
    "POST /api/desk/releases/uploads": () => answered(now),
    "POST /api/desk/releases/uploads/up-1/finish": () => answered((now = upload(10, "published"))),
    ...Object.fromEntries(
      [0, 1, 2].map((part) => [`PUT /api/desk/releases/uploads/up-1/parts/${part}`, take(part)]),
    ),
  };
  return { parts, answers };
}

const putName = (part: number) => `PUT /api/desk/releases/uploads/up-1/parts/${part}`;
const press = (user: ReturnType<typeof visit>["user"], name: string) =>
  screen.findByRole("button", { name }).then((button) => user.click(button));
const choose = async (label: string, ...files: File[]) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { files } });
const card = () => screen.findByRole("region", { name: "Upload of 2.1.0" });

async function write(user: ReturnType<typeof visit>["user"]) {
  await choose("Files of the release", file());
  await user.type(screen.getByLabelText("Version"), "2.1.0");
  await user.selectOptions(screen.getByLabelText("Channel"), "beta");
  await user.clear(screen.getByLabelText("Rollout in percent"));
  await user.type(screen.getByLabelText("Rollout in percent"), "25");
  await user.type(screen.getByLabelText("Title of the notes"), "Faster");
}

async function confirmPublishing(user: ReturnType<typeof visit>["user"]) {
  await press(user, "Publish…");
  const dialog = within(await screen.findByRole("dialog", { name: "Publish release" }));
  await user.type(dialog.getByLabelText("Reason"), "The beta begins");
  await user.click(dialog.getByRole("button", { name: "Publish release" }));
  return dialog;
}

test("a release is sent part by part, and published by itself", async () => {
  const shop = uploading(upload());
  const { user, named, sent } = visit("/desk/products/releases/new", shop.answers);
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await user.type(screen.getByLabelText("Notes"), hostile);
  within(screen.getByRole("region", { name: "Preview" })).getByText(hostile);
  const dialog = await confirmPublishing(user);
  dialog.getByText("Uploads 1 file (10 bytes), then offers 2.1.0 to 25% of computers on Beta.");
  await waitFor(() => expect(named("POST /api/desk/releases/uploads/up-1/finish")).toHaveLength(1));
  expect(sent("POST /api/desk/releases/uploads")).toEqual([
    {
      version: "2.1.0",
      channel: "beta",
      title: "Faster",
      content: hostile,
      rollout: 25,
      keep: [],
      tell: false,
      files: [{ name: "wisp-2.1.0.exe", size: 10, sha256: sha256Of(content) }],
      reason: "The beta begins",
    },
  ]);
  expect([...shop.parts]).toEqual([
    [0, "0123"],
    [1, "4567"],
    [2, "89"],
  ]);
  expect(named("POST /api/desk/releases/uploads/up-1/finish")[0]?.body).toEqual({
    reason: "The beta begins",
  });
  await waitFor(() => expect(location.pathname).toBe("/desk/products/releases"));
});

test("a folder that a maker left is chosen whole: its builds are sent, and what is none is named", async () => {
  const shop = uploading(upload());
  const { user, named } = visit("/desk/products/releases/new", {
    ...shop.answers,
    [putName(0)]: silence,
  });
  const inFolder = (path: string) => {
    const made = new File([content], path.split("/").at(-1) ?? "");
    return Object.defineProperty(made, "webkitRelativePath", { value: `dist/${path}` });
  };
  const left = [
    "latest.yml",
    "builder-debug.yml",
    ".DS_Store",
    "my-app_2.1.0_amd64.snap",
    "My App-2.1.0-win.7z",
  ];
  left.push("My App Setup 2.1.0.exe.blockmap", "win-unpacked/My App.exe", "win-unpacked/locales/de.pak");
  const builds = ["My App Setup 2.1.0.exe", "My App-2.1.0-arm64.dmg"];
  await choose("Folder of the release", ...[...left, ...builds].map(inFolder));
  await waitFor(() => expect(screen.getAllByText(`SHA-256 ${sha256Of(content)}`)).toHaveLength(2));
  screen.getByText(
    "Skipped, because they aren't builds: latest.yml, builder-debug.yml, my-app_2.1.0_amd64.snap, My App-2.1.0-win.7z, " +
      "My App Setup 2.1.0.exe.blockmap, win-unpacked/",
  );
  await user.type(screen.getByLabelText("Version"), "2.1.0");
  await user.type(screen.getByLabelText("Title of the notes"), "Faster");
  await confirmPublishing(user);
  await waitFor(() => expect(named("POST /api/desk/releases/uploads")).toHaveLength(1));
  expect(named("POST /api/desk/releases/uploads")[0]?.body).toMatchObject({
    files: builds.map((name) => ({ name })),
  });
});

test("a release that the shop refuses stays written, with the shop's sentence", async () => {
  const shop = uploading(upload());
  const { user } = visit("/desk/products/releases/new", {
    ...shop.answers,
    "POST /api/desk/releases/uploads": refused(409, "That version was published before", {
      code: "release_exists",
    }),
  });
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  const dialog = await confirmPublishing(user);
  await dialog.findByText("That version was published before");
  expect(shop.parts.size).toBe(0);
  await user.keyboard("{Escape}");
  expect(screen.getByLabelText<HTMLInputElement>("Version").value).toBe("2.1.0");
});

test("over a lost line an upload waits, and continues with what is missing once the line is back", async () => {
  const shop = uploading(upload());
  const take = shop.answers[putName(1)];
  const { user, answers, named } = visit("/desk/products/releases/new", {
    ...shop.answers,
    [putName(1)]: unreachable,
  });
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await confirmPublishing(user);
  await within(await card()).findByText("Waiting, continues automatically");
  screen.getByText("Keep this page open until the upload finishes. If you leave, you have to start over.");
  expect([...shop.parts.keys()]).toEqual([0]);
  if (take) answers[putName(1)] = take;
  dispatchEvent(new Event("online"));
  await waitFor(() => expect(named("POST /api/desk/releases/uploads/up-1/finish")).toHaveLength(1));
  expect([...shop.parts.keys()]).toEqual([0, 1, 2]);
  expect(named(putName(0))).toHaveLength(1);
});

test("a part whose answer was lost is sent again, and the shop says what it has", async () => {
  const shop = uploading(upload());
  const take = shop.answers[putName(0)] ?? unreachable;
  let lost = false;
  const { user, named } = visit("/desk/products/releases/new", {
    ...shop.answers,
    [putName(0)]: async (call, answers) => {
      const answer = await take(call, answers);
      if (lost) return answer;
      lost = true;
      throw new TypeError("the line is lost");
    },
  });
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await confirmPublishing(user);
  await waitFor(() => expect(named("POST /api/desk/releases/uploads/up-1/finish")).toHaveLength(1));
  expect([0, 1, 2].map((part) => named(putName(part)).length)).toEqual([2, 1, 1]);
});

test("an upload that the page left behind can be cancelled, and one that has arrived published", async () => {
  const shop = uploading(upload(4));
  const { user } = visit("/desk/products/releases", shop.answers);
  const shown = within(await card());
  shown.getByText("Not uploading from this page");
  expect(shown.getByRole<HTMLProgressElement>("progressbar", { name: "Uploaded" }).value).toBe(4);
  shown.getByRole("button", { name: "Cancel upload 2.1.0" });
  expect(shown.queryByRole("button", { name: "Publish 2.1.0" })).toBeNull();
  cleanup();
  visit("/desk/products/releases", uploading(upload(10)).answers);
  await within(await card()).findByText("Upload complete");
  await press(user, "Publish 2.1.0");
  const dialog = within(await screen.findByRole("dialog", { name: "Publish" }));
  dialog.getByText("Offers 2.1.0 to 25% of computers on Beta.");
  await user.type(dialog.getByLabelText("Reason"), "The beta begins");
  await user.click(dialog.getByRole("button", { name: "Publish" }));
  await toastSaying("2.1.0 is published");
  await waitFor(() => expect(screen.queryByRole("region", { name: "Upload of 2.1.0" })).toBeNull());
});

test("a part that the shop refuses stops the upload with the shop's sentence", async () => {
  const { user, named } = visit("/desk/products/releases/new", {
    ...uploading(upload()).answers,
    [putName(0)]: refused(409, "That upload has ended, or is being published", { code: "upload_over" }),
  });
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await confirmPublishing(user);
  await screen.findByText("That upload has ended, or is being published");
  await within(await card()).findByText("Stopped");
  expect(named(putName(0))).toHaveLength(1);
});

test("an upload that the shop refused says why, and can be cancelled", async () => {
  const refusal = { code: "release_invalid", sentence: `${hostile} has no signature that fits` };
  const shop = uploading({ ...upload(10, "refused"), refusal });
  const { user, sent } = visit("/desk/products/releases", {
    ...shop.answers,
    "POST /api/desk/releases/uploads/up-1/cancel": ok(upload(10, "cancelled")),
  });
  const shown = within(await card());
  shown.getByText(refusal.sentence);
  shown.getByRole("button", { name: "Publish 2.1.0" });
  await press(user, "Cancel upload 2.1.0");
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel upload" }));
  await user.type(dialog.getByLabelText("Reason"), "Signed with a wrong key");
  await user.click(dialog.getByRole("button", { name: "Cancel upload" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/releases/uploads/up-1/cancel")).toEqual([
      { reason: "Signed with a wrong key" },
    ]),
  );
});

test("while the shop stores an upload, the card says how far it is and offers nothing", async () => {
  visit("/desk/products/releases", uploading(upload(10, "publishing")).answers);
  const shown = within(await card());
  const bar = shown.getByRole<HTMLProgressElement>("progressbar", { name: "Published" });
  expect([bar.value, bar.max]).toEqual([5, 20]);
  expect(shown.queryAllByRole("button")).toEqual([]);
});

test("a release's rollout is changed, and a yanked one offers nothing more", async () => {
  const { user, sent } = visit("/desk/products/releases", {
    ...uploading(upload(10, "published")).answers,
    "POST /api/desk/releases/2.0.0/rollout": ok({ ...release, rollout: 50 }),
  });
  await pressInMenu(user, "More for 2.0.0", "Rollout");
  expect(screen.queryByRole("button", { name: "More for 1.9.0" })).toBeNull();
  const dialog = within(await screen.findByRole("dialog", { name: "Rollout" }));
  const share = dialog.getByLabelText("Percent of computers");
  await user.clear(share);
  await user.type(share, "50");
  dialog.getByText(
    "Offers 2.0.0 to 50% of computers instead of 100%. Computers that already have it keep it.",
  );
  await user.type(dialog.getByLabelText("Reason"), "Half first");
  await user.click(dialog.getByRole("button", { name: "Rollout" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/releases/2.0.0/rollout")).toEqual([{ rollout: 50, reason: "Half first" }]),
  );
});

for (const role of ["support", "viewer"] as const)
  test(`${role} reads the releases, and is shown neither uploads nor what may be done`, async () => {
    const { named } = visit("/desk/products/releases", {
      ...uploading(upload()).answers,
      ...asStaff(role),
    });
    const grid = within(await screen.findByRole("grid"));
    grid.getAllByText(hostile);
    expect(document.querySelector("img[src=x]")).toBeNull();
    expect(grid.queryAllByRole("button")).toEqual([]);
    expect(screen.queryByRole("link", { name: "Publish a release" })).toBeNull();
    expect(named("GET /api/desk/releases/uploads")).toEqual([]);
  });
