import { useQuery } from "@tanstack/react-query";
import { listLevels } from "@/contract/operations/levels";
import { hour } from "@/contract/vocabulary/time";
import type { LevelRow } from "@/contract/wire/desk/levels";
import { itemQuery } from "../../../api/desk/collections";

/** Every level, retired ones too, the lowest first. */
export function useLevels(): readonly LevelRow[] {
  const { data } = useQuery({ ...itemQuery(listLevels, { limit: 100 }), staleTime: hour });
  return data?.rows ?? none;
}

const none: readonly LevelRow[] = [];

/** The levels that can be sold and given, to choose from; null in a shop with one level, where nobody is asked. */
export const levelChoices = (levels: readonly LevelRow[]): Record<string, string> | null =>
  levels.length < 2
    ? null
    : Object.fromEntries(levels.flatMap(({ id, name, retired_at }) => (retired_at ? [] : [[id, name]])));

/** Whether a level says anything: in a shop with one it isn't shown. */
export const useHasLevels = (): boolean => useLevels().length > 1;
