import type { LevelRow } from "../schema/levels";

/*
 * What the levels of a shop contain. Nothing here reads or writes.
 */

export type Level = Pick<LevelRow, "id" | "name" | "includesBefore" | "features">;

/** A level as orders, prices and answers name it. */
export type LevelName = Pick<LevelRow, "id" | "name">;

/** A shop's levels in their order, the lowest first, retired ones included. */
export type Ladder = readonly Level[];

/**
 * Whether one level contains another: it is the same, or it comes later and it and all between include the one before.
 * A level that the shop doesn't have contains itself.
 */
export function contains(ladder: Ladder, level: string, other: string): boolean {
  if (level === other) return true;
  const [upper, lower] = [level, other].map((id) => ladder.findIndex((one) => one.id === id));
  if (upper === undefined || lower === undefined || lower < 0 || upper < lower) return false;
  return ladder.slice(lower + 1, upper + 1).every(({ includesBefore }) => includesBefore);
}

/** The ids of the levels that a level contains, without its own. */
export const containedIn = (ladder: Ladder, level: string): string[] =>
  ladder.flatMap(({ id }) => (id !== level && contains(ladder, level, id) ? [id] : []));

/** The features of a level and of those that it contains, each once, sorted. */
export function featuresOf(ladder: Ladder, level: string): string[] {
  const contained = ladder.filter(({ id }) => contains(ladder, level, id));
  return [...new Set(contained.flatMap(({ features }) => features))].toSorted();
}

/** The highest level of some licences, named by its id if the shop doesn't have it; null of none. */
export function levelIn(ladder: Ladder, among: readonly { level: string }[]): LevelName | null {
  const [first] = among;
  if (!first) return null;
  const highest = ladder.findLast(({ id }) => among.some(({ level }) => level === id));
  const { id, name } = highest ?? { id: first.level, name: first.level };
  return { id, name };
}

/** The features of some licences, each once, sorted. */
export function featuresIn(ladder: Ladder, among: readonly { level: string }[]): string[] {
  const held = new Set(among.map(({ level }) => level));
  return [...new Set([...held].flatMap((level) => featuresOf(ladder, level)))].toSorted();
}
