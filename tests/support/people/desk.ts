import { operator, type StaffRole } from "@/core/actor";
import { addStaff } from "@/domain/staff/staff-actions";
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

/** A signed-in account with a role and two-factor, which has not entered the desk yet. */
export async function colleague(stage: Stage, name: string, role: StaffRole): Promise<Colleague> {
  const person = await member(stage, name);
  const { secret } = await turnOnMfa(stage, person);
  await addStaff(stage.ctx, { named: name, role }, { actor: operator, reason: "a story" });
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
