import type { MailFate, PaymentDetails } from "@/contract/wire/desk/details";
import { formatTime } from "../../../parts/format-time";
import { Card, CardTitle } from "../../../ui/card";
import { SendAgain } from "./send-again";

/** What became of the receipt and of a gift's email. Nothing before the sale. */
export function Emails({ payment }: { payment: PaymentDetails }) {
  const { id, emails, status } = payment;
  if (emails.length === 0) return null;
  return (
    <Card aria-label="Emails" className="gap-4">
      <CardTitle>Emails</CardTitle>
      <ul className="flex flex-col gap-4 text-sm">
        {emails.map((email) => (
          <li key={email.letter} className="flex flex-wrap items-start gap-x-4 gap-y-2">
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-medium wrap-anywhere">
                {`${email.letter === "gift" ? "Gift" : "Receipt"} to ${email.to}`}
              </p>
              {storyOf(email).map((sentence) => (
                <p key={sentence} className="text-muted-foreground wrap-anywhere">
                  {sentence}
                </p>
              ))}
            </div>
            {email.refused_at !== null && status === "succeeded" && (
              <SendAgain payment={id} about={email.to} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What happened, the newest last. */
function storyOf({ accepted_at, refused_at, sent_again_at, waiting_since, next_try_at, words }: MailFate) {
  const told = [
    accepted_at && { at: accepted_at, text: `The mail server accepted it on ${timeOf(accepted_at)}.` },
    refused_at && {
      at: refused_at,
      text: `The mail server refused it on ${timeOf(refused_at)}${quoted(words)}`,
    },
    sent_again_at && { at: sent_again_at, text: `Staff sent it again on ${timeOf(sent_again_at)}.` },
    waiting_since && {
      at: waiting_since,
      text: `It has waited since ${timeOf(waiting_since)}${quoted(words)}`,
    },
    next_try_at && { at: next_try_at, text: `The shop tries again on ${timeOf(next_try_at)}.` },
  ].filter((one) => one !== null && one !== "");
  if (told.length === 0) return ["It hasn't been sent."];
  return told.toSorted((one, other) => one.at.localeCompare(other.at)).map(({ text }) => text);
}

const timeOf = (at: string) => formatTime(new Date(at));
const quoted = (words: string | null) => (words === null ? "." : `, and said “${words}”.`);
