import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { makePictures } from "@/brand/drawn/pictures";
import { withPictures } from "@/brand/with-pictures";
import { theBrand } from "@/brand/the-brand";

let folder: string;
let screen: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pictures-"));
  const own = Bun.file(join(import.meta.dir, "../../src/brand/sample/pictures/home-960.jpg"));
  screen = await own.bytes();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const given = async (name: string, bytes: Uint8Array | string) => {
  const path = join(folder, "pictures", name);
  await Bun.write(path, bytes);
  return path;
};
const made = (path: string) => makePictures(path, join(folder, "made"));
const shapeOf = async (path = "") => {
  const { format, width, height } = await new Bun.Image(await Bun.file(path).bytes()).metadata();
  return [basename(path), format, width, height];
};

test("one picture becomes WebP in three widths and a JPEG", async () => {
  const large = new Bun.Image(screen).resize(2000, 1000).png().bytes();
  const { wide, phone } = await made(await given("start.png", await large));
  expect([wide.width, wide.height, wide.avif, phone.width, phone.height]).toEqual([
    1600,
    800,
    undefined,
    720,
    360,
  ]);
  expect(await Promise.all([wide.webp[960], wide.webp[1600], wide.jpeg, phone.webp].map(shapeOf))).toEqual([
    ["start-960.webp", "webp", 960, 480],
    ["start-large.webp", "webp", 1600, 800],
    ["start-960.jpg", "jpeg", 960, 480],
    ["start-phone-720.webp", "webp", 720, 360],
  ]);
});

test("a smaller picture is never enlarged, and an AVIF beside it is used as it is", async () => {
  const avif = await given("small.avif", "as it is");
  const webp = new Bun.Image(screen).resize(1000, 700).webp().bytes();
  const { wide } = await made(await given("small.webp", await webp));
  expect([wide.width, wide.height, wide.avif]).toEqual([1000, 700, { 1000: avif }]);
  expect(Object.keys(wide.webp)).toEqual(["960", "1000"]);
});

test("a picture that can't be shown is refused with its name and what to do", async () => {
  const narrow = await new Bun.Image(screen).resize(400, 300).jpeg().bytes();
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64");
  const huge = await new Bun.Image(narrow).resize(10, 10).png().bytes();
  new DataView(huge.buffer, huge.byteOffset).setUint32(16, 90_000);
  new DataView(huge.buffer, huge.byteOffset).setUint32(20, 90_000);
  for (const [name, bytes, sentence] of [
    ["narrow.jpg", narrow, "narrow.jpg is 400 pixels wide. Give one of at least 960, best 1600."],
    ["text.png", "text", "text.png is no PNG, JPEG or WebP. Save it as one of them."],
    ["moving.png", gif, "moving.png is no PNG, JPEG or WebP. Save it as one of them."],
    [
      "half.png",
      (await new Bun.Image(screen).png().bytes()).slice(0, 9_000),
      "half.png is damaged. Save it again.",
    ],
    ["heavy.png", new Uint8Array(20_000_001), "heavy.png has 21 MB and may have 20. Make it 1600 wide."],
    ["huge.png", huge, "huge.png has 90000 × 90000 pixels. Make it 1600 wide."],
  ] as const)
    expect(made(await given(name, bytes))).rejects.toThrow(sentence);
});

test("a brand whose picture is missing stops the build with a sentence; the sample's seven files are used", async () => {
  const sample = theBrand();
  const { made: none } = await withPictures(sample, join(folder, "unused"));
  expect([none?.size, (await readdir(folder)).includes("unused")]).toEqual([0, false]);
  expect(withPictures({ ...sample, folder }, join(folder, "made"))).rejects.toThrow(
    /pictures\/\w+\.png is missing; it may also be a JPEG or a WebP\.$/,
  );
});
