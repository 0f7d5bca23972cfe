import { z } from "zod";

const slashName = /^[-_'\p{Ll}\p{Lm}\p{Lo}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

/** The types of options that the simulator knows. */
export const optionType = { SUBCOMMAND: 1, STRING: 3, INTEGER: 4, USER: 6 } as const;

const described = { name: z.string().regex(slashName), description: z.string().min(1).max(100) };
const named = { ...described, required: z.boolean().optional() };
const choices = <T extends z.ZodType>(value: T) =>
  z
    .array(z.object({ name: z.string().min(1).max(100), value }))
    .max(25)
    .optional();

const leaf = z.discriminatedUnion("type", [
  z.object({
    ...named,
    type: z.literal(optionType.STRING),
    choices: choices(z.string().max(100)),
    min_length: z.int().min(0).max(6000).optional(),
    max_length: z.int().min(1).max(6000).optional(),
  }),
  z.object({
    ...named,
    type: z.literal(optionType.INTEGER),
    choices: choices(z.int()),
    min_value: z.int().optional(),
    max_value: z.int().optional(),
  }),
  z.object({ ...named, type: z.literal(optionType.USER) }),
]);
export type Leaf = z.infer<typeof leaf>;
const leaves = z.array(leaf).max(25).superRefine(checkOptions);
const subcommand = z.object({
  ...described,
  type: z.literal(optionType.SUBCOMMAND),
  options: leaves.optional(),
});
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
});
export type CommandBody = z.infer<typeof command>;

export const commandList = z
  .array(command)
  .max(100)
  .superRefine((given, context) => {
    const names = given.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        complain(
          context,
          [index, "name"],
          "APPLICATION_COMMANDS_DUPLICATE_NAME",
          "Application command names must be unique",
        );
  });

function checkOptions(given: { name: string; required?: boolean | undefined }[], context: z.RefinementCtx) {
  const names = given.map(({ name }) => name);
  const firstOptional = given.findIndex(({ required }) => !required);
  for (const [index, { name, required }] of given.entries()) {
    if (names.indexOf(name) < index)
      complain(
        context,
        [index],
        "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
        "Option name already exists",
      );
    if (required && firstOptional >= 0 && firstOptional < index)
      complain(
        context,
        [index],
        "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
        "Required options must be placed before non-required options",
      );
  }
}

function complain(context: z.RefinementCtx, path: (string | number)[], code: string, message: string) {
  context.addIssue({ code: "custom", path, message, params: { code } });
}
