import { afterAll, expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import { operate, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage } from "../../support/shop/stage";
import { postAnnouncements } from "@/domain/campaigns/announce";
import { mailsTo, member } from "../accounts/people";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const vera = await atDesk(stage, "vera", "viewer");
await member(stage, "ada");
const reason = "a story";
const letter = { subject: "Spring release", content: "It is **fast**.\n\n<script>alert(1)</script>" };

test("a preview shows the letter as it is sent and how many get it, and sends nothing", async () => {
  const { data } = (await olga.post("announcements/preview", letter)).body;
  expect(data).toMatchObject({ subject: "Spring release", customers: 3, recipients: 3, more: false });
  expect(data.html).toContain("<strong>fast</strong>");
  expect(data.html).not.toContain("<script");
  expect(data.text).toContain("fast");
  const licensed = await olga.post("announcements/preview", {
    ...letter,
    licensed_only: true,
    offer: "premium",
  });
  expect(licensed.body.data).toMatchObject({ customers: 3 });
  expect((await olga.post("announcements/preview", { ...letter, offer: "none" })).body.code).toBe(
    "offer_unknown",
  );
  expect((await olga.get("announcements")).body.data.rows).toEqual([]);
});

test("a test goes to the member of staff who asks, and to nobody else", async () => {
  const sent = await olga.post("announcements/test", letter);
  expect(sent.body.data).toEqual({ email: "olga@example.com" });
  await eventually(
    async () => (await mailsTo(stage, "olga@example.com")).map(({ subject }) => subject),
    (subjects) => subjects.includes("Spring release"),
  );
  expect((await mailsTo(stage, "ada@example.com")).map(({ subject }) => subject)).not.toContain(
    "Spring release",
  );
});

test("an announcement that is made ten times at once is sent once to each, and tells its progress", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => olga.post("announcements", { ...letter, reason })),
  );
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  expect(answers[0]?.body.data).toMatchObject({ state: "under_way", customers: 3, licensed_only: false });
  await postAnnouncements(stage.ctx);
  await stage.shop.worker.drain();
  const { id } = answers[0]?.body.data ?? {};
  const shown = (await vera.get(`announcements/${id}`)).body.data;
  expect(shown).toMatchObject({ state: "done", posted: 3, sent: 3, looked: 3 });
  expect(shown.content).toContain("**fast**");
  const subjects = (await mailsTo(stage, "ada@example.com")).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === "Spring release")).toHaveLength(1);
  const stopped = await olga.post("announcements", { subject: "Wrong", content: "Price", reason });
  const over = await olga.post(`announcements/${stopped.body.data.id}/stop`, { reason });
  expect(over.body.data).toMatchObject({ state: "stopped" });
  expect((await olga.post(`announcements/${stopped.body.data.id}/stop`, { reason })).body.code).toBe(
    "announcement_stopped",
  );
  expect((await olga.post("announcements", { ...letter, licensed_only: true, reason })).body.code).toBe(
    "announcement_differs",
  );
  const page = (await vera.get("announcements?limit=1")).body.data;
  expect(page.rows[0].subject).toBe("Wrong");
  expect((await vera.get(`announcements?limit=1&after=${page.next}`)).body.data.rows[0].id).toBe(id);
  expect((await vera.get("announcements/nothing")).status).toBe(404);
});

test("the command line announces nothing while mail is off", async () => {
  const { SMTP_URL: _, MAIL_FROM: __, ...settings } = settingsOf(stage);
  const file = `${stage.dataDir}/letter.md`;
  await Bun.write(file, "Off\n\nText");
  const off = await operateWith({ ...settings, MAIL: "off" }, "announce", "send", file, "--reason", reason);
  expect([off.code, off.err]).toEqual([1, expect.stringContaining("MAIL=off")]);
  expect((await operate(stage, "announce", "list")).out).not.toContain("Off ");
});
