import { z } from "zod";
import { complain } from "./component-tree";

/** Components of messages and forms, by type number. Source: Discord's page "Component Reference". */

const id = z.int().nonnegative().optional();
export const customId = z.string().min(1).max(100);
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

export const option = z.object({
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
export const selects = [stringSelect, userSelect, roleSelect, mentionableSelect, channelSelect] as const;

const row = z.object({
  type: z.literal(1),
  id,
  components: z
    .array(z.discriminatedUnion("type", [button, ...selects]))
    .min(1)
    .max(5),
});
export const text = z.object({ type: z.literal(10), id, content: z.string().min(1).max(4000) });
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
