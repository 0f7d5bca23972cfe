import { notice } from "../../notice";
import { noPayload } from "@/core/database/topic";
import { levelNameOf, levelToGive } from "../../levels/list";
import { codes, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";
import { issuedKeys } from "../for-staff";
import { expectJob } from "../queries";

/** More keys than this are attached as a file, because mail programs cut long emails off. */
const mostShown = 50;

/** Mails the keys that a job issued, all in one email; the subject is the job's id. */
export const issuedKeysEmail = emailTemplate({
  name: "mail.issued-keys",
  payload: noPayload,
  async prepare(ctx, { topic, subject }) {
    const { email: to, days, level } = await expectJob(ctx, subject);
    if (to === null) return null;
    const keys = (await Array.fromAsync(issuedKeys(ctx, subject))).flat();
    if (keys.length === 0) return null;
    const sentence = "The mail server rejected the email with the license keys that staff issued.";
    return {
      to,
      id: `issued-keys.${subject}`,
      email: writeIssuedKeys({
        productName: await levelNameOf(ctx, level ?? (await levelToGive(ctx, undefined)).id),
        keys,
        days,
      }),
      about: { subject },
      rejected: () => notice(ctx, `${topic}:${subject}`, { kind: "letter rejected", sentence }),
    };
  },
});

type Content = { productName: string; keys: string[]; days: number | null };

/** Keys that staff issued. */
export function writeIssuedKeys({ productName, keys, days }: Content): Email {
  const isOne = keys.length === 1;
  const many = isOne ? `Your ${productName} license key` : `Your ${keys.length} ${productName} license keys`;
  const term = days === null ? "for life" : `for ${days} ${days === 1 ? "day" : "days"} from its first use`;
  const isFile = keys.length > mostShown;
  return {
    kind: "issued-keys",
    subject: many,
    preheader: `${many}, each valid ${term}.`,
    blocks: [
      heading(many),
      paragraph(
        isOne
          ? `We issued a license for you. It is valid ${term}:`
          : `We issued ${keys.length} licenses for you. Each is valid ${term}${isFile ? ". The attached file has their keys, one per line." : ":"}`,
      ),
      ...(isFile ? [] : [codes(...keys)]),
      paragraph("Register an account with a key, or add it to your account on the License page."),
    ],
    ...(isFile ? { attachment: { name: "license-keys.txt", text: `${keys.join("\n")}\n` } } : {}),
    why: "You're receiving this because we issued these licenses to this address.",
  };
}
