import type { Stage } from "../shop/stage";
import type { Answer, Person } from "./person";

/** Opens a checkout as a person would, without paying it; resolves to its session. */
export async function checkout(person: Person, wanted: object = {}): Promise<string> {
  const { status, body } = await person.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    ...wanted,
  });
  if (status !== 200) throw new Error(`no checkout: ${JSON.stringify(body)}`);
  return body.data.id;
}

/** The result page's call, which settles what is paid. */
export const verify = (person: Person, session: string): Promise<Answer> =>
  person.get(`/api/stripe/verify-payment?session_id=${session}`);

/** What the result page says. */
export const resultOf = async (person: Person, session: string) => (await verify(person, session)).body.data;

/** Somebody without an account orders this, pays, and sees the result page; resolves to the session. */
export async function boughtAsGuest(
  stage: Stage,
  wanted: object = {},
  email = "buyer@example.com",
): Promise<string> {
  const person = stage.person();
  const session = await checkout(person, wanted);
  await stage.atStripe("pay", { session, email });
  await verify(person, session);
  return session;
}
