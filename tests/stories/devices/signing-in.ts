import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";
import { password } from "../accounts/people";
import { application, computer } from "./computers";

export const grant = "urn:ietf:params:oauth:grant-type:device_code";

/** An application that asks to be signed in on a computer. */
export async function ask(stage: Stage, name: string, from: Person = stage.person()) {
  const { status, body } = await from.post("/api/app/v1/device/code", computer(name));
  if (status !== 200) throw new Error(`no code: ${JSON.stringify(body)}`);
  const poll = () =>
    from.post("/api/app/v1/device/token", { grant_type: grant, device_code: body.device_code });
  return { ...body, userCode: body.user_code as string, poll, from };
}

export const decide = (person: Person, userCode: string, approve = true, typed = password) =>
  person.post("/api/devices/request", {
    user_code: userCode,
    approve,
    ...(approve && { password: typed }),
  });

export const showRequest = (person: Person, userCode: string) =>
  person.get(`/api/devices/request?user_code=${encodeURIComponent(userCode)}`);

/** Signs the application in on a computer; its calls go with the computer's token. */
export async function signIn(stage: Stage, person: Person, name: string, typed = password) {
  const asking = await ask(stage, name);
  const decided = await decide(person, asking.userCode, true, typed);
  if (decided.status !== 200) throw new Error(`not approved: ${JSON.stringify(decided.body)}`);
  const { status, body } = await asking.poll();
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
  return application(stage, body.access_token);
}

/** A call with a token, from an address of its own. */
export const call = (stage: Stage, token: string, path: string) =>
  stage.person().get(`/api/app/v1/${path}`, { authorization: `Bearer ${token}` });
