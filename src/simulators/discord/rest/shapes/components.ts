import { z } from "zod";

/** Rows of buttons in messages, and text fields in forms. Source: Discord's page "Component Reference". */

const id = z.int().nonnegative().optional();
const customId = z.string().min(1).max(100);
const emoji = z.object({ id: z.string().optional(), name: z.string().optional() });

const look = { type: z.literal(2), id, disabled: z.boolean().optional() };
const words = { label: z.string().max(80).optional(), emoji: emoji.optional() };
const link = z
  .string()
  .max(512)
  .regex(/^(https?|discord):\/\//);
const button = z.discriminatedUnion("style", [
  z.object({ ...look, ...words, style: z.literal(5), url: link }),
  z.object({ ...look, ...words, style: z.union([z.literal([1, 2, 3, 4])]), custom_id: customId }),
]);
export type Button = z.infer<typeof button>;

const row = z.object({ type: z.literal(1), id, components: z.array(button).min(1).max(5) });
export type Row = z.infer<typeof row>;

/** The components that a message may hold. */
export const rows = z.array(row).max(5).refine(areDistinct, "Component custom id cannot be duplicated");

const textInput = z.object({
  type: z.literal(4),
  id,
  custom_id: customId,
  style: z.union([z.literal([1, 2])]),
  min_length: z.int().min(0).max(4000).optional(),
  max_length: z.int().min(1).max(4000).optional(),
  required: z.boolean().optional(),
  value: z.string().max(4000).optional(),
  placeholder: z.string().max(100).optional(),
});
const label = z.object({
  type: z.literal(18),
  id,
  label: z.string().min(1).max(45),
  description: z.string().max(100).optional(),
  component: textInput,
});

export const form = z.object({
  custom_id: customId,
  title: z.string().min(1).max(45),
  components: z.array(label).min(1).max(5).refine(areDistinct, "Component custom id cannot be duplicated"),
});

export type Form = z.infer<typeof form>;

type Part = { id?: number; custom_id?: string; components?: Part[]; component?: Part };

/** Numbers every component that has no number, in reading order, like Discord. */
export function numbered<P extends Part>(parts: readonly P[]): P[] {
  const copy = [...structuredClone(parts)];
  const all = copy.flatMap(inOrder);
  const taken = new Set(all.map((one) => one.id));
  let last = 0;
  for (const one of all) {
    if (one.id) continue;
    do last += 1;
    while (taken.has(last));
    one.id = last;
  }
  return copy;
}

const partsOf = ({ components, component }: Part): Part[] => components ?? (component ? [component] : []);

/** A component and its descendants. */
const inOrder = (one: Part): Part[] => [one, ...partsOf(one).flatMap(inOrder)];

function areDistinct(parts: readonly Part[]): boolean {
  const ids = parts.flatMap(partsOf).map(({ custom_id }) => custom_id);
  const own = ids.filter((one) => one !== undefined);
  return new Set(own).size === own.length;
}
