import { ChevronDown } from "lucide-react";
import { giftWords } from "@/contract/vocabulary/gift-words";

/** A preview of the email to a gift's receiver, from what is typed. The real one has the key once the gift is paid. */
export function GiftPreview({ product, from, message }: { product: string; from: string; message: string }) {
  const words = giftWords(product, from.trim() || null);
  return (
    <details
      className="group scroll-mt-4 rounded-lg border"
      // else it opens behind the price and the button, which stay in view
      onToggle={({ currentTarget: preview }) => preview.open && preview.scrollIntoView({ block: "start" })}
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-4 px-4 py-2.5 text-sm font-medium [&::-webkit-details-marker]:hidden">
        Preview their email
        <ChevronDown
          aria-hidden="true"
          className="size-4 shrink-0 text-muted-foreground transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="flex flex-col gap-3 border-t px-4 py-4 text-sm">
        <p className="text-muted-foreground">Subject: {words.subject}</p>
        <p className="text-lg font-semibold">{words.heading}</p>
        <p className="break-words">{words.gives}</p>
        {message.trim() && (
          <>
            <p className="break-words">{words.wrote}</p>
            <blockquote
              dir="auto"
              className="border-l-2 pl-3 break-words whitespace-pre-wrap text-muted-foreground"
            >
              {message.trim()}
            </blockquote>
          </>
        )}
        <p>{words.activate}</p>
        <p className="rounded-md border border-ring/60 bg-muted px-3 py-2.5 text-center text-muted-foreground">
          Their license key
        </p>
      </div>
    </details>
  );
}
