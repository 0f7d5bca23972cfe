import { eq } from "drizzle-orm";
import { operator } from "@/core/base/actor";
import { changeDevices } from "@/domain/licences/changes/staff-terms";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { devices } from "@/domain/schema/devices";
import type { Answer, Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";

export const by = { actor: operator, reason: "a story" };

/** A computer by a short name. */
export const computer = (name: string) => ({
  hwid: `hardware-id-of-${name}`,
  label: name,
  os: "Linux x64",
  version: "1.0.0",
});

/** A customer whose licence is for so many computers, and their application. */
export async function customerWith(
  stage: Stage,
  places: number,
  { name = "ada", days = null }: { name?: string; days?: number | null } = {},
) {
  const person = stage.person();
  const key = await stage.handOut(days);
  await give(stage, key, places);
  const registered = await person.register(key, name);
  if (registered.status !== 200) throw new Error(registered.body.data);
  const { id, api_key: token } = (await person.get("/api/user/me")).body.data;
  return { person, id: id as string, key, app: application(stage, token) };
}

/** Makes a licence one for so many computers. */
export async function give(stage: Stage, key: string, places: number): Promise<void> {
  const licence = await licenceOfKey(stage.ctx, key);
  if (!licence) throw new Error("the shop made it");
  if (licence.devices !== places) await changeDevices(stage.ctx, licence, places, by);
}

/** Somebody's application on any computer. */
export function application(stage: Stage, token: string) {
  const post = (path: string, body: object): Promise<Answer> =>
    stage.person().post(`/api/app/v1/${path}`, body, { authorization: `Bearer ${token}` });
  return {
    token,
    activate: (name: string, more: object = {}) => post("activate", { ...computer(name), ...more }),
    validate: (name: string, more: object = {}) =>
      post("validate", { hwid: computer(name).hwid, version: "1.0.0", ...more }),
    deactivate: (name: string) => post("deactivate", { hwid: computer(name).hwid }),
  };
}

export const codeOf = async (answer: Promise<Answer>) => (await answer).body.code as string;

/** The owner's list, by name. */
export async function listDevices(person: Person) {
  const { data } = (await person.get("/api/devices")).body;
  return Object.fromEntries((data as Listed[]).map((device) => [device.label, device])) as Record<
    string,
    Listed
  >;
}

type Listed = {
  id: string;
  label: string;
  os: string;
  version: string | null;
  active: boolean;
  first_seen: string;
  last_seen: string;
  removable_at: string | null;
  offline_until: string | null;
};

/** What the account says of its places. */
export const deviceCounts = async (person: Person) => (await person.get("/api/user/me")).body.data.devices;

export const remove = async (person: Person, name: string): Promise<Answer> =>
  person.post("/api/devices/remove", { id: (await listDevices(person))[name]?.id ?? "nobody's" });

/** As an offline file that runs until then would. */
export async function giveFile(stage: Stage, id: string, until: Date): Promise<void> {
  await stage.ctx.store.db.update(devices).set({ offlineUntil: until }).where(eq(devices.id, id));
}
