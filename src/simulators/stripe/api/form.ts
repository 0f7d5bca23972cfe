import { invalid } from "./errors";

/** Stripe's bracketed form encoding: `a[b][0]=x` is `{a: {b: {0: "x"}}}`. */
export type Form = { [name: string]: string | Form };

export function parseForm(text: string): Form {
  const form: Form = blank();
  for (const [name, value] of new URLSearchParams(text)) place(form, pathOf(name), value);
  return form;
}

export function text(form: Form, name: string): string | undefined {
  const value = form[name];
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw invalid(`Invalid string: ${JSON.stringify(value)}`, { param: name });
  return value;
}

export function required(form: Form, name: string): string {
  const value = text(form, name);
  if (value === undefined)
    throw invalid(`Missing required param: ${name}.`, { code: "parameter_missing", param: name });
  return value;
}

export function integer(form: Form, name: string): number | undefined {
  const value = text(form, name);
  if (value === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param: name });
  return Number(value);
}

export function boolean(form: Form, name: string): boolean | undefined {
  const value = text(form, name);
  if (value === undefined || value === "true" || value === "false")
    return value === undefined ? undefined : value === "true";
  throw invalid(`Invalid boolean: ${value}`, { param: name });
}

const known = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));

/** A currency's code, in lower case: https://docs.stripe.com/currencies */
export function currencyIn(form: Form): string {
  const currency = required(form, "currency");
  if (known.has(currency)) return currency;
  throw invalid(`Invalid currency: ${currency}. Stripe currencies are lowercase ISO codes.`, {
    param: "currency",
  });
}

/** A number, which may have decimals. */
export function decimal(form: Form, name: string): number | undefined {
  const value = text(form, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(value))
    throw invalid(`Invalid decimal: ${value}`, { code: "parameter_invalid_decimal", param: name });
  return Number(value);
}

/** An amount of money: above zero, and with a zero as the last of three decimals: https://docs.stripe.com/currencies */
export function amountOf(form: Form, name: string, currency: string): number | undefined {
  const amount = integer(form, name);
  if (amount === undefined) return undefined;
  if (amount < 1)
    throw invalid("This value must be greater than or equal to 1.", {
      code: "parameter_invalid_integer",
      param: name,
    });
  if (amount % stepOf(currency) !== 0)
    throw invalid(`Invalid integer: ${amount}. Amounts in ${currency} must be divisible by 10.`, {
      code: "parameter_invalid_integer",
      param: name,
    });
  return amount;
}

const stepOf = (currency: string) => (["bhd", "jod", "kwd", "omr", "tnd"].includes(currency) ? 10 : 1);

export function part(form: Form, name: string): Form | undefined {
  const value = form[name];
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") throw invalid("Invalid object", { param: name });
  return value;
}

/** A list, written `a[]=x` or `a[0]=x`. */
export function items(form: Form, name: string): (string | Form)[] {
  const value = form[name];
  return value === undefined || typeof value === "string" ? [] : Object.values(value);
}

export function texts(form: Form, name: string): string[] {
  return items(form, name).filter((item) => typeof item === "string");
}

/** An object of strings, such as metadata; an empty value removes the name. */
export function strings(form: Form, name: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [key, value] of Object.entries(part(form, name) ?? {}))
    if (typeof value === "string" && value !== "") kept[key] = value;
  const isTooLong = Object.entries(kept).some(([key, value]) => key.length > 40 || value.length > 500);
  if (isTooLong || Object.keys(kept).length > 50)
    throw invalid("Metadata can have up to 50 keys of 40 characters, and values of 500.", { param: name });
  return kept;
}

/** The metadata after an update: merges names, and removes those with an empty value. */
export function merged(held: Record<string, string>, params: Form): Record<string, string> {
  if (params["metadata"] === "") return {};
  const metadata = { ...held, ...strings(params, "metadata") };
  for (const [name, value] of Object.entries(part(params, "metadata") ?? {}))
    if (value === "") delete metadata[name];
  return metadata;
}

export function onlyKnown(form: Form, known: readonly string[]) {
  const unknown = Object.keys(form).find((name) => !known.includes(name) && name !== "expand");
  if (unknown === undefined) return;
  throw invalid(`Received unknown parameter: ${unknown}`, { code: "parameter_unknown", param: unknown });
}

function pathOf(name: string): string[] {
  const [head = "", ...rest] = name.split("[");
  return [head, ...rest.map((piece) => piece.replace(/\]$/, ""))];
}

function place(form: Form, path: string[], value: string) {
  let here = form;
  for (const [depth, step] of path.entries()) {
    const name = step === "" ? String(Object.keys(here).length) : step;
    if (depth === path.length - 1) here[name] = value;
    else {
      const next = here[name];
      here = typeof next === "object" ? next : (here[name] = blank());
    }
  }
}

/** An object without a prototype, so that a field called `__proto__` is only a field. */
function blank(): Form {
  const form: Form = Object.create(null);
  return form;
}
