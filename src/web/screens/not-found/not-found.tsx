import { texts } from "@/contract/texts";
import { LonePage } from "../../parts/lone-page";

/** Shown for every path that is no page, with a real 404 from the server. */
export function NotFound() {
  return (
    <LonePage sign="404" title={texts.notFound}>
      The address may be mistyped, or what was there has moved.
    </LonePage>
  );
}
