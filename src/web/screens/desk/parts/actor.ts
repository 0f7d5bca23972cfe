import type { DeskActor } from "@/contract/wire/desk/rows";
import { withSpaces } from "./format";

/** Who did something, in a word: `olga`, `The shop`, `A customer`. */
export function actorName({ kind, name, id }: DeskActor): string {
  if (name !== null) return name;
  if (kind === "shop") return "The shop";
  if (kind === "operator") return "The operator";
  if (kind === "application") return "The application";
  if (kind === "customer" || kind === "visitor") return `A ${kind}`;
  return id.startsWith("discord:") ? `Discord user ${id.slice("discord:".length)}` : withSpaces(kind);
}

/** `owner, on the desk`: what they acted as, and where. */
export function actorNote({ role, via }: DeskActor): string {
  const by =
    via === "discord" ? "in Discord" : via === "desk" ? "on the desk" : via === "site" ? "on the site" : "";
  return [role, by].filter(Boolean).join(", ");
}
