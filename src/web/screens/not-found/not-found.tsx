import { texts } from "@/contract/vocabulary/texts";
import { MessagePage } from "../../parts/message-page";

/** Shown for every unknown path; the server answers 404. */
export function NotFound() {
  return (
    <MessagePage sign="404" title={texts.notFound}>
      The address may be mistyped, or the page may have moved.
    </MessagePage>
  );
}
