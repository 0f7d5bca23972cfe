import { MessagePage } from "../../parts/message-page";

/** Shown instead of a screen that failed to render. */
export function Failed() {
  return (
    <MessagePage
      sign="!"
      title="Something went wrong"
      action={
        <button
          type="button"
          onClick={() => location.reload()}
          className="inline-flex h-12 items-center rounded-full border border-white/18 bg-white/4 px-7 font-medium hover:bg-white/10"
        >
          Try Again
        </button>
      }
    >
      This page could not be displayed. Please try again.
    </MessagePage>
  );
}
