import { expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";

const reason = "a story";

test("an upload whose job was dropped can be published again", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const build = "bytes of a build";
  const sha256 = new Bun.CryptoHasher("sha256").update(build).digest("hex");
  const files = [{ name: "Wisp-Setup.exe", size: build.length, sha256 }];
  const { id } = (await olga.post("releases/uploads", { version: "2.0.0", title: "New", files, reason })).body
    .data;
  await olga.person.send("PUT", `/api/desk/releases/uploads/${id}/files/0/parts/0?sha256=${sha256}`, {
    body: build,
    headers: { "content-type": "application/octet-stream" },
  });
  const finish = () => olga.post(`releases/uploads/${id}/finish`, { reason });
  const state = async () => (await olga.get(`releases/uploads/${id}`)).body.data.state;

  await stage.shop.worker.stop();
  await finish();
  await stage.shop.periodicJobs.run();
  expect(await state()).toBe("publishing");
  const job = Buffer.from(`release.upload:${id}`).toString("base64url");
  expect((await olga.post(`outbox/${job}/drop`, { reason })).status).toBe(200);
  await stage.shop.periodicJobs.run();
  expect(await state()).toBe("sending");

  await stage.restart();
  await finish();
  await stage.shop.worker.drain();
  expect(await state()).toBe("published");
});
