import { useEffect } from "react";
import { stored } from "../../../page/stored";

/** A thing whose page was opened, by the name that it had. */
export type OpenedPage = { to: string; name: string; kind: string };

const most = 8;
// names are people's data, so they end with the tab
const kept = stored("desk-opened");

/** What was opened in this tab, the last first. */
export function openedLast(): readonly OpenedPage[] {
  try {
    const known: unknown = JSON.parse(kept.recall() ?? "[]");
    return Array.isArray(known) ? known.filter(isOpened) : [];
  } catch {
    return [];
  }
}

/** Notes that a thing's page is open; nothing while it still loads. */
export function useOpened(opened: OpenedPage | null) {
  const { to, name, kind } = opened ?? {};
  useEffect(() => {
    if (to === undefined || name === undefined || kind === undefined) return;
    const others = openedLast().filter((one) => one.to !== to);
    kept.remember(JSON.stringify([{ to, name, kind }, ...others].slice(0, most)));
  }, [to, name, kind]);
}

export const forgetOpened = () => kept.forget();

const isOpened = (value: unknown): value is OpenedPage =>
  typeof value === "object" &&
  value !== null &&
  ["to", "name", "kind"].every((field) => typeof Reflect.get(value, field) === "string") &&
  String(Reflect.get(value, "to")).startsWith("/desk/");
