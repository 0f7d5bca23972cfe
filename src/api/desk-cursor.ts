import { createHash } from "node:crypto";
import type { DeskList } from "@/contract/wire/desk/lists";
import { cursorOf, placeOf } from "@/contract/wire/pages";
import type { Place } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";

type Filters = Record<string, string | undefined>;

/** The place where a page of a list ends, opaque to clients and valid only with the same filters. */
export const deskCursor = (list: DeskList, filters: Filters, place: Place): string =>
  `${cursorOf(place)}.${markOf(list, filters)}`;

/** The place after which a page begins; null for the first page. Refuses a cursor of another list or other filters. */
export function deskPlace(list: DeskList, filters: Filters, cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const [place = "", mark] = cursor.split(/\.(?=[^.]*$)/);
  const read = mark === markOf(list, filters) ? placeOf(place) : null;
  if (read) return read;
  const sentence = "after must be what `next` said, with the same filters";
  throw new Refusal("invalid_field", { field: "after", sentence });
}

function markOf(list: DeskList, filters: Filters): string {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined);
  const text = JSON.stringify([list, ...set.toSorted(([one], [other]) => (one < other ? -1 : 1))]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}
