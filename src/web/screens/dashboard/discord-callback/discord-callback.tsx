import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { Link } from "react-router";
import { discordCallbackQuery, discordQuery } from "../../../api/discord";
import { usePrivateParameters } from "../../../hooks/use-private-parameters";
import { Spinner } from "../../../parts/spinner";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { answeredByDiscord, failed, lookOf, type Outcome } from "./outcome";

/** Where Discord redirects the browser, with a code or an error. */
export function DiscordCallback() {
  const brought = usePrivateParameters(["code", "state", "error"]);
  const answered = answeredByDiscord(brought);
  const { code = "", state = "" } = brought;
  const asked = useQuery(discordCallbackQuery(answered ? null : { code, state }));
  const outcome = answered ?? (asked.error ? failed(asked.error) : asked.data);
  return (
    <div className="mx-auto w-full max-w-xl">
      {outcome && !asked.isFetching ? (
        <Result outcome={outcome} onRefresh={() => void (answered ?? asked.refetch())} />
      ) : (
        <Verifying />
      )}
    </div>
  );
}

function Verifying() {
  return (
    <Card className="min-h-80 items-center justify-center text-center" aria-label="Discord" aria-busy="true">
      <Spinner className="size-10 text-link" />
      <h1 className="text-lg font-medium">
        <output>Verifying…</output>
      </h1>
    </Card>
  );
}

function Result({ outcome, onRefresh }: { outcome: Outcome; onRefresh: () => void }) {
  const { title, text, joinUrl } = useNews(outcome);
  const { name, icon: Icon, colours } = lookOf(title);
  return (
    <Card className="relative min-h-80 justify-center gap-8" aria-label="Discord">
      <Button
        variant="ghost"
        size="icon"
        aria-label="Refresh status"
        className="absolute top-3 right-3 text-muted-foreground"
        onClick={onRefresh}
      >
        <RefreshCw />
      </Button>
      <output className="flex flex-col items-center gap-4 px-6 pt-4 text-center">
        <span
          data-outcome={name}
          className={cn("grid size-16 place-content-center rounded-full ring-1 ring-inset", colours)}
        >
          <Icon aria-hidden="true" className="size-8" />
        </span>
        <div className="flex flex-col gap-2">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          <p className="mx-auto max-w-md text-sm text-balance text-muted-foreground">{text}</p>
        </div>
      </output>
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-center">
        {joinUrl && (
          <Button asChild size="lg">
            <a href={joinUrl} target="_blank" rel="noreferrer">
              Join the server
              <span className="sr-only">(opens in a new tab)</span>
            </a>
          </Button>
        )}
        <Button asChild size="lg" variant={joinUrl ? "outline" : "default"}>
          <Link to="/dashboard/settings">Back to settings</Link>
        </Button>
      </div>
    </Card>
  );
}

/** A pending role may have been granted since, so the pending page polls. */
function useNews(outcome: Outcome): Outcome & { joinUrl: string | null } {
  const pending = outcome.title === "Pending";
  const { data } = useQuery({ ...discordQuery, enabled: pending });
  if (!pending || !data?.connected) return { ...outcome, joinUrl: null };
  if (data.role.held) return { title: "Success", text: data.role.sentence, joinUrl: null };
  return { title: outcome.title, text: data.role.sentence, joinUrl: data.role.join_url };
}
