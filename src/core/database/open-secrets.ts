import { eq, inArray } from "drizzle-orm";
import { maxOfflineDays } from "@/contract/vocabulary/devices";
import { day } from "@/contract/vocabulary/time";
import { commitIfFirst, type Write } from "./commit";
import { type Config, ConfigError } from "../settings/config";
import type { Ctx } from "./context";
import type { Store } from "./database";
import { factOf, keepFact, newShopId, replaceFact, shopIdFact } from "./key-values";
import { inFolder } from "./disk-fault";
import { createSecrets, type RetainedKeys, keptSecretKey, type Secrets } from "../secrets/secrets";
import { signingKey } from "../secrets/signing";
import { keyValues } from "./schema";

/** The secret and the one it replaced, 32 bytes each. */
export type RootKeys = { secretKey: Uint8Array; secretKeyOld: Uint8Array | null };

/** The last replacement of the secret. */
type Rotation = {
  /** The fingerprint of the replaced secret, and whether that secret had itself replaced another. */
  old: string;
  oldWasSuccessor: boolean;
  /** When no data was left under the replaced secret. */
  finishedAt: string | null;
};

/** A public key whose private half signed tokens, and until when such a token may still be in use. */
type RetiredTokenKey = { id: string; x: string; until: string };

/**
 * How long what a key signed may be in use: tokens 21 days, and licence files as long as `OFFLINE_DAYS` can be, since
 * files from before the setting changed run on.
 */
const signedMilliseconds = maxOfflineDays * day;

/** The configured secret; without one, makes or reads the data folder's. Refuses if the folder can't be used. */
export async function rootKeysOf({
  secretKey,
  secretKeyOld,
  dataDir,
}: Pick<Config, "secretKey" | "secretKeyOld" | "dataDir">): Promise<RootKeys> {
  const kept = () => inFolder(dataDir, () => keptSecretKey(dataDir));
  return { secretKey: secretKey ?? (await kept()), secretKeyOld };
}

/**
 * The secrets of a database. Refuses another database's secrets ({@link ConfigError}), under which its keys could be
 * neither shown nor looked up. If the settings have a new secret and the database's current one, `mayBegin` starts
 * the rotation; only the sole process on a database may ask for that, since another would go on using the old one.
 */
export async function openSecrets(
  store: Store,
  keys: RootKeys,
  { mayBegin, now = new Date() }: { mayBegin: boolean; now?: Date },
): Promise<Secrets> {
  const given = fingerprint(keys.secretKey);
  const givenOld = keys.secretKeyOld && fingerprint(keys.secretKeyOld);
  const secretKey = { name: "secret_key", value: given };
  const shopId = { name: shopIdFact, value: newShopId() };
  const [known] = await store.db.select().from(keyValues).where(eq(keyValues.name, secretKey.name));
  // only if unknown, so that commands can read a database that can't store anything
  if (!known) await store.db.insert(keyValues).values([secretKey, shopId]).onConflictDoNothing();
  const facts = await readFacts(store);
  const complaint = complaintAbout(facts, { given, givenOld, mayBegin });
  if (complaint) throw new ConfigError(complaint);
  if (facts.print !== given) {
    await begin(store, keys, { facts, now });
    return openSecrets(store, keys, { mayBegin: false });
  }
  const { rotation, keptSealed } = facts;
  const under = (kept: RetainedKeys[]) =>
    createSecrets(keys.secretKey, {
      successor: rotation !== null,
      kept,
      before:
        keys.secretKeyOld && rotation?.finishedAt === null
          ? createSecrets(keys.secretKeyOld, { successor: rotation.oldWasSuccessor })
          : null,
    });
  return under(keptSealed ? openKept(under([]), keptSealed) : []);
}

type Facts = {
  /** The fingerprint of the database's current secret. */
  print: string;
  rotation: Rotation | null;
  keptSealed: string | null;
  tokenKeys: string | null;
};

type GivenSecrets = { given: string; givenOld: string | null; mayBegin: boolean };

/** Why a database must not be opened with these secrets, in one sentence; null if it may be. */
function complaintAbout(
  { print, rotation }: Facts,
  { given, givenOld, mayBegin }: GivenSecrets,
): string | null {
  const isUnfinished = rotation?.finishedAt === null;
  if (given === givenOld) return "The setting SECRET_KEY_OLD must be another secret than SECRET_KEY.";
  if (print === given && givenOld === null) {
    return isUnfinished
      ? "The setting SECRET_KEY_OLD must stay until `shop secrets rotate` has finished."
      : null;
  }
  if (print === given) {
    return rotation?.old === givenOld
      ? null
      : "The setting SECRET_KEY_OLD is not the secret that this database was under before.";
  }
  if (print !== givenOld) {
    return "The setting SECRET_KEY is not the one that this database was made with. To replace that one, set it as SECRET_KEY_OLD.";
  }
  if (isUnfinished) {
    return "The setting SECRET_KEY can't change again until `shop secrets rotate` has finished with the last change.";
  }
  return mayBegin
    ? null
    : "The setting SECRET_KEY is new to this database: start the shop with it and SECRET_KEY_OLD first.";
}

/** From now on the shop seals and hashes with the new secret, and opens earlier data with the old one. */
async function begin(
  store: Store,
  keys: RootKeys,
  { facts, now }: { facts: Facts; now: Date },
): Promise<void> {
  const { secretKey, secretKeyOld } = keys;
  if (!secretKeyOld) throw new Error("nothing to replace");
  const oldWasSuccessor = facts.rotation !== null;
  const old = createSecrets(secretKeyOld, { successor: oldWasSuccessor });
  const fresh = createSecrets(secretKey, { successor: true });
  const kept = [old.retainedKeys(), ...(facts.keptSealed ? openKept(old, facts.keptSealed) : [])];
  const { id, x } = signingKey(old, "app-token");
  const retired: RetiredTokenKey[] = [
    { id, x, until: new Date(now.getTime() + signedMilliseconds).toISOString() },
    ...retiredIn(facts.tokenKeys, now),
  ];
  const rotation: Rotation = { old: facts.print, oldWasSuccessor, finishedAt: null };
  const keep = (name: string, value: string) =>
    store.db
      .insert(keyValues)
      .values({ name, value })
      .onConflictDoUpdate({ target: keyValues.name, set: { value } });
  // another process on this database server may have begun first
  await commitIfFirst(store, [
    ...replaceFact({ store }, "secret_key", { before: facts.print, after: fingerprint(secretKey) }),
    keep("secret_rotation", JSON.stringify(rotation)),
    keep("kept_keys", fresh.seal(JSON.stringify(kept), keptContext)),
    keep("retired_token_keys", JSON.stringify(retired)),
  ]);
}

/** The last replacement of the secret, or null if there was none. */
export async function rotationOf(store: Store): Promise<Rotation | null> {
  return (await readFacts(store)).rotation;
}

/** The write that records that no data is left under the replaced secret. */
export const rotationFinished = (ctx: Ctx, rotation: Rotation): Write =>
  keepFact(ctx, "secret_rotation", JSON.stringify({ ...rotation, finishedAt: ctx.now().toISOString() }));

/** Public keys of replaced secrets whose tokens may still be in use. */
export const retiredTokenKeys = async (ctx: Ctx): Promise<RetiredTokenKey[]> =>
  retiredIn(await factOf(ctx, "retired_token_keys"), ctx.now());

const keptContext = "kept-keys";
// only `begin` seals this
const openKept = (secrets: Secrets, sealed: string) =>
  JSON.parse(secrets.open(sealed, keptContext)) as RetainedKeys[];

const retiredIn = (fact: string | null, now: Date): RetiredTokenKey[] =>
  ((fact ? JSON.parse(fact) : []) as RetiredTokenKey[]).filter(
    ({ until }) => Date.parse(until) > now.getTime(),
  );

/** Distinguishes secrets without revealing anything of them. */
export const fingerprint = (root: Uint8Array) =>
  createSecrets(root).fingerprint("installation", "secret-key");

const names = ["secret_key", "secret_rotation", "kept_keys", "retired_token_keys"] as const;

async function readFacts({ db }: Store): Promise<Facts> {
  const rows = await db
    .select()
    .from(keyValues)
    .where(inArray(keyValues.name, [...names]));
  const fact = (name: (typeof names)[number]) => rows.find((row) => row.name === name)?.value ?? null;
  const rotation = fact("secret_rotation");
  return {
    print: fact("secret_key") ?? "",
    rotation: rotation ? (JSON.parse(rotation) as Rotation) : null,
    keptSealed: fact("kept_keys"),
    tokenKeys: fact("retired_token_keys"),
  };
}
