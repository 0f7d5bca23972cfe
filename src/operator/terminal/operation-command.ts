import { Argument, type Command, Option } from "commander";
import type { Declaration, Given, Subject } from "@/contract/operations/operation";
import type { Field } from "@/contract/vocabulary/fields";
import { limitTable } from "@/contract/vocabulary/limits";
import { type Ctx, typedId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { accountNamed } from "@/domain/customers/find";
import { licenceNamed } from "@/domain/licences/keys/find";
import type { Implemented, Services, SubjectOf } from "@/domain/operations/operation";
import { paymentNamed } from "@/domain/payments/reading/find";
import { subscriptionNamed } from "@/domain/payments/subscriptions/for-staff";
import { type Ticket, ticketByNumber } from "@/domain/tickets/reading/queries";
import { readerOf, readTypedField, ticketNumber, typedOrPiped } from "./arguments";
import {
  byOperator,
  example,
  withOptionalReason,
  type OpenShop,
  print,
  withJson,
  withReason,
  withShop,
} from "./command-line";

type SubjectInput = {
  /** What may be typed, in the help. */
  about: string;
  /** Refuses what can't be it before the shop is opened. */
  read?: (typed: string) => string | number;
  find: (ctx: Ctx, typed: never) => Promise<unknown>;
};

/** How what a command is about is named on the command line. */
export const subjects = {
  licence: {
    about: "a licence's id, its key (whole or masked), or - to read that from standard input",
    find: licenceNamed,
  },
  payment: {
    about: "a payment's id, or Stripe's id of its session (cs_…) or intent (pi_…)",
    find: paymentNamed,
  },
  subscription: { about: "a subscription's id, or Stripe's (sub_…)", find: subscriptionNamed },
  customer: {
    about: "an account's id, name, email or key, or - to read that from standard input",
    find: accountNamed,
  },
  ticket: { about: "the ticket's number", read: ticketNumber, find: ticketNumbered },
  thing: { about: "its id in the list", read: typedId, find: async (_: Ctx, typed: string) => typed },
} satisfies Partial<Record<Subject, SubjectInput>>;

/** A ticket by its number. Refuses with `ticket_unknown`. */
async function ticketNumbered(ctx: Ctx, number: number): Promise<Ticket> {
  const ticket = await ticketByNumber(ctx, number);
  if (!ticket) throw new Refusal("ticket_unknown");
  return ticket;
}

/** What a command prints: a sentence alone has its subject's id as data. `pending` ends it with exit code 3. */
type Output = string | { data: unknown; sentence: string; pending?: boolean };

/** An option's or an argument's help, with its name and its reader where they aren't those of the field. */
type HelpText = { about: string; flags?: string; read?: (typed: string) => unknown };

type OperationDone<D extends Declaration, Result> = {
  result: Result;
  subject: SubjectOf<D>;
  given: Given<D>;
  /** The `options` as they were typed. */
  typed: Readonly<Record<string, unknown>>;
};

type CommandWording<D extends Declaration, Result> = {
  description: string;
  examples: string[];
  /** Below the examples. */
  notes?: string;
  /** Where the subject is named differently than in {@link subjects}. */
  subject?: Partial<SubjectInput>;
  /** The help of each field; `null` for one that the command doesn't offer. */
  fields?: D extends { fields: infer Fields } ? { [Name in keyof Fields]?: string | HelpText | null } : never;
  /** What only the command takes. */
  options?: Option[];
  /** What is wrong with the fields together, which the command refuses as mistyped. */
  check?: (given: Given<D>, services: Services) => string | undefined;
  output: (done: OperationDone<D, Result>, services: Services) => Output | Promise<Output>;
};

/** Gives a noun the command of an operation whose declaration has one: `licences extend <licence> <days>`. */
export function addOperation<const D extends Declaration & { command: string }, Result>(
  noun: Command,
  { declared, run }: Implemented<D, Result>,
  {
    description,
    examples,
    notes = "",
    options: ownOptions = [],
    check,
    output: outputOf,
    ...words
  }: CommandWording<D, Result>,
): void {
  const [, verb = "", ...names] = declared.command.split(" ");
  const on: SubjectInput = {
    ...subjects[(declared.on ?? "thing") as keyof typeof subjects],
    ...words.subject,
  };
  const command = noun
    .command(verb)
    .description(description)
    .addHelpText("after", example(...examples) + notes);
  ({ required: withReason, optional: withOptionalReason, none: withJson })[declared.reason ?? "none"](
    command,
  );
  if (declared.call.includes("{id}")) {
    const subject = new Argument(names.shift() ?? "", on.about);
    command.addArgument(on.read ? subject.argParser(on.read) : subject);
  }
  const fields = fieldsOf(declared, words.fields ?? {});
  const named = names.map((name) => name.slice(1, -1).replaceAll("-", "_"));
  const positions = named.flatMap((name) => fields.filter((one) => one.name === name));
  const others = fields.filter(({ name }) => !named.includes(name));
  for (const field of positions) command.addArgument(argumentOf(field));
  const options = others.map((field) => ({ ...field, option: optionOf(field) }));
  for (const option of [...options.map((one) => one.option), ...ownOptions]) command.addOption(option);

  command.action(async (...all: unknown[]) => {
    const typed = all.at(-2) as Record<string, unknown> & { reason?: string; json?: boolean };
    const args = all.slice(0, -2);
    const subject = declared.call.includes("{id}") ? args.shift() : "";
    const given: Record<string, unknown> = {};
    for (const [at, { name, field }] of positions.entries())
      given[name] = await readPiped(command, field, args[at]);
    for (const { name, field, option } of options) {
      const read = typed[option.attributeName()] ?? field.otherwise;
      // commander makes an empty text of a reader's null
      const value = field.nullable && read === "" ? null : read;
      if (value !== undefined) given[name] = value;
    }
    const lack = lackOf(declared, given, options);
    if (lack) command.error(`error: give ${lack}`);
    await withShop(async (shop) => {
      const services = servicesOf(shop);
      const mistake = check?.(given as Given<D>, services);
      if (mistake) command.error(`error: ${mistake}`);
      const name = typeof subject === "string" ? await typedOrPiped(subject) : subject;
      const found = (await on.find(shop.ctx, name as never)) as SubjectOf<D>;
      const by = byOperator(typed.reason);
      const result = await run(services as never, found, given as Given<D>, by);
      const said = await outputOf({ result, subject: found, given: given as Given<D>, typed }, services);
      const output = typeof said === "string" ? { data: { id: idOf(found) }, sentence: said } : said;
      if ("pending" in output && output.pending) process.exitCode = 3;
      print(typed.json, output.data, output.sentence);
    });
  });
}

const idOf = (subject: unknown) => (typeof subject === "string" ? subject : (subject as { id: string }).id);

type NamedField = { name: string; field: Field; said: Partial<HelpText> };

/** In the order of their words, then in that of the declaration. */
const fieldsOf = (
  { fields = {} }: Declaration,
  words: Record<string, string | HelpText | null>,
): NamedField[] =>
  Object.entries({ ...words, ...fields } as typeof fields).flatMap(([name, field]) => {
    const said = words[name];
    if (said === null) return [];
    return [{ name, field, said: typeof said === "string" ? { about: said } : (said ?? {}) }];
  });

function argumentOf({ name, field, said }: NamedField): Argument {
  const argument = new Argument(said.flags ?? `<${kebab(name)}>`, said.about ?? field.about);
  if (field.kind === "choice") return argument.choices(Object.keys(field.choices));
  const read = said.read ?? readerOf(field);
  return argument.argParser((typed) => (isPiped(field, typed) ? typed : read(typed)));
}

function optionOf({ name, field, said }: NamedField): Option {
  const { kind, otherwise } = field;
  const flags = said.flags ?? `--${kebab(name)}${kind === "flag" ? "" : ` <${placeholders[kind] ?? kind}>`}`;
  const option = new Option(flags, said.about ?? field.about);
  if (kind === "choice") option.choices(Object.keys(field.choices));
  else if (kind !== "flag") option.argParser(said.read ?? readerOf(field));
  if (otherwise !== undefined && otherwise !== null && otherwise !== false) option.default(otherwise);
  return option.makeOptionMandatory(!field.optional && otherwise === undefined);
}

const placeholders: Partial<Record<Field["kind"], string>> = {
  whole: "number",
  amount: "number",
  line: "text",
};

const kebab = (name: string) => name.replaceAll("_", "-");

const isPiped = ({ kind }: Field, typed: unknown) => kind === "text" && typed === "-";

/** A text argument, or all of standard input for `-`. */
async function readPiped(command: Command, field: Field, typed: unknown): Promise<unknown> {
  if (!isPiped(field, typed)) return typed;
  const read = readTypedField(field, await Bun.stdin.text());
  return "value" in read ? read.value : command.error(`error: It must be ${read.mistake}.`);
}

/** Which options are missing, or exclude each other. */
function lackOf(
  { oneOf, someOf }: Declaration,
  given: Record<string, unknown>,
  options: readonly (NamedField & { option: Option })[],
): string | null {
  const asked = options.filter(({ name }) => (oneOf ?? someOf)?.includes(name));
  const said = asked.filter(({ name }) => given[name] !== undefined).length;
  if (asked.length === 0 || (oneOf ? said === 1 : said > 0)) return null;
  const flags = asked.map(({ option }) => option.long);
  return `${flags.slice(0, -1).join(", ")} or ${flags.at(-1)}`;
}

const servicesOf = ({ ctx, checkout, config }: OpenShop): Services => ({
  ctx,
  checkout,
  config,
  limits: limitTable(config.limits),
  async judgeRole(...role) {
    const { askGuild } = await import("@bot/server/ask-guild");
    return askGuild({ ctx, config }, ...role);
  },
  mail: config.mail === "off" ? "off" : "on",
});
