import { z } from "zod";

const slashName = /^[-_'\p{Ll}\p{Lm}\p{Lo}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const name = z.string().regex(slashName);
const translated = z.record(z.string(), z.string()).nullish();
const choice = z.object({
  name: z.string().min(1).max(100),
  name_localizations: translated,
  value: z.union([z.string().max(100), z.number()]),
});

/** Types of options. */
export const optionType = {
  SUBCOMMAND: 1,
  GROUP: 2,
  STRING: 3,
  INTEGER: 4,
  BOOLEAN: 5,
  USER: 6,
  CHANNEL: 7,
  ROLE: 8,
  MENTIONABLE: 9,
  NUMBER: 10,
  ATTACHMENT: 11,
} as const;

const plain = z.object({
  name,
  name_localizations: translated,
  description: z.string().min(1).max(100),
  description_localizations: translated,
  required: z.boolean().optional(),
});
const leaf = plain.extend({
  type: z.union([z.literal([3, 4, 5, 6, 7, 8, 9, 10, 11])]),
  choices: z.array(choice).max(25).optional(),
  channel_types: z.array(z.int()).optional(),
  min_value: z.number().optional(),
  max_value: z.number().optional(),
  min_length: z.int().min(0).max(6000).optional(),
  max_length: z.int().min(1).max(6000).optional(),
  autocomplete: z.boolean().optional(),
});
const leaves = z.array(leaf).max(25).superRefine(checkOptions);
const subcommand = plain.extend({ type: z.literal(1), options: leaves.optional() });
const group = plain.extend({ type: z.literal(2), options: z.array(subcommand).max(25).optional() });
const options = z
  .array(z.discriminatedUnion("type", [leaf, subcommand, group]))
  .max(25)
  .superRefine(checkOptions);
export type Option = z.infer<typeof options>[number];

export const command = z
  .object({
    id: z.string().optional(),
    type: z.union([z.literal([1, 2, 3])]).default(1),
    name: z.string().min(1).max(32),
    name_localizations: translated,
    description: z.string().max(100).optional(),
    description_localizations: translated,
    options: options.optional(),
    default_member_permissions: z
      .union([z.string().regex(/^\d+$/), z.int()])
      .transform(String)
      .nullish(),
    dm_permission: z.boolean().nullish(),
    default_permission: z.boolean().nullish(),
    contexts: z.array(z.int()).nullish(),
    integration_types: z.array(z.int()).nullish(),
    nsfw: z.boolean().optional(),
  })
  .superRefine((given, context) => {
    if (given.type === 1 && !slashName.test(given.name))
      complain(context, ["name"], "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid");
    if (given.type === 1 && !given.description)
      complain(context, ["description"], "BASE_TYPE_REQUIRED", "This field is required");
    if (given.type !== 1 && given.description)
      complain(
        context,
        ["description"],
        "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED",
        "Context menu commands cannot have description",
      );
    if (given.type !== 1 && given.options?.length)
      complain(
        context,
        ["options"],
        "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED",
        "Context menu commands cannot have options",
      );
  });

export const commandList = z.array(command).superRefine((given, context) => {
  const seen = new Set<string>();
  for (const [index, one] of given.entries()) {
    const key = `${one.type}:${one.name}`;
    if (seen.has(key))
      complain(
        context,
        [index, "name"],
        "APPLICATION_COMMANDS_DUPLICATE_NAME",
        "Application command names must be unique",
      );
    seen.add(key);
  }
  if (given.filter(({ type }) => type === 1).length > 100)
    complain(
      context,
      [],
      "APPLICATION_COMMANDS_EXCEEDED",
      "Maximum number of application commands reached (100).",
    );
});
export type CommandBody = z.infer<typeof command>;

function checkOptions(given: { name: string; required?: boolean | undefined }[], context: z.RefinementCtx) {
  const seen = new Set<string>();
  let optional = false;
  for (const [index, { name, required }] of given.entries()) {
    if (seen.has(name))
      complain(
        context,
        [index],
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
        "Option name already exists",
      );
    if (required && optional)
      complain(
        context,
        [index],
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        "Required options must be placed before non-required options",
      );
    seen.add(name);
    optional ||= !required;
  }
}

function complain(context: z.RefinementCtx, path: (string | number)[], code: string, message: string) {
  context.addIssue({ code: "custom", path, message, params: { code } });
}
