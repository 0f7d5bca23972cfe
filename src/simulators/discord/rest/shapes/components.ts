import { z } from "zod";
import type { Component } from "../../store/rows";

/** Components of messages and forms, by type number. Source: Discord's page "Component Reference". */

const id = z.int().nonnegative().optional();
const customId = z.string().min(1).max(100);
const emoji = z.object({
  id: z.string().nullish(),
  name: z.string().nullish(),
  animated: z.boolean().optional(),
});
const media = z.object({
  url: z
    .string()
    .max(2048)
    .regex(/^(https?|attachment):\/\//),
});

const button = z
  .object({
    type: z.literal(2),
    id,
    style: z.union([z.literal([1, 2, 3, 4, 5, 6])]),
    label: z.string().max(80).optional(),
    emoji: emoji.optional(),
    custom_id: customId.optional(),
    url: z
      .string()
      .max(512)
      .regex(/^(https?|discord):\/\//)
      .optional(),
    sku_id: z.string().optional(),
    disabled: z.boolean().optional(),
  })
  .superRefine((given, context) => {
    const link = given.style === 5;
    if (link && given.url === undefined) complain(context, "url", "BASE_TYPE_REQUIRED");
    if (!link && given.style !== 6 && given.custom_id === undefined)
      complain(context, "custom_id", "BASE_TYPE_REQUIRED");
    if (link && given.custom_id !== undefined)
      complain(context, "custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL");
    if (given.label === undefined && given.emoji === undefined && given.style !== 6)
      complain(context, "label", "BUTTON_COMPONENT_INVALID_LABEL");
  });

const option = z.object({
  label: z.string().min(1).max(100),
  value: z.string().min(1).max(100),
  description: z.string().max(100).optional(),
  emoji: emoji.optional(),
  default: z.boolean().optional(),
});
const pick = {
  id,
  custom_id: customId,
  placeholder: z.string().max(150).optional(),
  min_values: z.int().min(0).max(25).optional(),
  max_values: z.int().min(1).max(25).optional(),
  disabled: z.boolean().optional(),
  required: z.boolean().optional(),
};
const defaults = z.array(z.object({ id: z.string(), type: z.enum(["user", "role", "channel"]) })).max(25);
const stringSelect = z.object({ type: z.literal(3), ...pick, options: z.array(option).min(1).max(25) });
const userSelect = z.object({ type: z.literal(5), ...pick, default_values: defaults.optional() });
const roleSelect = z.object({ type: z.literal(6), ...pick, default_values: defaults.optional() });
const mentionableSelect = z.object({ type: z.literal(7), ...pick, default_values: defaults.optional() });
const channelSelect = z.object({
  type: z.literal(8),
  ...pick,
  channel_types: z.array(z.int()).optional(),
  default_values: defaults.optional(),
});
const selects = [stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect] as const;

const textInput = z.object({
  type: z.literal(4),
  id,
  custom_id: customId,
  style: z.union([z.literal([1, 2])]),
  label: z.string().min(1).max(45).optional(),
  min_length: z.int().min(0).max(4000).optional(),
  max_length: z.int().min(1).max(4000).optional(),
  required: z.boolean().optional(),
  value: z.string().max(4000).optional(),
  placeholder: z.string().max(100).optional(),
});

const row = z.object({
  type: z.literal(1),
  id,
  components: z
    .array(z.discriminatedUnion("type", [button, ...selects]))
    .min(1)
    .max(5),
});
const text = z.object({ type: z.literal(10), id, content: z.string().min(1).max(4000) });
const thumbnail = z.object({
  type: z.literal(11),
  id,
  media,
  description: z.string().max(1024).nullish(),
  spoiler: z.boolean().optional(),
});
const section = z.object({
  type: z.literal(9),
  id,
  components: z.array(text).min(1).max(3),
  accessory: z.discriminatedUnion("type", [button, thumbnail]),
});
const gallery = z.object({
  type: z.literal(12),
  id,
  items: z
    .array(z.object({ media, description: z.string().max(1024).nullish(), spoiler: z.boolean().optional() }))
    .min(1)
    .max(10),
});
const file = z.object({ type: z.literal(13), id, file: media, spoiler: z.boolean().optional() });
const separator = z.object({
  type: z.literal(14),
  id,
  divider: z.boolean().optional(),
  spacing: z.union([z.literal([1, 2])]).optional(),
});
const inner = [row, text, section, gallery, file, separator] as const;
const container = z.object({
  type: z.literal(17),
  id,
  components: z.array(z.discriminatedUnion("type", [...inner])).min(1),
  accent_color: z.int().min(0).max(0xffffff).nullish(),
  spoiler: z.boolean().optional(),
});

/** Up to five rows. */
export const firstVersion = z.array(row).max(5);
/** What the flag `1 << 15` allows instead. */
export const secondVersion = z.array(z.discriminatedUnion("type", [...inner, container])).max(40);

const fileUpload = z.object({
  type: z.literal(19),
  id,
  custom_id: customId,
  min_values: z.int().min(0).max(10).optional(),
  max_values: z.int().min(1).max(10).optional(),
  required: z.boolean().optional(),
});
const radios = z.object({
  type: z.union([z.literal([21, 22])]),
  id,
  custom_id: customId,
  options: z.array(option).min(1).max(10),
  min_values: z.int().min(0).max(10).optional(),
  max_values: z.int().min(1).max(10).optional(),
  required: z.boolean().optional(),
});
const checkbox = z.object({ type: z.literal(23), id, custom_id: customId, default: z.boolean().optional() });
const label = z.object({
  type: z.literal(18),
  id,
  label: z.string().min(1).max(45),
  description: z.string().max(100).optional(),
  component: z.union([textInput, ...selects, fileUpload, radios, checkbox]),
});
const labelledInput = textInput.superRefine((given, context) => {
  if (given.label === undefined) complain(context, "label", "BASE_TYPE_REQUIRED");
});
const inputRow = z.object({ type: z.literal(1), id, components: z.array(labelledInput).length(1) });

export const form = z
  .object({
    custom_id: customId,
    title: z.string().min(1).max(45),
    components: z
      .array(z.union([inputRow, label, text]))
      .min(1)
      .max(5),
  })
  .superRefine((given, context) => checkWhole(given.components, context));

/** What no single component can be asked for: distinct ids, and how much there may be in all. */
export function checkWhole(components: readonly object[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  const total = { count: 0, text: 0 };
  walk(components, (one, path) => {
    total.count += 1;
    if (one["type"] === 10) total.text += String(one["content"]).length;
    const own = one["custom_id"];
    if (typeof own !== "string") return;
    if (seen.has(own))
      complain(
        context,
        [...path, "custom_id"],
        "COMPONENT_CUSTOM_ID_DUPLICATED",
        "Component custom id cannot be duplicated",
      );
    seen.add(own);
  });
  if (total.count > 40)
    complain(
      context,
      [],
      "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
      "The total number of components cannot exceed 40",
    );
  if (total.text > 4000)
    complain(context, [], "COMPONENT_MAX_TOTAL_CONTENT_LENGTH", "The total text content cannot exceed 4000");
}

/** Gives every component a number, as Discord does, in the order in which they are read. */
export function numbered(components: readonly object[]): Component[] {
  const taken = new Set<number>();
  walk(components, (one) => void (typeof one["id"] === "number" && one["id"] > 0 && taken.add(one["id"])));
  let last = 0;
  const copy: unknown = structuredClone(components);
  walk(copy as object[], (one) => {
    if (typeof one["id"] === "number" && one["id"] > 0) return;
    do last += 1;
    while (taken.has(last));
    one["id"] = last;
  });
  return copy as Component[];
}

type Visit = (component: Record<string, unknown>, path: (string | number)[]) => void;

/** Every component, those within others too. */
export function walk(components: readonly object[], visit: Visit, path: (string | number)[] = []) {
  for (const [index, component] of components.entries()) {
    const one = component as Record<string, unknown>;
    const here = [...path, index];
    visit(one, here);
    if (Array.isArray(one["components"])) walk(one["components"] as object[], visit, [...here, "components"]);
    for (const key of ["accessory", "component"])
      if (typeof one[key] === "object" && one[key] !== null)
        visit(one[key] as Record<string, unknown>, [...here, key]);
  }
}

function complain(
  context: z.RefinementCtx,
  path: string | (string | number)[],
  code: string,
  message = "This field is required",
) {
  context.addIssue({ code: "custom", path: [path].flat(), message, params: { code } });
}
