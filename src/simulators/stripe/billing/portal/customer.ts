import { z } from "zod";
import { type Complaints, readCard, type CardInput } from "../../page/card-form";
import { changeCustomer } from "../customers";
import { saveDefault } from "../methods";
import type { Visit } from "./visit";

/** Saves a card as the customer's default, or says what is wrong with it. Subscriptions keep the card of their own. */
export function newCard(
  { world, customer, configuration }: Visit,
  typed: CardInput,
): Complaints | "asks" | null {
  if (!configuration.features.payment_method_update.enabled) return null;
  const read = readCard(typed, new Date(world.now()));
  if (!read.ok) return read.complaints;
  if (read.does === "asks") return "asks";
  if (typeof read.does === "object") return { number: read.does.message };
  saveDefault(world, customer, read.method, typed.name || null);
  return null;
}

const details = z.object({
  email: z.email().optional(),
  name: z.string().max(200).optional(),
  tax_id: z.string().max(40).optional(),
});

/** Changes the customer's billing details, as far as the configuration lets them. Returns what is wrong. */
export function changeDetails({ world, customer, configuration }: Visit, given: unknown): string | null {
  const read = details.safeParse(given);
  if (!read.success) return "Your email address is incomplete.";
  const { enabled, allowed_updates: allowed } = configuration.features.customer_update;
  const may = (name: string) => enabled && allowed.includes(name);
  const { email, name, tax_id: number } = read.data;
  changeCustomer(world, customer, {
    ...(may("email") && email !== undefined && { email }),
    ...(may("name") && name !== undefined && { name: name || null }),
    ...(may("tax_id") &&
      number !== undefined && { taxIds: number === "" ? [] : [{ type: "eu_vat", value: number }] }),
  });
  return null;
}
