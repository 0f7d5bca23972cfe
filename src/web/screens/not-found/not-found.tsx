import { texts } from "@/contract/texts";
import { LonePage } from "../../parts/lone-page";

/** Shown for every unknown path; the server answers 404. */
export function NotFound() {
  return (
    <LonePage sign="404" title={texts.notFound}>
      The address may be mistyped, or the page may have moved.
    </LonePage>
  );
}
