import { expect, test } from "bun:test";
import { createSecrets, proofOf } from "@/core/secrets/secrets";
import { openStage } from "../../support/shop/stage";

const nonce = "0123456789abcdef".repeat(2);

test("only a shop with the same secret proves that an address is ours", async () => {
  await using stage = await openStage();
  const asked = await stage.person().get(`/api/ours?nonce=${nonce}`);
  expect(asked.body).toMatchObject({ data: { proof: proofOf(stage.ctx.secrets, nonce) } });
  expect(proofOf(stage.ctx.secrets, nonce)).toMatch(/^[0-9a-f]{64}$/);
  expect(proofOf(createSecrets(new Uint8Array(32)), nonce)).not.toBe(proofOf(stage.ctx.secrets, nonce));
});

test("a proof is of 32 hexadecimal digits and nothing else, and limited", async () => {
  await using stage = await openStage();
  const asker = stage.person();
  const statusOf = async (query: string) => (await asker.get(`/api/ours${query}`)).status;
  for (const wrong of ["", "?nonce=", "?nonce=abc", `?nonce=${nonce}0`, `?nonce=${nonce.toUpperCase()}`]) {
    expect(await statusOf(wrong)).toBe(400);
  }
  const statuses = await Promise.all(Array.from({ length: 60 }, () => statusOf(`?nonce=${nonce}`)));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
