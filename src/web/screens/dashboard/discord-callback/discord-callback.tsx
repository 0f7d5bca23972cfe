import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { discordCallbackQuery, discordQuery } from "../../../api/discord";
import { usePrivateParameters } from "../../../hooks/use-private-parameters";
import { OutcomeCard } from "../../../parts/outcome-card";
import { Button } from "../../../ui/button";
import { answeredByDiscord, failed, type Outcome, linkOutcome } from "./outcome";

/** Where Discord redirects the browser, with a code or an error. */
export function DiscordCallback() {
  const brought = usePrivateParameters(["code", "state", "error"]);
  const answered = answeredByDiscord(brought);
  const { code = "", state = "" } = brought;
  const asked = useQuery(discordCallbackQuery(answered ? null : { code, state }));
  const outcome = answered ?? (asked.error ? failed(asked.error) : asked.data);
  const news = useNews(asked.isFetching ? undefined : outcome);
  const joinUrl = news?.joinUrl;
  return (
    <div className="mx-auto w-full max-w-xl">
      <OutcomeCard
        label="Discord"
        className="min-h-96 gap-8"
        verifying="Verifying…"
        known={
          news
            ? {
                outcome: linkOutcome(news.title),
                title: news.title,
                text: news.text,
                onRefresh: () => void (answered ?? asked.refetch()),
              }
            : null
        }
      >
        <div key={news?.title} className="flex flex-col gap-3 sm:flex-row sm:justify-center">
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
    </div>
  );
}

/** Polls while the role is pending, because Discord may have granted it since. */
function useNews(outcome: Outcome | undefined): (Outcome & { joinUrl: string | null }) | null {
  const pending = outcome?.title === "Pending";
  const { data } = useQuery({ ...discordQuery, enabled: pending });
  if (!outcome) return null;
  if (!pending || !data?.connected) return { ...outcome, joinUrl: null };
  if (data.role.held) return { title: "Success", text: data.role.sentence, joinUrl: null };
  return { title: outcome.title, text: data.role.sentence, joinUrl: data.role.join_url };
}
