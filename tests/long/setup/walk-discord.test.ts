import { expect, test } from "bun:test";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { control } from "../../support/network/control";
import { checkout, resultOf } from "../../support/people/buyer";
import {
  accepts,
  answersDiscord,
  answersBackups,
  answersMail,
  answersRest,
  answersShop,
  answersStripe,
  keepsKeys,
  mailPassword,
  openBareMachine,
  secretsIn,
} from "../../support/operator/walk-set-up";
import { eventually } from "../../support/shop/stage";

test("from an empty folder one command leads to a sale whose buyer has the role in Discord", async () => {
  const discord = await startDiscordSimulator({ seed: 1 });
  await control(discord.url, "bot", { role: "above" });
  await using machine = await openBareMachine({ DISCORD_API_URL: `${discord.url}/api` });
  using typist = machine.setUp();
  await answersShop(typist, machine);
  await keepsKeys(typist);
  await answersMail(typist, machine.mail, mailPassword);
  await answersBackups(typist, `${machine.folder}/backups`);
  await answersStripe(typist, machine);
  await answersDiscord(typist, { discord, address: machine.address });
  const token = await answersRest(typist);
  for (const secret of [discord.botToken, discord.clientSecret]) expect(typist.shown()).not.toContain(secret);

  await using shop = await machine.start();
  expect((await accepts(shop.person(), token)).status).toBe(200);
  const buyer = shop.person();
  const session = await checkout(buyer);
  await control(machine.stripe.url, "pay", { session, email: "ada@example.com" });
  const { license_key: key } = await resultOf(buyer, session);
  const [receipt] = await eventually(
    () => machine.mail.messages("ada@example.com"),
    (all) => all.length > 0,
  );
  expect(receipt?.from).toContain("shop@example.com");
  expect(receipt?.text).toContain("BRUSHWORK-");
  expect((await buyer.register(key, "ada")).status).toBe(200);
  await buyer.prove();
  const { body } = await buyer.get("/api/functions/get-discord-oauth-url");
  const back = new URL((await control(discord.url, "authorize", { url: body.url, user: "ada" })).redirect);
  const returned = Object.fromEntries(back.searchParams);
  expect((await buyer.post("/api/discord/auth/callback", returned)).status).toBeLessThan(300);
  const { holders } = await eventually(
    () => control(discord.url, "holders"),
    (seen) => seen.holders.length > 0,
  );
  expect(holders).toHaveLength(1);
  await shop[Symbol.asyncDispose]();
  await discord.stop();
  machine.expectKept({ ...secretsIn(machine.settings()), token });
});
