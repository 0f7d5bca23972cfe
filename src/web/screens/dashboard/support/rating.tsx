import { Star } from "lucide-react";
import { type SyntheticEvent, useRef, useState } from "react";
import type { TicketDetails } from "@/contract/wire/tickets";
import { useRate } from "../../../api/tickets";
import { FormAlert } from "../../../parts/form-alert";
import { LongText, tooLong } from "../../../parts/long-text";
import { PatientButton } from "../../../parts/patient-button";
import { cn } from "../../../lib/utils";
import { Label } from "../../../ui/label";

const mostOfAComment = 1_000;

/** Stars for a closed ticket, with a comment. */
export function Rating({ ticket }: { ticket: TicketDetails }) {
  const [stars, choose] = useState(ticket.stars);
  const [comment, write] = useState(ticket.rating_comment ?? "");
  const rating = useRate(ticket.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (stars === null) return;
    if (tooLong(comment, mostOfAComment)) return field.current?.focus();
    const typed = comment.trim();
    rating.mutate({ stars, ...(typed === "" ? {} : { comment: typed }) });
  };
  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3 border-t pt-5">
      <fieldset>
        <legend className="text-sm font-medium">How did we do?</legend>
        <div className="mt-2 flex">
          {[1, 2, 3, 4, 5].map((count) => (
            <label
              key={count}
              className="cursor-pointer rounded-md p-2 has-focus-visible:ring-3 has-focus-visible:ring-ring"
            >
              <input
                type="radio"
                name="stars"
                className="sr-only"
                checked={stars === count}
                onChange={() => choose(count)}
                aria-label={count === 1 ? "1 star" : `${count} stars`}
              />
              <Star
                aria-hidden="true"
                className={cn(
                  "size-7 text-muted-foreground",
                  count <= (stars ?? 0) && "fill-primary text-link",
                )}
              />
            </label>
          ))}
        </div>
      </fieldset>
      {stars !== null && (
        <>
          <Label htmlFor="rating-comment">What could be better? (optional)</Label>
          <LongText
            id="rating-comment"
            ref={field}
            value={comment}
            most={mostOfAComment}
            onChange={({ target }) => write(target.value)}
          />
          <FormAlert problem={rating.error} />
          <PatientButton type="submit" variant="outline" call={rating} doing="Sending…">
            Send rating
          </PatientButton>
          <output className="text-sm text-muted-foreground">{rating.isSuccess ? "Thank you." : ""}</output>
        </>
      )}
    </form>
  );
}
