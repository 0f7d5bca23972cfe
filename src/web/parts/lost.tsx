import { useEffect, useState } from "react";
import { deliverNotices } from "../page/notices";
import type { LoadFailure } from "../page/load-failure";

/** Props of the message that replaces a part whose code did not arrive. */
export type LostProps = { loss: LoadFailure; trying: boolean; onRetry: () => void };

/** Replaces a whole page. */
export function LostPage(props: LostProps) {
  return (
    <main className="grid min-h-dvh place-content-center px-6 py-24">
      <Message {...props} what="This page" Heading="h1" />
    </main>
  );
}

/** Replaces a part of a page. */
export function LostPart(props: LostProps) {
  return <Message {...props} what="This part" Heading="p" />;
}

/** At the lower edge of the window, for a part without a fixed place, or whose markup is still readable. */
export function LostBar({ loss, trying, onRetry }: LostProps) {
  return (
    <div role="alert" className="lost-bar">
      <span>{loss === "offline" ? "You're offline" : "A part of this page could not be loaded"}</span>
      <Retry trying={trying} onRetry={onRetry} />
    </div>
  );
}

/** Replaces the toasts: the newest notice, as plain text. */
export function PlainNotices() {
  const [text, setText] = useState("");
  useEffect(() => deliverNotices((notice) => setText(notice.text)), []);
  return (
    <div role="alert" className={text && "lost-bar"}>
      {text}
    </div>
  );
}

function Message({ loss, what, Heading, ...retry }: LostProps & { what: string; Heading: "h1" | "p" }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-4 py-10 text-center">
      <Heading className="text-lg font-semibold">
        {loss === "offline" ? "You're offline" : `${what} could not be loaded`}
      </Heading>
      <p className="text-sm text-soft">
        {loss === "offline" ? "This page loads when you're back online." : "Please try again."}
      </p>
      <Retry {...retry} />
    </div>
  );
}

function Retry({ trying, onRetry }: Pick<LostProps, "trying" | "onRetry">) {
  return (
    <button type="button" aria-busy={trying} onClick={onRetry} className="button-light h-11 px-6">
      Retry
    </button>
  );
}
