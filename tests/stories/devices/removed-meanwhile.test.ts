import { expect, test } from "bun:test";
import type { Client } from "@libsql/client";
import { devices } from "@/domain/schema/devices";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeOf, customerWith, listDevices } from "./computers";
import { signIn } from "./signing-in";

type Moment = { has: boolean };

/** Removes a computer, as another process does, right after the shop has read whose token a call has. */
function afterToken({ ctx: { store } }: Stage, id: string): Moment {
  const { client } = store;
  const come: Moment = { has: false };
  // the resilient client calls this on the file's own client
  client.execute = async function (this: Client, ...asked: Parameters<Client["execute"]>) {
    const own: Client = Object.getPrototypeOf(this);
    const answer = await own.execute.apply(this, asked);
    if (!come.has && JSON.stringify(asked).includes(String.raw`from \"device_tokens\"`)) {
      come.has = true;
      await own.execute.apply(this, removing(id));
    }
    return answer;
  };
  return come;
}

/** The same right before the shop writes to a computer that it has found. */
function beforeWrite({ ctx: { store } }: Stage, id: string): Moment {
  const come: Moment = { has: false };
  const { client } = store;
  store.client = new Proxy(client, {
    get(target, name) {
      if (name !== "batch") return Reflect.get(target, name, target) as unknown;
      return async (...asked: Parameters<Client["batch"]>) => {
        if (!come.has && JSON.stringify(asked).includes(String.raw`update \"devices\"`)) {
          come.has = true;
          await client.execute(...removing(id));
        }
        return client.batch(...asked);
      };
    },
  });
  return come;
}

const removing = (id: string): [sql: string, args: string[]] => ["DELETE FROM devices WHERE id = ?", [id]];

for (const [when, at] of [
  ["after its token was read", afterToken],
  ["before its place is confirmed", beforeWrite],
] as const) {
  test(`a computer that is removed during its own call, ${when}, gets no new seat by its old token`, async () => {
    await using stage = await openStage();
    const { person } = await customerWith(stage, 3);
    const laptop = await signIn(stage, person, "laptop");
    const study = await signIn(stage, person, "study");
    const moment = at(stage, (await listDevices(person))["laptop"]!.id);
    const answer = await laptop.activate("laptop");
    expect(moment.has).toBe(true);
    expect(answer).toMatchObject({ status: 401, body: { code: "NO_LICENSE" } });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    expect(Object.keys(await listDevices(person))).toEqual(["study"]);
    expect(await stage.ctx.store.db.$count(devices)).toBe(1);
    expect(await codeOf(study.validate("study"))).toBe("VALID");
    // it signs in again, to a place of its own
    const anew = await signIn(stage, person, "laptop");
    expect(await codeOf(anew.activate("laptop"))).toBe("VALID");
  });
}

for (const call of ["validate", "deactivate"] as const) {
  test(`a computer that is removed while it calls ${call} is told that it is not activated, and is not stored again`, async () => {
    await using stage = await openStage();
    const { person } = await customerWith(stage, 3);
    const laptop = await signIn(stage, person, "laptop");
    const moment = afterToken(stage, (await listDevices(person))["laptop"]!.id);
    expect(await codeOf(laptop[call]("laptop"))).toBe("NOT_ACTIVATED");
    expect(moment.has).toBe(true);
    expect(await listDevices(person)).toEqual({});
    expect((await laptop[call]("laptop")).status).toBe(401);
  });
}
