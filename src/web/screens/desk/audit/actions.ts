import { auditEvents } from "@/contract/audit-events";
import { inWords } from "../format";

/** Everything that the log may tell, for its filter. The schemas come along, which only this page loads. */
export const actionChoices: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(auditEvents).map((action) => [action, inWords(action)]),
);
