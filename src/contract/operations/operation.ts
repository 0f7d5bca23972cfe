import type { Field } from "../vocabulary/fields";
import type { DeskAnswers } from "../wire/desk/answers";
import type { DeskSchemas } from "../wire/desk/schemas";

/** The staff of the desk, and the command line. */
export type Granted = "operator" | "owner" | "support" | "viewer" | "discord_support" | "customer" | "shop";

/** What staff do something to: by its id on the desk, as it is typed on the command line. */
export type Subject = "licence" | "payment" | "subscription" | "customer" | "ticket" | "thing";

type Fields = Readonly<Record<string, Field>>;

/**
 * A staff operation, declared once. From it follow the call of the desk and its description, the right, the desk's form,
 * and the command where there is one. `src/domain/operations` implements each.
 *
 * Pages load these, so they are plain data and import nothing but field kinds.
 */
export type Declaration = {
  name: string;
  /** Who may, by a permission of this name; or `permission`, that of another declaration. */
  roles?: readonly Granted[];
  permission?: string;
  /** Asks at the desk for a code of the authenticator, at most ten minutes old. */
  code?: true;
  /** `GET` or `POST`, and the path below `/api/desk`; `{id}` is the subject's. */
  call: `${"GET" | "POST"} ${string}`;
  on?: Subject;
  /** What the subject's id is, if it isn't one of ours. */
  id?: Field;
  /** Whether it asks for a reason, or can be given one. Reads have none. */
  reason?: "required" | "optional";
  fields?: Fields;
  /** A whole body or query by its name in `contract/wire/desk/schemas.ts`, instead of fields. */
  takes?: keyof DeskSchemas;
  /** Exactly one of these fields, or at least one. */
  oneOf?: readonly string[];
  someOf?: readonly string[];
  /** A page of answers; `limit` and `after` are fields of it then. */
  page?: true;
  /** The answer by its name in `contract/wire/desk/answers.ts`. */
  answers: keyof DeskAnswers;
  /** The answer with status 202, where something is still to be done, and what that is. */
  pending?: { answers: keyof DeskAnswers; means: string };
  /** What the answer is, in the API's description. */
  means?: string;
  summary: string;
  description?: string;
  /** The command, with the fields that are its arguments: `licences extend <licence> <days>`. */
  command?: string;
};

/** Declares an operation with the types of its fields. */
export const operation = <const D extends Declaration>(declared: D): D => declared;

type ValueOf<F> =
  | (F extends { kind: "whole" | "amount" }
      ? number
      : F extends { kind: "flag" }
        ? boolean
        : F extends { kind: "choice"; choices: infer Choices }
          ? keyof Choices & string
          : F extends { kind: "words" }
            ? string[]
            : F extends { kind: "schema"; schema: infer Name extends keyof DeskSchemas }
              ? DeskSchemas[Name]
              : string)
  | (F extends { nullable: true } ? null : never);

type NamesOf<D> = D extends { fields: infer F extends Fields } ? keyof F & string : never;
type FieldOf<D, Name> = D extends { fields: infer F } ? (Name extends keyof F ? F[Name] : never) : never;
type ValueIn<D, Name> = ValueOf<FieldOf<D, Name>>;

type HasOtherwise<D> = {
  [Name in NamesOf<D>]: FieldOf<D, Name> extends { otherwise: unknown } ? Name : never;
}[NamesOf<D>];
type MayLack<D> = {
  [Name in NamesOf<D>]: FieldOf<D, Name> extends { optional: true } ? Name : never;
}[Exclude<NamesOf<D>, HasOtherwise<D>>];

/** The fields as an implementation gets them. */
export type Given<D> = D extends { takes: infer Name extends keyof DeskSchemas }
  ? DeskSchemas[Name]
  : Fielded<D, MayLack<D>> & Paged<D>;

type Fielded<D, Optional> = { [Name in Exclude<NamesOf<D>, Optional>]: ValueIn<D, Name> } & {
  [Name in NamesOf<D> & Optional]?: ValueIn<D, Name> | undefined;
};
type Paged<D> = D extends { page: true } ? { limit: number; after?: string | undefined } : unknown;

/** What a caller sends: the fields, the reason where one is taken, and the subject's id. */
export type Sent<D extends Declaration> = (D extends { takes: infer Name extends keyof DeskSchemas }
  ? DeskSchemas[Name]
  : Fielded<D, MayLack<D> | HasOtherwise<D>>) &
  (D extends { reason: "required" }
    ? { reason: string }
    : D extends { reason: "optional" }
      ? { reason?: string | undefined }
      : unknown) &
  (D["call"] extends `${string}{id}${string}` ? { id: string } : unknown) &
  (D extends { page: true } ? Partial<Paged<D>> : unknown);

export type Page<Row> = { rows: Row[]; next: string | null };

/** What a call answers. */
export type AnswerOf<D extends Declaration> =
  | (D extends { page: true } ? Page<DeskAnswers[D["answers"]]> : DeskAnswers[D["answers"]])
  | (D extends { pending: { answers: infer Name extends keyof DeskAnswers } } ? DeskAnswers[Name] : never);
