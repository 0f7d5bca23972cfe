import { expect, test } from "bun:test";
import sharp from "sharp";
import { pictureType } from "@/domain/tickets/reading/picture-type";

/** A picture of one colour, in its format's own bytes. */
const plain = (width: number, height: number, format: "png" | "jpeg" | "gif" | "webp", options = {}) =>
  sharp({ create: { width, height, channels: 3, background: "#7f74e2" } })
    .toFormat(format, options)
    .toBuffer();

/** Two frames. */
const frames = async (format: "gif" | "webp") => {
  const stills = await Promise.all(["red", "blue"].map((colour) => still(colour)));
  return sharp(stills, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
};

const still = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer();

const chunk = (name: string, data: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
};

type Write = (bytes: Buffer, at: number) => void;

/** The same bytes, with another size in the header. */
function withClaimedSize(picture: Buffer, at: number, write: Write): Buffer {
  const copy = Buffer.from(picture);
  write(copy, at);
  return copy;
}

/** A few bytes that claim this size, in each format and in each place that has one. */
async function picturesClaiming(width: number, height: number): Promise<[where: string, picture: Buffer][]> {
  const little: Write = (to, at) => to.writeUInt16LE(height, to.writeUInt16LE(width, at));
  const big: Write = (to, at) => to.writeUInt32BE(height, to.writeUInt32BE(width, at));
  const gif = await plain(8, 8, "gif");
  const frame = gif.indexOf(0x2c, 13 + 3 * 2 ** ((gif[10]! & 7) + 1));
  const jpeg = await plain(8, 8, "jpeg", { progressive: true });
  const start = jpeg.indexOf(Buffer.from([0xff, 0xc2]));
  const sized = withClaimedSize(jpeg, start + 5, (to, at) =>
    to.writeUInt16BE(width, to.writeUInt16BE(height, at)),
  );
  const lossless: Write = (to, at) => to.writeUInt32LE((width - 1) | ((height - 1) << 14), at);
  const extended = Buffer.concat([
    Buffer.from("RIFF0000WEBPVP8X\x0a\0\0\0\0\0\0\0", "latin1"),
    Buffer.from([0, 0, 0, 0, 0, 0]),
  ]);
  const canvas: Write = (to, at) => to.writeUIntLE(height - 1, to.writeUIntLE(width - 1, at, 3), 3);
  return [
    ["png", withClaimedSize(await plain(8, 8, "png"), 16, big)],
    ["gif's screen", withClaimedSize(gif, 6, little)],
    ["gif's frame", withClaimedSize(gif, frame + 5, little)],
    ["lossy webp", withClaimedSize(await plain(8, 8, "webp"), 26, little)],
    ["lossless webp", withClaimedSize(await plain(8, 8, "webp", { lossless: true }), 21, lossless)],
    ["extended webp", withClaimedSize(extended, 24, canvas)],
    ["jpeg", sized],
    // decoders pass over stray bytes and fill bytes between segments
    [
      "stray",
      Buffer.concat([sized.subarray(0, start), Buffer.from([0, 1, 255, 255]), sized.subarray(start)]),
    ],
  ];
}

test("a picture of 25 megapixels is shown, and one with one more row is a file, however few bytes it has", async () => {
  for (const [where, picture] of await picturesClaiming(5_000, 5_000))
    expect([where, pictureType(picture)]).toEqual([where, expect.stringMatching(/^image/)]);
  for (const [where, picture] of [
    ...(await picturesClaiming(5_000, 5_001)),
    ...(await picturesClaiming(16_000, 16_000)),
  ])
    expect([where, pictureType(picture)]).toEqual([where, null]);
});

test("a thumbnail's own header is not the picture's", async () => {
  const small = await plain(8, 8, "jpeg");
  const large = new Map(await picturesClaiming(6_000, 6_000)).get("jpeg")!;
  const inside = (thumbnail: Buffer) => {
    const segment = Buffer.from([0xff, 0xe1, 0, 0]);
    segment.writeUInt16BE(thumbnail.length + 2, 2);
    return Buffer.concat([segment, thumbnail]);
  };
  const withThumbnail = (picture: Buffer, thumbnail: Buffer) =>
    Buffer.concat([picture.subarray(0, 2), inside(thumbnail), picture.subarray(2)]);
  expect(pictureType(withThumbnail(small, large))).toBe("image/jpeg");
  expect(pictureType(withThumbnail(large, small))).toBeNull();
});

test("an animated picture is treated as a file", async () => {
  expect(pictureType(await frames("gif"))).toBeNull();
  expect(pictureType(await frames("webp"))).toBeNull();
  const png = await plain(8, 8, "png");
  const control = chunk("acTL", Buffer.alloc(8));
  expect(pictureType(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]))).toBeNull();
  // after the pixels it means nothing
  expect(pictureType(Buffer.concat([png, control]))).toBe("image/png");
});

test("a picture that is cut off before its size is still a picture, of which nothing is drawn; other bytes are a file", async () => {
  for (const format of ["png", "jpeg", "gif", "webp"] as const) {
    const whole = await plain(8, 8, format);
    for (let length = 12; length < whole.length; length += 1)
      expect([format, length, pictureType(whole.subarray(0, length))]).toEqual([
        format,
        length,
        `image/${format}`,
      ]);
  }
  for (const text of ["", "GIF", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF1234WAVEfmt ", "BM"])
    expect(pictureType(Buffer.from(text))).toBeNull();
});
