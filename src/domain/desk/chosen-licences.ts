import type { DeskFilters } from "@/contract/desk/lists";
import type { Ctx } from "@/core/context";
import { othersTurn } from "@/core/others-turn";
import type { Place } from "@/core/pages";
import { licenceList, licencesWith } from "./licences";
import { placesOf } from "./newest";

const most = 250;

/**
 * The ids of all licences that a filter of the desk's list finds, newest first, a page at a time; each page goes on
 * after the last one's place, so that none comes twice.
 */
export async function* licencesChosen(ctx: Ctx, filters: DeskFilters<"licences">): AsyncGenerator<string[]> {
  const which = await licencesWith(ctx, filters);
  for (let after: Place | null = null; ;) {
    const page: Place[] = await placesOf(ctx, licenceList, which, { after, most });
    if (page.length > 0) yield page.map(({ id }) => id);
    if (page.length < most) return;
    after = page.at(-1) ?? null;
    await othersTurn();
  }
}
