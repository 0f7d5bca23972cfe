import { z } from "zod";

const slashName = /^[-_'\p{Ll}\p{Lm}\p{Lo}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const choice = z.object({
  name: z.string().min(1).max(100),
  value: z.union([z.string().max(100), z.number()]),
});

/** The types of options that the simulator knows. */
export const optionType = { SUBCOMMAND: 1, STRING: 3, INTEGER: 4, USER: 6 } as const;

const described = {
  name: z.string().regex(slashName),
  description: z.string().min(1).max(100),
};
const leaf = z.object({
  ...described,
  type: z.union([z.literal([3, 4, 6])]),
  required: z.boolean().optional(),
  choices: z.array(choice).max(25).optional(),
  min_value: z.number().optional(),
  max_value: z.number().optional(),
  min_length: z.int().min(0).max(6000).optional(),
  max_length: z.int().min(1).max(6000).optional(),
});
export type Leaf = z.infer<typeof leaf>;
const leaves = z.array(leaf).max(25).superRefine(checkOptions);
const subcommand = z.object({ ...described, type: z.literal(1), options: leaves.optional() });
const options = z
  .array(z.discriminatedUnion("type", [leaf, subcommand]))
  .max(25)
  .superRefine(checkOptions);
export type Option = z.infer<typeof options>[number];

/** A slash command. */
const command = z.object({
  type: z.literal(1).default(1),
  name: z.string().refine((name) => slashName.test(name), {
    message: "Command name is invalid",
    params: { code: "APPLICATION_COMMAND_INVALID_NAME" },
  }),
  description: z.string().min(1).max(100),
  options: options.optional(),
  default_member_permissions: z
    .union([z.string().regex(/^\d+$/), z.int()])
    .transform(String)
    .nullish(),
  contexts: z.array(z.int()).nullish(),
  integration_types: z.array(z.int()).nullish(),
});
export type CommandBody = z.infer<typeof command>;

export const commandList = z
  .array(command)
  .max(100)
  .superRefine((given, context) => {
    const seen = new Set<string>();
    for (const [index, { name }] of given.entries()) {
      if (seen.has(name))
        complain(
          context,
          [index, "name"],
          "APPLICATION_COMMANDS_DUPLICATE_NAME",
          "Application command names must be unique",
        );
      seen.add(name);
    }
  });

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
