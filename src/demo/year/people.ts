import type { Chance } from "./chance";
import { idAt } from "./ids";

/** A customer of the past year; times are Unix seconds. */
export type PastCustomer = { id: string; username: string; email: string; joinedAt: number };

const names = [
  "aiko", "alma", "anton", "basil", "bruna", "cato", "celia", "dario", "edda", "elif", "emre", "fanny", "felix", "gita",
  "greta", "hana", "hugo", "ines", "ivan", "jana", "joao", "karim", "kira", "lars", "leila", "luca", "malik", "mara",
  "mika", "nadia", "nils", "noor", "olek", "oona", "pavel", "petra", "quinn", "rafa", "runa", "samir", "selma", "sven",
  "tara", "teo", "ulla", "vera", "viggo", "wanda", "xenia", "yara", "yusuf", "zora",
] as const; // prettier-ignore
const words = [
  "fox",
  "owl",
  "elm",
  "fir",
  "sky",
  "bay",
  "dot",
  "ink",
  "oak",
  "sun",
  "fjord",
  "pixel",
] as const;
const hosts = ["example.com", "example.org", "example.net"] as const;

/** The address of the person with this number; no two numbers give the same. */
export const addressOf = (chance: Chance, number: number) =>
  `${chance.pick(names)}.${chance.pick(words)}${number}@${chance.pick(hosts)}`;

/** The account that the owner of an address registers. */
export const customerOf = (email: string, joinedAt: number): PastCustomer => ({
  id: idAt(joinedAt, email),
  username: email.slice(0, email.indexOf("@")),
  email,
  joinedAt,
});
