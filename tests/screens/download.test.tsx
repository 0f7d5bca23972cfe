import { describe, expect, onTestFinished, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { downloads, isArm, paidPlatforms } from "@/contract/vocabulary/builds";
import type { CurrentRelease } from "@/contract/wire/releases";
import { writeSize } from "@/web/parts/build-files";
import { ownSystem } from "@/web/parts/own-system";
import { ada, asAda, ok, rateLimited, silence, toastSaying, unreachable, visit } from "./browser";

const sizesCall = "GET /api/version/filesizes";
const buildsCall = "GET /api/version/builds";

/** Those that each release is expected to have. */
const common = paidPlatforms.filter((platform) => !isArm(platform));
const sizes = Object.fromEntries(
  paidPlatforms.map((platform, at) => [platform, isArm(platform) ? null : (at + 1) * 1_250_000]),
);
const build = (path: string, at: number) => ({
  name: `file-${at}`,
  path,
  size: 1,
  sha256: `${at}`.repeat(64),
  sha512: "",
  signature: "",
});
const release: CurrentRelease = {
  version: "2.1.1",
  date: new Date(2026, 4, 31, 16, 5).toISOString(),
  title: "Small repairs",
  content: "Fixed: one thing.\nFixed: another.",
  signing_key: "",
  builds: {
    ...(Object.fromEntries(
      paidPlatforms.map((platform, at) => [
        platform,
        isArm(platform) ? null : build(downloads[platform].path, at),
      ]),
    ) as CurrentRelease["builds"]),
    free: null,
    rpc: null,
  },
};
const released = { ...asAda, [sizesCall]: ok(sizes), [buildsCall]: ok(release) };
/** A system's card, once the sizes are there. */
const system = async (name: string) => {
  await screen.findAllByText(/MB$|Size unknown$/);
  return within(screen.getByRole("region", { name }));
};

test("each system lists its files, and every link opens in a new tab", async () => {
  visit("/dashboard/download", released);
  const links = async (name: string) =>
    (await system(name))
      .getAllByRole("link")
      .map((link) => [link.getAttribute("href"), link.getAttribute("target")]);
  expect(await links("Windows")).toEqual([
    ["/api/download", "_blank"],
    ["/api/download/zip", "_blank"],
    ["/api/download/console", "_blank"],
  ]);
  expect(await links("Linux")).toEqual([
    ["/api/download/linux/appimage", "_blank"],
    ["/api/download/linux/deb", "_blank"],
    ["/api/download/linux/rpm", "_blank"],
    ["/api/download/linux/console", "_blank"],
  ]);
  expect(await links("Mac")).toEqual([
    ["/api/download/mac", "_blank"],
    ["/api/download/mac/zip", "_blank"],
  ]);
});

test("a file for the other architecture is listed where the release has one", async () => {
  visit("/dashboard/download", { ...released, [sizesCall]: ok({ ...sizes, mac_dmg_arm64: 5_000_000 }) });
  const mac = await system("Mac");
  expect(mac.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/api/download/mac",
    "/api/download/mac/zip",
    "/api/download/mac/arm64",
  ]);
  mac.getByText("Disk image (.dmg), Apple silicon");
  expect((await system("Windows")).queryByText(/ARM/)).toBeNull();
});

test("a file's size is its link's tooltip, and can be read without one", async () => {
  const { user } = visit("/dashboard/download", released);
  const windows = await system("Windows");
  await windows.findByText("1.3 MB");
  await user.hover(windows.getByRole("link", { name: /Installer/ }));
  expect((await screen.findByRole("tooltip")).textContent).toBe("1.3 MB");
});

test("a tooltip says what is missing on Mac, on tap as well", async () => {
  const { user } = visit("/dashboard/download", released);
  await user.click((await system("Mac")).getByRole("button", { name: "About updates on Mac" }));
  expect((await screen.findByRole("tooltip")).textContent).toBe("Auto updates are unsupported on Mac");
});

test("a release of one build shows that build alone, and nothing of other systems", async () => {
  const none = Object.fromEntries(paidPlatforms.map((platform) => [platform, null]));
  visit("/dashboard/download", { ...released, [sizesCall]: ok({ ...none, win_zip: 2_500_000 }) });
  const windows = await system("Windows");
  expect(windows.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/api/download/zip",
  ]);
  for (const name of ["Mac", "Linux"]) expect(screen.queryByRole("region", { name })).toBeNull();
  const after = within(screen.getByRole("region", { name: "After the download" }));
  after.getByText("Windows protected your PC:");
  expect(after.queryByText(/FUSE|disk image|AppImage/)).toBeNull();
});

test("a checksum can be copied in full", async () => {
  const { user } = visit("/dashboard/download", released);
  await user.click(await screen.findByText("Verify your download"));
  const button = await screen.findByRole("button", { name: "Copy the SHA-256 of Windows Portable (.zip)" });
  await user.click(button);
  expect(await navigator.clipboard.readText()).toBe("1".repeat(64));
});

test("the release shows its version, date and notes with their line breaks", async () => {
  visit("/dashboard/download", released);
  const card = within(await screen.findByRole("region", { name: "Current release" }));
  await card.findByText("New in 2.1.1");
  card.getByText("May 31, 2026");
  const notes = card.getByText(/^Fixed: one thing\./);
  expect(notes.textContent).toBe(release.content);
  expect(notes.className).toContain("whitespace-pre-wrap");
});

test("before the first release there is nothing to download", async () => {
  const none = Object.fromEntries(paidPlatforms.map((platform) => [platform, null]));
  visit("/dashboard/download", { ...asAda, [sizesCall]: ok(none), [buildsCall]: ok(null) });
  await screen.findByText("Nothing has been released yet");
  expect(screen.queryByRole("region", { name: /Windows|Mac|Linux|After/ })).toBeNull();
});

for (const [how, answer] of [
  ["out of reach", unreachable],
  ["asked for too often", rateLimited],
] as const) {
  test(`sizes ${how} bring a warning, and the files can still be downloaded`, async () => {
    visit("/dashboard/download", { ...released, [sizesCall]: answer });
    const toast = await toastSaying("Unable to fetch file sizes.");
    expect(toast.dataset.type).toBe("warning");
    expect(toast.dataset.xPosition).toBe("left");
    expect(screen.getAllByText("Size unknown")).toHaveLength(common.length);
    expect((await system("Windows")).getAllByRole("link")).toHaveLength(3);
  });
}

test("a release that can't be fetched offers a retry", async () => {
  const { user, answers } = visit("/dashboard/download", { ...released, [buildsCall]: unreachable });
  await screen.findByText("An error occurred while attempting to reach the server");
  answers[buildsCall] = ok(release);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("New in 2.1.1");
});

for (const late of [sizesCall, buildsCall]) {
  test(`no file is shown until sizes and release are known, ${late} being late`, async () => {
    visit("/dashboard/download", { ...released, [late]: silence });
    await screen.findByText("Loading the files…");
    expect(screen.queryByRole("region", { name: "Windows" })).toBeNull();
  });
}

describe("the visitor's own system", () => {
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";
  for (const [userAgent, more, system] of [
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", {}, "windows"],
    [chrome, { userAgentData: { platform: "Windows" } }, "windows"],
    [chrome, { userAgentData: { platform: "macOS" } }, "mac"],
    [chrome, { userAgentData: { platform: "Linux" } }, "linux"],
    [chrome, { userAgentData: { platform: "" } }, "linux"],
    [chrome, { userAgentData: { platform: "Android" } }, undefined],
    [chrome, { userAgentData: { platform: "Chrome OS" } }, undefined],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15", {}, "mac"],
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15", { maxTouchPoints: 5 }, undefined],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15", {}, undefined],
    ["Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36", {}, undefined],
    ["curl/8.0", {}, undefined],
  ] as const) {
    test(`is ${system ?? "none of ours"} for ${JSON.stringify(more)} ${userAgent.slice(0, 45)}`, () => {
      expect(ownSystem({ userAgent, maxTouchPoints: 0, ...more })).toBe(system);
    });
  }

  test("is the only one highlighted, and comes first", async () => {
    visit("/dashboard/download", released);
    await system("Windows");
    const own = ownSystem();
    const cards = ["Windows", "Mac", "Linux"].map((name) => screen.getByRole("region", { name }));
    const marked = cards.filter((card) => card.hasAttribute("data-own"));
    expect(marked.map((card) => card.getAttribute("aria-label")?.toLowerCase())).toEqual([own]);
    expect(marked[0]?.previousElementSibling).toBeNull();
  });
});

test("sizes use powers of a thousand", () => {
  expect([0, 999, 1_000, 82_400_000, 1_500_000_000].map(writeSize)).toEqual([
    "0 bytes",
    "999 bytes",
    "1 KB",
    "82.4 MB",
    "1.5 GB",
  ]);
});

describe("a file that could not be downloaded before", () => {
  /** Pretends to be another browser until the test ends. */
  const as = (userAgent: string) => {
    Object.defineProperty(navigator, "userAgent", { configurable: true, value: userAgent });
    onTestFinished(() => void Reflect.deleteProperty(navigator, "userAgent"));
  };

  test("is offered first, from the URL, until it is downloaded or declined", async () => {
    as("Mozilla/5.0 (Windows NT 10.0; Win64; x64)");
    const page = visit("/dashboard/download?file=win_zip", released);
    const card = within(await screen.findByRole("region", { name: "Your download" }));
    expect(card.getByRole("link").getAttribute("href")).toBe("/api/download/zip");
    await waitFor(() => expect(location.search).toBe(""));
    page.unmount();
    const { user } = visit("/dashboard/download", released);
    await user.click(await screen.findByRole("button", { name: "Not now" }));
    expect(screen.queryByRole("region", { name: "Your download" })).toBeNull();
    expect(sessionStorage.getItem("wanted-file")).toBeNull();
  });

  test("is remembered while there is no license", async () => {
    as("Mozilla/5.0 (Windows NT 10.0; Win64; x64)");
    const me = "GET /api/user/me";
    const page = visit("/dashboard?notice=download-locked&file=mac_zip", {
      ...released,
      [me]: ok({ ...ada, active_license: false }),
    });
    await toastSaying("You must have an active license to visit the download page");
    page.unmount();
    visit("/dashboard/download", released);
    const card = within(await screen.findByRole("region", { name: "Your download" }));
    expect(card.getByRole("link").getAttribute("href")).toBe("/api/download/mac/zip");
  });
});

describe("after the download", () => {
  const steps = () => screen.findByRole("region", { name: "After the download" }).then(within);

  test("a card says how to open the file here, copies the token, and says what the first start does", async () => {
    const { user } = visit("/dashboard/download", {
      ...released,
      "GET /api/user/me": ok({ ...ada, api_key: "token-1" }),
    });
    const card = await steps();
    expect(card.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      "Open the file",
      "Paste your token into Wisp",
      "The first start attaches this computer",
    ]);
    card.getByText(/^Allow the AppImage to run/);
    card.getByText(/compare the file's SHA-256/);
    card.getByText("Nothing happens, or FUSE is missing:");
    expect(card.queryByText("Windows protected your PC:")).toBeNull();
    await user.click(card.getByRole("button", { name: "Copy token" }));
    await toastSaying("Copied auth token to clipboard");
    expect(await navigator.clipboard.readText()).toBe("token-1");
  });

  test("the last step is ticked once a computer is attached", async () => {
    visit("/dashboard/download", { ...released, "GET /api/user/me": ok({ ...ada, hwid_set: true }) });
    (await steps()).getByText(/^A computer is attached/);
  });
});
