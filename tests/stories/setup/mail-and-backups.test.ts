import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { backupsStep } from "@/operator/setup/steps/backups";
import { mailStep } from "@/operator/setup/steps/mail";
import { answersUi } from "@/operator/setup/ui/answers";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";
import { startedSetup } from "../../support/operator/scripted-ui";

let mail: MailSimulator;
beforeAll(async () => {
  mail = await startMailSimulator({});
});
afterAll(() => mail.stop());

test("a mail server that is away is untested, and written", async () => {
  using shop = startedSetup();
  const { said } = await shop.run(mailStep, {
    SMTP_URL: ["not a server", "smtp://127.0.0.1:9"],
    MAIL_FROM: "Brushwork <shop@example.com>",
  });
  expect(said).toStartWith("It must be");
  expect(said).toContain("Untested: ");
  expect(shop.setup.file).toMatchObject({
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "Brushwork <shop@example.com>",
  });
});

test("a mail server that refuses is asked for again, in its own words; a code that nobody types is untested", async () => {
  const refusing = await startMailSimulator({});
  refusing.setFaults({ mode: "reject-5xx", at: "sender" });
  using shop = startedSetup();
  const { said, asked } = await shop.run(mailStep, {
    SMTP_URL: [refusing.smtpUrl, mail.smtpUrl],
    MAIL_FROM: ["shop@example.com", "shop@example.com"],
    MAIL_CODE: ["not it", ""],
  });
  await refusing.stop();
  expect(asked.filter((name) => name === "SMTP_URL")).toHaveLength(2);
  expect(said).toContain("“550 5.7.1 Sender refused”");
  expect(said).toContain("Those are other digits: look at the newest mail.");
  expect(said).toContain("Untested: The server took a mail that has not arrived at olga@example.com.");
  expect(new URL(shop.setup.file["SMTP_URL"] ?? "").port).toBe(new URL(mail.smtpUrl).port);
});

test("a login is asked apart from the server, and stands in the setting as an address needs it", async () => {
  using shop = startedSetup();
  await shop.run(mailStep, {
    SMTP_URL: ["smtp://user:secret@127.0.0.1:9", "smtp://127.0.0.1:9"],
    SMTP_LOGIN: "shop@example.com",
    SMTP_PASSWORD: "a#b%c/d",
    MAIL_FROM: "shop@example.com",
  });
  expect(shop.setup.file["SMTP_URL"]).toBe("smtp://shop%40example.com:a%23b%25c%2Fd@127.0.0.1:9");
});

test("a known login and region are kept by Enter, and go by a sign of their own or by an empty line of answers", async () => {
  const known = {
    SMTP_URL: "smtp://shop:secret@127.0.0.1:9",
    MAIL_FROM: "shop@example.com",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_ENDPOINT_URL_S3: "http://127.0.0.1:9",
    AWS_REGION: "eu-central-1",
  };
  using shop = startedSetup(known);
  const { said } = await shop.run(mailStep, { SMTP_LOGIN: "" });
  expect(said).toContain("The login at the mail server; - for none");
  expect(shop.setup.file).toMatchObject(known);
  await shop.run(mailStep, { SMTP_LOGIN: "-" });
  expect(shop.setup.file).toMatchObject({ SMTP_URL: "smtp://127.0.0.1:9" });
  await shop.run(backupsStep, { BACKUP_TO: "s3://bucket", AWS_REGION: "-" });
  expect(shop.setup.file).not.toHaveProperty("AWS_REGION");

  using other = startedSetup(known);
  other.setup.ui = answersUi({ SMTP_LOGIN: "", BACKUP_TO: "s3://bucket", AWS_REGION: "" }, () => {});
  await mailStep(other.setup);
  await backupsStep(other.setup);
  expect(other.setup.file).toMatchObject({ SMTP_URL: "smtp://127.0.0.1:9", AWS_ACCESS_KEY_ID: "id" });
  expect(other.setup.file).not.toHaveProperty("AWS_REGION");
});

test("off is an answer, and takes the server out", async () => {
  using shop = startedSetup({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "shop@example.com" });
  const { said } = await shop.run(mailStep, { SMTP_URL: "off" });
  expect(said).toBe("Untested: No mail is sent: no receipts and no recovery codes.");
  expect(shop.setup.file).toMatchObject({ MAIL: "off" });
  expect(shop.setup.file).not.toHaveProperty("SMTP_URL");
});

test("a place for backups is written once one was read back from it", async () => {
  using shop = startedSetup();
  await Bun.write(join(shop.setup.dataDir, "a-file"), "");
  const folder = join(shop.setup.dataDir, "kept");
  const { said } = await shop.run(backupsStep, {
    BACKUP_TO: [join(shop.setup.dataDir, "a-file"), folder],
    BACKUP_EVERY: ["0", "12"],
  });
  expect(said).toContain(`A backup was written to ${folder}, read back and restored.`);
  expect(said).toContain("It must be a whole number of hours");
  expect(shop.setup.file).toMatchObject({ BACKUP_TO: folder, BACKUP_EVERY: "12" });
});
