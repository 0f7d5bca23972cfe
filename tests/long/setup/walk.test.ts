import { expect, test } from "bun:test";
import { control } from "../../support/network/control";
import { checkout, resultOf } from "../../support/people/buyer";
import {
  accepts,
  answersBrand,
  answersBackups,
  answersMail,
  answersRest,
  answersStripe,
  keepsKeys,
  mailPassword,
  openBareMachine,
  secretsIn,
} from "../../support/operator/walk-set-up";
import { eventually } from "../../support/shop/stage";

test("from an empty folder one command, left and taken up again, leads to a first sale without Discord", async () => {
  await using machine = await openBareMachine();
  using left = machine.setUp();
  await left.answers("Your name", "Olga Owner");
  await left.answers("Your email address", "olga@example.com");
  await left.answers("address in a browser", machine.address);
  await left.sees("leads to this machine");
  await left.sees("Currency");
  left.leaves();
  expect(await left.ended()).toBe(130);
  expect(left.shown()).toContain("Run shop setup again to continue.");

  using typist = machine.setUp();
  await typist.answers("Your name");
  await typist.answers("Your email address");
  await typist.answers("address in a browser");
  await typist.answers("Currency");
  await answersBrand(typist);
  const keys = await keepsKeys(typist);
  await answersMail(typist, machine.mail, mailPassword);
  await answersBackups(typist, `${machine.folder}/backups`);
  await answersStripe(typist, machine);
  await typist.answers("Discord bot's token", "off");
  const token = await answersRest(typist);
  const { STRIPE_SECRET_KEY = "", STRIPE_WEBHOOK_SECRET = "" } = machine.settings();
  for (const secret of [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, mailPassword])
    expect([secret, typist.shown().includes(secret)]).toEqual([secret, false]);
  expect(machine.settings()).toMatchObject({ SECRET_KEY: keys[0], BACKUP_KEY: keys[1] });

  using again = machine.setUp();
  await again.answers("Everything is set up.");
  await again.sees("Once it runs, open");
  expect(await again.ended()).toBe(0);

  await using shop = await machine.start();
  expect((await accepts(shop.person(), token)).status).toBe(200);
  const buyer = shop.person();
  const session = await checkout(buyer);
  await control(machine.stripe.url, "pay", { session, email: "buyer@example.com" });
  expect(await resultOf(buyer, session)).toMatchObject({ status: "Payment Successful" });
  const [receipt] = await eventually(
    () => machine.mail.messages("buyer@example.com"),
    (all) => all.length > 0,
  );
  expect(receipt?.from).toContain("shop@example.com");
  expect(receipt?.text).toContain("BRUSHWORK-");
  await shop[Symbol.asyncDispose]();
  machine.expectKept({ ...secretsIn(machine.settings()), token });
});
