import type { Write } from "./commit";
import { type Ctx, newId } from "./context";
import { auditLog } from "./tables";

export type AuditEntry = {
  /** `shop`, `operator`, or an account's id. */
  actor: string;
  action: string;
  subject: string;
  accountId?: string | null;
  reason?: string;
  detail?: Record<string, string | number | boolean | null>;
};

/** The row that says what a commit did; it stands in that same commit. */
export const audit = (ctx: Ctx, entry: AuditEntry): Write =>
  ctx.store.db.insert(auditLog).values({ id: newId(), at: ctx.now(), ...entry });
