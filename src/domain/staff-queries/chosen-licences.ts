import type { DeskFilters } from "@/contract/wire/desk/lists";
import type { Ctx } from "@/core/database/context";
import { everyPage } from "@/core/database/pages";
import { licenceList, licencesWith } from "./licences";
import { pageOfPlaces } from "./newest";

const together = 250;

/**
 * The ids of all licences that the filters of the desk's list find, newest first, a page at a time. A page begins after
 * the last row of the page before, so that no licence comes twice.
 */
export async function* licencesChosen(ctx: Ctx, filters: DeskFilters<"licences">): AsyncGenerator<string[]> {
  const which = await licencesWith(ctx, filters);
  const pages = everyPage(
    (after, most) => pageOfPlaces(ctx, licenceList, which, { after, most }),
    (place) => place,
    together,
  );
  for await (const page of pages) yield page.map(({ id }) => id);
}
