import { operator, type StaffRole } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { accountByName } from "@/domain/accounts/sessions/account";
import { staff } from "@/domain/schema/staff";
import { codeAt, member, nextStep, turnOnMfa } from "../../stories/accounts/people";
import type { Stage } from "../shop/stage";
import type { Person } from "./person";

/** A member of staff with two-factor. */
export type Colleague = {
  person: Person;
  /** The authenticator's secret. */
  secret: string;
  get: Person["get"];
  post: Person["post"];
  /** Types a fresh code, so that what needs one is allowed for ten minutes. */
  confirm(): Promise<void>;
};

/** Gives an account its first role as if it had accepted an invitation, which uses up neither mail nor code. */
export async function appoint(ctx: Ctx, name: string, role: StaffRole): Promise<void> {
  const account = await accountByName(ctx, name);
  if (!account) throw new Error(`there is no account ${name}`);
  const { id: accountId } = account;
  await commit(ctx.store, [
    ctx.store.db.insert(staff).values({ id: newId(), accountId, role, createdAt: ctx.now() }),
    record(ctx, {
      actor: operator,
      action: "staff.added",
      subject: accountId,
      accountId,
      reason: "a story",
      detail: { role },
    }),
  ]);
}

/** A signed-in account with a role and two-factor, which has not entered the desk yet. */
export async function colleague(stage: Stage, name: string, role: StaffRole): Promise<Colleague> {
  const person = await member(stage, name);
  const { secret } = await turnOnMfa(stage, person);
  await appoint(stage.ctx, name, role);
  return {
    person,
    secret,
    get: (path, headers) => person.get(`/api/desk/${path}`, headers),
    post: (path, body, headers) => person.post(`/api/desk/${path}`, body, headers),
    async confirm() {
      await nextStep(stage);
      const { status, body } = await person.post("/api/desk/confirm", {
        security_code: codeAt(stage, secret),
      });
      if (status !== 200) throw new Error(`${name} could not confirm: ${body.code}`);
    },
  };
}

/** A member of staff who has entered the desk; entering confirms too, for ten minutes. */
export async function atDesk(stage: Stage, name: string, role: StaffRole): Promise<Colleague> {
  const one = await colleague(stage, name, role);
  const entered = await one.post("enter", { security_code: codeAt(stage, one.secret) });
  if (entered.status !== 200) throw new Error(`${name} could not enter: ${entered.body.code}`);
  return one;
}
