import { earlyPlaces } from "../../../page/early";
import { useHydrated } from "../../../hooks/use-hydrated";
import { Card } from "../../../ui/card";
import { Skeleton } from "../../../ui/skeleton";

/**
 * Shown in place of the card with the account's status until the account's data and the app's code have loaded.
 * The page's own script writes the same words into it as soon as it has the data (`early-status.ts`).
 */
export function EarlyStatusCard() {
  const hydrated = useHydrated();
  const words = hydrated ? window.earlyStanding : undefined;
  return (
    <Card className="min-h-40 flex-row flex-wrap items-start gap-4">
      <Skeleton className="size-10 shrink-0 rounded-full" />
      <div className="flex min-h-10 min-w-0 flex-1 basis-32 flex-col justify-center gap-1.5">
        {earlyPlaces.map((name) => {
          const place = { "data-early": name, className: looks[name] };
          // React leaves alone what the script has written, or writes later
          const itsOwn = { suppressHydrationWarning: true, dangerouslySetInnerHTML: { __html: "" } };
          return words ? (
            <p key={`told ${name}`} {...place}>
              {words[name]}
            </p>
          ) : (
            <p key={name} {...place} {...itsOwn} />
          );
        })}
      </div>
    </Card>
  );
}

const waiting = "empty:animate-pulse empty:rounded-md empty:bg-secondary";
const looks = {
  title: `text-base leading-tight font-semibold text-pretty empty:h-6 empty:w-56 ${waiting}`,
  sentence: "max-w-prose text-sm text-soft empty:hidden",
};
