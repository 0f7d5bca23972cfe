/** The people of the demo and the tests. Their passwords and the secrets of their authenticator apps are used nowhere else. */
export const cast = {
  ada: { username: "ada", password: "ada-likes-engines", is: "an active customer" },
  dora: { username: "dora", password: "dora-disputes-it", is: "a customer whose card was disputed" },
  nora: {
    username: "nora",
    password: "nora-runs-a-studio",
    is: "a customer with Studio, the second level",
  },
  rhea: { username: "rhea", password: "rhea-wants-a-refund", is: "a customer whose payment was refunded" },
  tim: { username: "tim", password: "tim-is-on-trial", is: "a customer with a key for thirty days" },
  lena: { username: "lena", password: "lena-left-early", is: "a customer who left the Discord server" },
  theo: {
    username: "theo",
    password: "theo-locks-twice",
    is: "a customer with two-factor",
    secret: "LATCHKEYDEMOTHEOLATCHKEYDEMOTHEO",
  },
  olga: {
    username: "olga",
    password: "olga-owns-the-shop",
    is: "the owner, with two-factor",
    secret: "LATCHKEYDEMOOLGALATCHKEYDEMOOLGA",
    role: "owner",
  },
  sam: {
    username: "sam",
    password: "sam-answers-tickets",
    is: "support, with two-factor",
    secret: "LATCHKEYDEMOSAMSLATCHKEYDEMOSAMS",
    role: "support",
  },
} as const;
export type Member = keyof typeof cast;

type WithProperty<Name extends string> = {
  [M in Member]: (typeof cast)[M] extends Record<Name, string> ? M : never;
}[Member];

/** Those with two-factor. */
export type Guarded = WithProperty<"secret">;
/** Those who may enter the desk. */
export type Colleague = WithProperty<"role">;

export const guarded: readonly Guarded[] = ["theo", "olga", "sam"];
export const colleagues: readonly Colleague[] = ["olga", "sam"];

export const emailOf = (member: Member) => `${member}@example.com`;
export const timezone = "UTC";
/** The browser in which they signed in first. */
export const here = { userAgent: "Demo", address: "127.0.0.1" };
