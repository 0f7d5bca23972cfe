import { z } from "zod";
import { checkWhole, complain } from "./component-tree";
import { customId, option, selects, text } from "./components";

/** What stands in a form. Source: Discord's page "Component Reference". */

const id = z.int().nonnegative().optional();
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
