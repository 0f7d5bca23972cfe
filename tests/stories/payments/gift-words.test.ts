import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { payments } from "@/domain/schema/payments";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo, member } from "../accounts/people";

const why = ["--reason", "a story"];
const openCheckout = (stage: Stage, gift: object) =>
  stage.person().post("/api/stripe/create-checkout-session", {
    currency: "usd",
    gift: { email: "bob@example.com", ...gift },
  });

async function buyGift(stage: Stage, gift: object) {
  const { body } = await openCheckout(stage, gift);
  await stage.atStripe("pay", { session: body.data.id, email: "buyer@example.com" });
  await stage.person().get(`/api/stripe/verify-payment?session_id=${body.data.id}`);
  return body.data.id as string;
}

test("a gift's message is quoted after the giver's name, in HTML and in text", async () => {
  await using stage = await openStage();
  await buyGift(stage, { from: "J.R.", message: "Your license has expired.\r\n\r\n<b>Pay</b> 3.14 again" });
  const [email] = await mailsTo(stage, "bob@example.com");
  expect(email?.text).toContain("J.R. wrote:\n\n> Your license has expired.\n>\n> <b>Pay</b> 3.14 again\n\n");
  const [, quotation = ""] =
    /J\.R\. wrote:<\/p><blockquote[^>]*>(.*?)<\/blockquote>/s.exec(email?.html ?? "") ?? [];
  expect(quotation.replace(/<[^>]+>/g, "|")).toBe(
    "|Your license has expired.||||&lt;b&gt;Pay&lt;/b&gt; 3.14 again|",
  );
  await buyGift(stage, { message: "Hello" });
  expect((await mailsTo(stage, "bob@example.com"))[0]?.text).toContain("Someone wrote:\n\n> Hello\n");
});

test("a name or message that mail programs would turn into a link is refused at its field", async () => {
  await using stage = await openStage();
  for (const field of ["from", "message"]) {
    for (const words of [
      "see example.com",
      "t.me/x",
      "www.x",
      "10.0.0.1",
      "a@b",
      "example。com",
      "\u202eliar",
    ]) {
      const { status, body } = await openCheckout(stage, { [field]: words });
      expect([words, status, body.code, body.field]).toEqual([words, 400, "invalid_field", `gift.${field}`]);
      expect(body.data).toBe(
        `Write the ${field === "from" ? "name" : "message"} without web or email addresses, and leave a space after each period.`,
      );
    }
    expect((await openCheckout(stage, { [field]: "J.R. paid 3.14" })).status).toBe(200);
  }
});

test("an earlier order's name or message that would be refused today is left out of its email", async () => {
  await using stage = await openStage();
  const session = await buyGift(stage, { from: "Ada", message: "Hello" });
  await mailsTo(stage, "bob@example.com");
  const earlier = { giftFrom: "evil.example.com", giftMessage: "Sign in at evil.example.com" };
  await stage.ctx.store.db.update(payments).set(earlier).where(eq(payments.sessionId, session));
  await operated(stage, "payments", "resend", session, ...why);
  const [email] = await mailsTo(stage, "bob@example.com");
  expect(email?.text).toContain("Someone sent you");
  expect(`${email?.text}${email?.html}`).not.toContain("evil");
});

test("a confirmation that support sends to a stranger names no account that reads as a link", async () => {
  await using stage = await openStage();
  const person = stage.person();
  const account = { username: "evil.com", email: "evil@example.com", password: "a long enough phrase" };
  await person.post("/api/auth/register", { ...account, key: await stage.handOut(), timezone: "UTC" });
  await member(stage, "ada");
  await operated(stage, "accounts", "change-email", "evil.com", "stranger@example.com", ...why);
  await operated(stage, "accounts", "change-email", "ada", "other@example.com", ...why);
  const [email] = await mailsTo(stage, "stranger@example.com");
  expect(email?.text).toContain("e•••m");
  expect(`${email?.text}${email?.html}`).not.toContain("evil.com");
  expect((await mailsTo(stage, "other@example.com"))[0]?.text).toContain("ada");
});
