import { afterEach, expect, test } from "bun:test";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ReleaseRow, Upload } from "@/contract/wire/desk/releases";
import { forgetSending } from "@/web/screens/desk/products/releases/senders";
import { type Answers, ok, refused, toastSaying, unreachable, visit } from "./browser";
import { asStaff, hostile, page } from "./desk-answers";

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

const upload = (missing: number[], state: Upload["state"] = "sending"): Upload => ({
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
  files: [
    {
      file: 0,
      name: "wisp-2.1.0.exe",
      platform: "win_exe",
      size: content.length,
      sha256: sha256Of(content),
      parts: 3,
      missing,
    },
  ],
  stored: state === "publishing" ? { bytes: 5, of: 20 } : null,
  refusal: null,
  created_at: at,
  expires_at: "2099-01-01T00:00:00.000Z",
});

// files stay chosen for as long as the page lives, and all tests are one page
afterEach(() => forgetSending("up-1"));

/** A shop that takes parts of one upload, and publishes it when asked. */
function uploading(begun: Upload) {
  let now = begun;
  const parts = new Map<number, string>();
  const take = (part: number) => async (call: { body: unknown }) => {
    parts.set(part, String(call.body));
    now = upload(
      (now.files[0]?.missing ?? []).filter((one) => one !== part),
      now.state,
    );
    return Response.json({ status: 200, data: { stored: true } });
  };
  const answered = (data: unknown) => Response.json({ status: 200, data });
  const answers: Answers = {
    ...asStaff(),
    "GET /api/desk/releases": page([release, yanked]),
    "GET /api/desk/releases/uploads": () =>
      answered({ rows: now.state === "published" ? [] : [now], next: null }),
    "GET /api/desk/releases/uploads/up-1": () => answered(now),
    "POST /api/desk/releases/uploads": () => answered(now),
    "POST /api/desk/releases/uploads/up-1/finish": () => answered((now = upload([], "published"))),
    ...Object.fromEntries(
      [0, 1, 2].map((part) => [`PUT /api/desk/releases/uploads/up-1/files/0/parts/${part}`, take(part)]),
    ),
  };
  return { parts, answers };
}

const putName = (part: number) => `PUT /api/desk/releases/uploads/up-1/files/0/parts/${part}`;
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

test("a release is sent part by part, each with its SHA-256, and published by itself", async () => {
  const shop = uploading(upload([0, 1, 2]));
  const { user, named, sent } = visit("/desk/products/releases/new", shop.answers);
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await user.type(screen.getByLabelText("Notes"), hostile);
  within(screen.getByRole("region", { name: "Preview" })).getByText(hostile);
  const dialog = await confirmPublishing(user);
  dialog.getByText("Sends 1 file (10 bytes), then offers 2.1.0 to 25 % of the devices on Beta.");
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
  expect(named(putName(2))[0]?.query.get("sha256")).toBe(sha256Of("89"));
  expect(named("POST /api/desk/releases/uploads/up-1/finish")[0]?.body).toEqual({
    reason: "The beta begins",
  });
  await waitFor(() => expect(location.pathname).toBe("/desk/products/releases"));
});

test("a folder that a maker left is chosen whole: its builds are sent, and what is none is named", async () => {
  const shop = uploading(upload([]));
  const { user, named } = visit("/desk/products/releases/new", shop.answers);
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
    "Passed over, as no builds: latest.yml, builder-debug.yml, my-app_2.1.0_amd64.snap, My App-2.1.0-win.7z, " +
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

test("chosen again, a file is found by the name under which it is published", async () => {
  const begun = upload([0, 1, 2]);
  const files = begun.files.map((one) => ({ ...one, name: "My-App-Setup-2.1.0.exe" }));
  const shop = uploading(begun);
  const answers = { ...shop.answers, "GET /api/desk/releases/uploads": page([{ ...begun, files }]) };
  visit("/desk/products/releases", answers);
  await card();
  await choose("Files of 2.1.0", file(content, "My App Setup 2.1.0.exe"));
  await waitFor(() => expect(shop.parts.size).toBe(3));
});

test("a release that the shop refuses stays written, with the shop's sentence", async () => {
  const shop = uploading(upload([0, 1, 2]));
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

test("over a lost line an upload waits, and goes on with what is missing once the line is back", async () => {
  const shop = uploading(upload([0, 1, 2]));
  const take = shop.answers[putName(1)];
  const { user, answers, named } = visit("/desk/products/releases/new", {
    ...shop.answers,
    [putName(1)]: unreachable,
  });
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await confirmPublishing(user);
  await within(await card()).findByText("Waits, and goes on by itself");
  expect([...shop.parts.keys()]).toEqual([0]);
  if (take) answers[putName(1)] = take;
  dispatchEvent(new Event("online"));
  await waitFor(() => expect(named("POST /api/desk/releases/uploads/up-1/finish")).toHaveLength(1));
  expect([...shop.parts.keys()]).toEqual([0, 1, 2]);
  expect(named(putName(0))).toHaveLength(1);
});

test("a paused upload sends nothing until somebody goes on", async () => {
  const shop = uploading(upload([0, 1, 2]));
  const take = shop.answers[putName(1)];
  const { user, answers, named } = visit("/desk/products/releases/new", {
    ...shop.answers,
    [putName(1)]: unreachable,
  });
  await write(user);
  await screen.findByText(`SHA-256 ${sha256Of(content)}`);
  await confirmPublishing(user);
  await within(await card()).findByText("Waits, and goes on by itself");
  await press(user, "Pause 2.1.0");
  await within(await card()).findByText("Paused");
  if (take) answers[putName(1)] = take;
  const before = named(putName(1)).length;
  dispatchEvent(new Event("online"));
  await within(await card()).findByText("Paused");
  expect(named(putName(1))).toHaveLength(before);
  await press(user, "Go on with 2.1.0");
  await waitFor(() => expect(named("POST /api/desk/releases/uploads/up-1/finish")).toHaveLength(1));
});

test("after a reload, choosing the same files goes on with what is missing, and somebody publishes", async () => {
  const shop = uploading({ ...upload([1, 2]), id: "up-1" });
  const { user, named } = visit("/desk/products/releases", shop.answers);
  const shown = within(await card());
  expect(shown.getByRole<HTMLProgressElement>("progressbar", { name: "Sent in all" }).value).toBe(2);
  await choose("Files of 2.1.0", file("01234567xx"));
  await shown.findByText("wisp-2.1.0.exe differs in content from the file this upload began with");
  await choose("Files of 2.1.0", file("short"));
  await shown.findByText("wisp-2.1.0.exe differs in size from the file this upload began with");
  await choose("Files of 2.1.0", file(content, "other.exe"));
  await shown.findByText("Choose wisp-2.1.0.exe too: parts of it are missing");
  expect(shop.parts.size).toBe(0);
  await choose("Files of 2.1.0", file());
  await shown.findByText("Everything has arrived");
  expect([...shop.parts]).toEqual([
    [1, "4567"],
    [2, "89"],
  ]);
  expect(named(putName(0))).toEqual([]);
  await press(user, "Publish 2.1.0");
  const dialog = within(await screen.findByRole("dialog", { name: "Publish" }));
  dialog.getByText("Offers 2.1.0 to 25 % of the devices on Beta.");
  await user.type(dialog.getByLabelText("Reason"), "The beta begins");
  await user.click(dialog.getByRole("button", { name: "Publish" }));
  await toastSaying("2.1.0 is published");
  await waitFor(() => expect(screen.queryByRole("region", { name: "Upload of 2.1.0" })).toBeNull());
});

test("a part that arrives damaged again and again stops the upload with the shop's sentence", async () => {
  const shop = uploading(upload([1]));
  const { named } = visit("/desk/products/releases", {
    ...shop.answers,
    [putName(1)]: refused(400, "That part arrived damaged, please send it again", { code: "part_damaged" }),
  });
  await card();
  await choose("Files of 2.1.0", file());
  await screen.findByText("That part arrived damaged, please send it again");
  await within(await card()).findByText("Stopped");
  expect(named(putName(1))).toHaveLength(4);
});

test("an upload that the shop refused says why, and can be cancelled", async () => {
  const refusal = { code: "release_invalid", sentence: `${hostile} has no signature that fits` };
  const shop = uploading({ ...upload([], "refused"), refusal });
  const { user, sent } = visit("/desk/products/releases", {
    ...shop.answers,
    "POST /api/desk/releases/uploads/up-1/cancel": ok(upload([], "cancelled")),
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
  visit("/desk/products/releases", uploading(upload([], "publishing")).answers);
  const shown = within(await card());
  const bar = shown.getByRole<HTMLProgressElement>("progressbar", { name: "Published" });
  expect([bar.value, bar.max]).toEqual([5, 20]);
  expect(shown.queryAllByRole("button")).toEqual([]);
});

test("a release's rollout is changed, and a yanked one offers nothing more", async () => {
  const { user, sent } = visit("/desk/products/releases", {
    ...uploading(upload([], "published")).answers,
    "POST /api/desk/releases/2.0.0/rollout": ok({ ...release, rollout: 50 }),
  });
  await press(user, "Rollout 2.0.0");
  expect(screen.queryByRole("button", { name: "Yank 1.9.0" })).toBeNull();
  const dialog = within(await screen.findByRole("dialog", { name: "Rollout" }));
  const share = dialog.getByLabelText("Percent of the devices");
  await user.clear(share);
  await user.type(share, "50");
  dialog.getByText("Offers 2.0.0 to 50 % of the devices instead of 100 %. Those that have it keep it.");
  await user.type(dialog.getByLabelText("Reason"), "Half first");
  await user.click(dialog.getByRole("button", { name: "Rollout" }));
  await waitFor(() =>
    expect(sent("POST /api/desk/releases/2.0.0/rollout")).toEqual([{ rollout: 50, reason: "Half first" }]),
  );
});

for (const role of ["support", "viewer"] as const)
  test(`${role} reads the releases, and is shown neither uploads nor what may be done`, async () => {
    const { named } = visit("/desk/products/releases", {
      ...uploading(upload([0])).answers,
      ...asStaff(role),
    });
    const grid = within(await screen.findByRole("grid"));
    grid.getAllByText(hostile);
    expect(document.querySelector("img[src=x]")).toBeNull();
    expect(grid.queryAllByRole("button")).toEqual([]);
    expect(screen.queryByRole("link", { name: "Publish a release" })).toBeNull();
    expect(named("GET /api/desk/releases/uploads")).toEqual([]);
  });
