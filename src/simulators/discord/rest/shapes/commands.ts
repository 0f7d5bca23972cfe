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
const subcommand = z.object({
  ...described,
  type: z.literal(optionType.SUBCOMMAND),
  options: z.array(leaf).max(25).optional(),
});
const options = z.array(z.discriminatedUnion("type", [leaf, subcommand])).max(25);
export type Option = z.infer<typeof options>[number];

const command = z.object({
  type: z.literal(1).default(1),
  ...described,
  options: options.optional(),
  default_member_permissions: z
    .union([z.string().regex(/^\d+$/), z.int()])
    .transform(String)
    .nullish(),
});
export type CommandBody = z.infer<typeof command>;

export const commandList = z.array(command).max(100);
