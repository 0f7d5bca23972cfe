import { z } from "zod";
import type { Component } from "../../rows";

/** Rows of buttons in messages, and text fields in forms. Source: Discord's page "Component Reference". */

const id = z.int().nonnegative().optional();
const customId = z.string().min(1).max(100);
const emoji = z.object({
  id: z.string().nullish(),
  name: z.string().nullish(),
  animated: z.boolean().optional(),
});

const button = z
  .object({
    type: z.literal(2),
    id,
    style: z.union([z.literal([1, 2, 3, 4, 5])]),
    label: z.string().max(80).optional(),
    emoji: emoji.optional(),
    custom_id: customId.optional(),
    url: z
      .string()
      .max(512)
      .regex(/^(https?|discord):\/\//)
      .optional(),
    disabled: z.boolean().optional(),
  })
  .superRefine(({ style, url, custom_id, label, emoji: picture }, context) => {
    const link = style === 5;
    if (link && url === undefined) complain(context, ["url"], "BASE_TYPE_REQUIRED");
    if (!link && custom_id === undefined) complain(context, ["custom_id"], "BASE_TYPE_REQUIRED");
    if (link && custom_id !== undefined) complain(context, ["custom_id"], "BUTTON_COMPONENT_CUSTOM_ID_URL");
    if (label === undefined && picture === undefined)
      complain(context, ["label"], "BUTTON_COMPONENT_INVALID_LABEL");
  });

const row = z.object({ type: z.literal(1), id, components: z.array(button).min(1).max(5) });

/** What a message may hold. */
export const rows = z.array(row).max(5).superRefine(mustBeDistinct);

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
  components: z.array(label).min(1).max(5).superRefine(mustBeDistinct),
});

/** Numbers every component that has no number, as Discord does, in the order in which they are read. */
export function numbered(components: readonly object[]): Component[] {
  const copy = structuredClone(components) as Component[];
  const all = inOrder(copy);
  const taken = new Set(all.map((one) => one.id));
  let last = 0;
  for (const one of all) {
    if (one.id > 0) continue;
    do last += 1;
    while (taken.has(last));
    one.id = last;
  }
  return copy;
}

/** Every component, each followed by those inside it. */
export function inOrder(components: readonly Component[]): Component[] {
  return components.flatMap((one) => [one, ...inOrder(partsOf(one))]);
}

function partsOf({ components, component }: Component): Component[] {
  return (components ?? (component ? [component] : [])) as Component[];
}

function mustBeDistinct(components: readonly object[], context: z.RefinementCtx) {
  const seen = new Set<unknown>();
  for (const [place, outer] of components.entries())
    for (const [index, { custom_id: own }] of partsOf(outer as Component).entries()) {
      if (own !== undefined && seen.has(own))
        complain(
          context,
          [place, "components", index, "custom_id"],
          "COMPONENT_CUSTOM_ID_DUPLICATED",
          "Component custom id cannot be duplicated",
        );
      seen.add(own);
    }
}

function complain(
  context: z.RefinementCtx,
  path: (string | number)[],
  code: string,
  message = "This field is required",
) {
  context.addIssue({ code: "custom", path, message, params: { code } });
}
