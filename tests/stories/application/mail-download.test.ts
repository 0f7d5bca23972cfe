import { expect, test } from "bun:test";
import { openStage } from "../../support/shop/stage";
import { confirmation, mailsTo } from "../accounts/people";

test("a customer has the link to the download mailed to their own confirmed address, five times a day", async () => {
  await using stage = await openStage();
  const pia = stage.person();
  await pia.register(await stage.handOut(30), "pia");
  const ask = async (body = {}) => (await pia.post("/api/user/download-link", body)).body;
  const [address, subject] = ["pia@example.com", "Download Wisp on your computer"];
  expect((await ask()).code).toBe("own_email_unconfirmed");
  const { token } = await confirmation(stage, address);
  await pia.post("/api/user/email/confirm", { token });
  expect(await ask({ file: "win_exe" })).toEqual({ status: 200, data: { email: address } });
  const sent = async () => (await mailsTo(stage, address)).filter((mail) => mail.subject === subject);
  const [mail] = await sent();
  expect(mail?.text).toContain(new URL("/dashboard/download?file=win_exe", stage.url).href);
  await ask();
  expect((await sent()).length).toBe(2);
  expect((await sent()).some(({ text }) => /\/dashboard\/download\s/.test(text ?? ""))).toBe(true);
  for (const _ of [3, 4, 5]) await ask();
  expect((await ask()).code).toBe("rate_limited");
  expect((await stage.person().post("/api/user/download-link", {})).status).toBe(401);
});

test("a shop that sends no mail says so instead", async () => {
  await using stage = await openStage({ env: { MAIL: "off" } });
  const pia = stage.person();
  await pia.register(await stage.handOut(30), "pia");
  expect((await pia.post("/api/user/download-link", {})).body.code).toBe("mail_off");
});
