import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import { token } from "@/brand/token";
import type { Me } from "@/contract/wire/accounts";
import { isWithout } from "../../../page/without";
import type { Standing } from "../../../parts/licence/use-account-status";
import { StatusButton } from "../../../parts/licence/status-buttons";
import { Button } from "../../../ui/button";
import { cn } from "../../../lib/utils";
import type { Setup } from "./use-setup";

/** The first steps, which tick themselves; what runs on a computer is done there. */
export function FirstSteps({
  user,
  steps,
  standing,
}: {
  user: Me;
  steps: Setup["steps"];
  standing: Standing;
}) {
  const { status, known } = standing;
  const { reach } = known;
  const get = reach === "here" ? "download" : reach;
  const hasDiscord = !isWithout("discord");
  const button = (action: typeof get | "token") => (
    <StatusButton action={action} first={status.primary === action} status={status} user={user} />
  );
  return (
    <section aria-label="First steps" className="border-t">
      <ol
        className={cn("grid grid-cols-1 gap-x-8", token && hasDiscord ? "lg:grid-cols-3" : "lg:grid-cols-2")}
      >
        <Step number={1} done={steps.downloaded} action={button(get)}>
          {reach === "here" ? `Download ${brand.shortName}` : `Download ${brand.shortName} on your computer`}
        </Step>
        {token && (
          <Step number={2} done={steps.copied} action={reach === "here" && button("token")}>
            <span className="block">{token.step}</span>
            {reach !== "here" && <span className="block text-muted-foreground">On your computer</span>}
          </Step>
        )}
        {hasDiscord && (
          <Step
            number={token ? 3 : 2}
            done={steps.connected}
            action={
              <Button asChild variant="outline">
                <Link to="/dashboard/settings">Connect</Link>
              </Button>
            }
          >
            {brand.links.community ? (
              <>
                <DiscordLink />
                <span>, if you use it, and connect it for your role</span>
              </>
            ) : (
              "Connect Discord, if you use it, for your role"
            )}
          </Step>
        )}
      </ol>
    </section>
  );
}

export const DiscordLink = () => (
  <a
    href={brand.links.community}
    target="_blank"
    rel="noreferrer"
    className="rounded-sm text-link underline underline-offset-4"
  >
    Join the Discord
  </a>
);

type StepProps = { number: number; done: boolean; action: ReactNode; children: ReactNode };

function Step({ number, done, action, children }: StepProps) {
  return (
    <li data-done={done} className="flex gap-3 border-t py-3 first:border-t-0 lg:border-t-0">
      <span
        className={cn(
          "grid size-6 shrink-0 place-content-center rounded-full border text-xs font-medium",
          done ? "border-success/40 bg-success/15 text-success" : "border-input",
        )}
      >
        {done ? <Check aria-hidden="true" className="size-3.5" /> : <span aria-hidden="true">{number}</span>}
      </span>
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        <span className={cn("text-sm leading-6", done && "text-muted-foreground")}>
          <span>{children}</span>
          {done && <span className="sr-only"> (done)</span>}
        </span>
        {!done && <div className="flex max-w-full flex-col items-start gap-2">{action}</div>}
      </div>
    </li>
  );
}
