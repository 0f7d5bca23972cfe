import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { discordCallbackQuery, discordQuery } from "../../../api/discord";
import { usePrivateParameters } from "../../../hooks/use-private-parameters";
import { OutcomeCard, Verifying } from "../../../parts/outcome-card";
import { Button } from "../../../ui/button";
import { answeredByDiscord, failed, type Outcome, outcomeOf } from "./outcome";

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
        <Verifying label="Discord">Verifying…</Verifying>
      )}
    </div>
  );
}

function Result({ outcome, onRefresh }: { outcome: Outcome; onRefresh: () => void }) {
  const { title, text, joinUrl } = useNews(outcome);
  return (
    <OutcomeCard
      label="Discord"
      className="min-h-96 justify-center gap-8"
      outcome={outcomeOf(title)}
      title={title}
      text={text}
      onRefresh={onRefresh}
    >
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
    </OutcomeCard>
  );
}

/** Polls while the role is pending, because Discord may have granted it since. */
function useNews(outcome: Outcome): Outcome & { joinUrl: string | null } {
  const pending = outcome.title === "Pending";
  const { data } = useQuery({ ...discordQuery, enabled: pending });
  if (!pending || !data?.connected) return { ...outcome, joinUrl: null };
  if (data.role.held) return { title: "Success", text: data.role.sentence, joinUrl: null };
  return { title: outcome.title, text: data.role.sentence, joinUrl: data.role.join_url };
}
