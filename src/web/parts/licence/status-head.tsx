import { Fragment } from "react";
import { cn } from "../../lib/utils";
import { CardTitle } from "../../ui/card";
import type { AccountStatus } from "./account-status";
import { LicenceCircle } from "./licence-circle";
import { withRole } from "./with-role";

/** Where a customer stands, as an icon, a title and a sentence. */
export function StatusHead({ status: { state, title, sentence, licence } }: { status: AccountStatus }) {
  const more = state === "expired" && licence ? expired(licence.level.name) : next[state];
  return (
    <div className="flex min-w-0 flex-wrap gap-4">
      <LicenceCircle state={state} />
      <div className="flex min-h-10 min-w-0 flex-1 basis-32 flex-col justify-center gap-1.5">
        <CardTitle className="text-pretty">
          <Title parts={title} />
        </CardTitle>
        {sentence && (
          <p data-slot="sentence" className="max-w-prose text-sm text-soft">
            {sentence}
          </p>
        )}
        {more && <More paragraphs={more} />}
      </div>
    </div>
  );
}

/** `Wisp Premium · Active · until Dec 23, 2026`, which wraps between its parts. */
function Title({ parts }: { parts: readonly string[] }) {
  return parts.map((part, at) => (
    <Fragment key={part}>
      {at > 0 && " "}
      <span className={cn("inline-block max-w-full", at > 0 && "font-medium text-soft")}>
        {at < parts.length - 1 ? `${part} ·` : part}
      </span>
    </Fragment>
  ));
}

function More({ paragraphs }: { paragraphs: readonly string[] }) {
  return (
    <details className="text-sm text-soft">
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-link underline underline-offset-4 md:min-h-6">
        What happens now
      </summary>
      {paragraphs.map((text) => (
        <p key={text} className="mt-2 max-w-prose">
          {text}
        </p>
      ))}
    </details>
  );
}

const expired = (level: string) => [
  `${withRole("Downloads", level)} ended with it. Your account is still here.`,
];

/** What happens now. */
const next: Partial<Record<AccountStatus["state"], readonly string[]>> = {
  disputed: [
    "If the bank decides for us or the dispute is withdrawn, your license comes back. If not, it ends.",
    "Didn't mean to dispute it? Ask your bank to withdraw the dispute, and write to us.",
  ],
  suspended: ["It works again as soon as support lifts the suspension. Ask if you don't know the reason."],
  refunded: ["The money goes back to the payment method you used, which can take up to ten days."],
  revoked: ["A revoked license doesn't come back. If you think this is a mistake, write to us."],
  other_mode: ["If you paid real money for it, write to us."],
};
