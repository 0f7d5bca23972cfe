import { and, asc, eq, gt, inArray, lte, type SQL, sql } from "drizzle-orm";
import { partBytes } from "@/contract/wire/desk/releases";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { day } from "@/contract/vocabulary/time";
import { type Actor, actorId, type By } from "@/core/base/actor";
import { buildName, platformOf } from "@/contract/vocabulary/build-names";
import type { Platform } from "@/contract/vocabulary/builds";
import { commit, commitIfFirst, mustHaveChanged, mustNotExist, type Write } from "@/core/database/commit";
import { expectNoCopy } from "@/core/database/restored-copy";
import { diskFault } from "@/core/database/disk-fault";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue, noJobWaits } from "@/core/jobs/outbox";
import { authorize, expectConfirmed } from "../../permissions";
import { releaseUploads, type UploadTerms } from "../../schema/release-uploads";
import { shopTopics } from "../../outbox-topics";
import { expectNewVersion } from "../current";
import { expectPublishable } from "../publish";
import { publicKeyFromPem } from "../signatures";
import type { BuildStore } from "../store";

export type Upload = typeof releaseUploads.$inferSelect;

/** How many may be open at once, so that parts of forgotten ones don't fill the disk. */
const mostOpen = 4;
/** An upload that nobody continues for this long is cancelled. */
export const abandonedAfter = day;
/** For how long an upload can be looked up after its end. */
const keptAfterEnd = 7 * day;

/** Has to equal the condition of its partial index. */
const isOpen = sql`${releaseUploads.state} IN ('sending', 'publishing', 'refused')`;
/** A condition on an upload's state in a write. */
export const inState = (id: string, ...states: Upload["state"][]): SQL | undefined =>
  and(eq(releaseUploads.id, id), inArray(releaseUploads.state, states));

/** The bytes of all files together. */
export const bytesOf = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

const partsOf = ({ terms }: Upload): number => Math.ceil(bytesOf(terms.files) / partBytes);

/** Where a part is in the store of parts, known without a row, so that nothing is left behind. */
export const addressOfPart = (id: string, part: number): string =>
  new Bun.CryptoHasher("sha256").update(`${id} ${part}`).digest("hex");

/** Refuses with `upload_unknown`. */
export async function uploadNamed({ store: { db } }: Ctx, id: string): Promise<Upload> {
  const [found] = await db.select().from(releaseUploads).where(eq(releaseUploads.id, id));
  if (!found) throw new Refusal("upload_unknown");
  return found;
}

/** An upload as it is now. Refuses with `upload_unknown`. */
export async function uploadShown(ctx: Ctx, id: string, actor: Actor): Promise<Upload> {
  authorize(actor, "release.publish");
  return uploadNamed(ctx, id);
}

/** The uploads that are under way, oldest first. */
export async function openUploads(ctx: Ctx, actor: Actor): Promise<Upload[]> {
  authorize(actor, "release.publish");
  return ctx.store.db
    .select()
    .from(releaseUploads)
    .where(isOpen)
    .orderBy(asc(releaseUploads.createdAt), asc(releaseUploads.id))
    .limit(mostOpen);
}

type NewFile = Omit<UploadTerms["files"][number], "platform"> & {
  /** If absent, it is taken from the name. */
  platform?: Platform | undefined;
};
type NewUpload = Omit<UploadTerms, "files"> & { files: NewFile[] };

/** `newsChannelProblem`: why release notes can't be posted; null if they can. */
type Where = { parts: BuildStore; newsChannelProblem: string | null };

/**
 * Begins a release whose files arrive in parts. Refuses what publishing would refuse before anything is sent. Also
 * refuses with `no_space`, with `upload_limit` while {@link mostOpen} are open, and with `copy` on a restored copy.
 */
export async function beginUpload(
  ctx: Ctx,
  { parts, newsChannelProblem }: Where,
  { files, ...terms }: NewUpload,
  by: By,
): Promise<Upload> {
  authorize(by, "release.publish");
  expectConfirmed(ctx, by, "release.publish");
  await expectNoCopy(ctx);
  const builds = files.map((file) => ({
    ...file,
    name: buildName(file.name),
    platform: file.platform ?? platformIn(file.name),
  }));
  const { minimumVersion, publicKey, ...checked } = terms;
  expectPublishable({ ...checked, ...(minimumVersion === null ? {} : { minimumVersion }), builds });
  if (publicKey !== null) expectKey(publicKey);
  if (terms.tell && newsChannelProblem)
    throw new Refusal("release_invalid", { field: "tell", sentence: newsChannelProblem });
  await expectNewVersion(ctx, terms.version);
  // space for the parts, and for the builds made of them
  if (!(await parts.hasSpace(2 * bytesOf(builds)))) throw new Refusal("no_space");
  const id = newId();
  const now = ctx.now();
  const asked = { accountId: actorId(by.actor), reason: by.reason, createdAt: now, touchedAt: now };
  await commit(ctx.store, [
    mustNotExist(lastThatMayBeOpen(ctx), "upload_limit", {}),
    ctx.store.db.insert(releaseUploads).values({ id, terms: { ...terms, files: builds }, ...asked }),
  ]);
  return uploadNamed(ctx, id);
}

function platformIn(name: string): Platform {
  const platform = platformOf(name);
  if (platform) return platform;
  throw new Refusal("release_invalid", { field: "files", sentence: `${name} is not a known kind of build.` });
}

function expectKey(pem: string): void {
  try {
    publicKeyFromPem(pem);
  } catch {
    const sentence = "That is not a public key in PEM.";
    throw new Refusal("release_invalid", { field: "public_key", sentence });
  }
}

/** In the commit, so that two at once can't open one too many. */
const lastThatMayBeOpen = ({ store: { db } }: Ctx) =>
  db
    .select({ one: sql`1` })
    .from(releaseUploads)
    // the index is by time
    .where(and(isOpen, gt(releaseUploads.createdAt, new Date(0))))
    .limit(1)
    .offset(mostOpen - 1);

type PartId = { id: string; part: number };

/**
 * The upload that waits for a part, before its bytes are read. Refuses with `upload_unknown`, also for a part that the
 * upload doesn't have, and with `upload_over` once it waits for none.
 */
export async function uploadOfPart(ctx: Ctx, { id, part }: PartId, actor: Actor): Promise<Upload> {
  authorize(actor, "release.publish");
  const upload = await uploadNamed(ctx, id);
  if (part >= partsOf(upload)) throw new Refusal("upload_unknown");
  await expectNoCopy(ctx);
  if (upload.state !== "sending") throw new Refusal("upload_over");
  return upload;
}

/**
 * Appends a part; resolves to how many bytes have arrived. One that arrived before changes nothing. Refuses as
 * {@link uploadOfPart}, with `upload_incomplete` if it is not the next, with `part_damaged` if it has another size, and
 * with `no_space`.
 */
export async function takePart(
  ctx: Ctx,
  parts: BuildStore,
  { bytes, ...partId }: PartId & { bytes: Uint8Array<ArrayBuffer> },
  actor: Actor,
): Promise<number> {
  authorize(actor, "release.publish");
  const { id, received, terms } = await uploadOfPart(ctx, partId, actor);
  const from = partId.part * partBytes;
  if (from < received) return received;
  if (from > received) throw new Refusal("upload_incomplete");
  if (bytes.length !== Math.min(partBytes, bytesOf(terms.files) - from)) throw new Refusal("part_damaged");
  if (!(await parts.hasSpace(bytes.length))) throw new Refusal("no_space");
  await parts.keep(addressOfPart(id, partId.part), new Blob([bytes])).catch((error: unknown) => {
    throw diskFault(error) === null ? error : new Refusal("no_space", {}, { cause: error });
  });
  const isFirst = await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(releaseUploads)
      .set({ received: from + bytes.length, touchedAt: ctx.now() })
      .where(and(inState(id, "sending"), eq(releaseUploads.received, from))),
    mustHaveChanged("conflict"),
  ]);
  if (isFirst) return from + bytes.length;
  // if it was cancelled meanwhile, its parts were removed before this one was there
  await commit(ctx.store, [removePartsWrite(ctx, id)]);
  return (await uploadOfPart(ctx, partId, actor)).received;
}

/**
 * Ends an upload and forgets its parts; cancelling it again changes nothing. Refuses with `upload_unknown`, and with
 * `upload_over` if it is being published, or was.
 */
export async function cancelUpload(ctx: Ctx, id: string, by: By): Promise<Upload> {
  authorize(by, "release.publish");
  const { state } = await uploadNamed(ctx, id);
  if (state !== "cancelled") await commit(ctx.store, cancelWrites(ctx, id, "upload_over"));
  return uploadNamed(ctx, id);
}

const cancelWrites = (ctx: Ctx, id: string, otherwise: "upload_over" | "conflict"): Write[] => [
  ctx.store.db
    .update(releaseUploads)
    .set({ state: "cancelled", touchedAt: ctx.now() })
    .where(
      and(inState(id, "sending", "publishing", "refused"), noJobWaits(ctx, shopTopics.publishUpload, id)),
    ),
  mustHaveChanged(otherwise),
  removePartsWrite(ctx, id),
];

/** The write that has the parts of an upload deleted, if it is over. */
export const removePartsWrite = (ctx: Ctx, id: string): Write =>
  enqueue(ctx, { topic: shopTopics.removeParts, subject: id });

/** The outbox handler that deletes the parts of an upload that is over. */
export const removeParts =
  (ctx: Ctx, parts: BuildStore): Handler<typeof shopTopics.removeParts> =>
  async ({ subject: id }) => {
    const upload = await uploadNamed(ctx, id).catch(() => null);
    if (upload?.state !== "published" && upload?.state !== "cancelled") return [];
    for (let part = 0; part < partsOf(upload); part += 1) await parts.remove(addressOfPart(id, part));
    return [];
  };

/**
 * The periodic job: cancels uploads that nobody continued for a day, or whose publication was dropped or lost by a
 * restore, and forgets those that ended a week ago.
 */
export async function forgetUploads(ctx: Ctx): Promise<void> {
  const { db } = ctx.store;
  const ago = (milliseconds: number) => new Date(ctx.now().getTime() - milliseconds);
  const open = await db
    .select()
    .from(releaseUploads)
    // the index is by time
    .where(and(isOpen, gt(releaseUploads.createdAt, new Date(0))))
    .limit(mostOpen);
  for (const { id, state, touchedAt } of open)
    if (state === "publishing" || touchedAt <= ago(abandonedAfter))
      await commitIfFirst(ctx.store, cancelWrites(ctx, id, "conflict"));
  const old = db
    .select({ id: releaseUploads.id })
    .from(releaseUploads)
    .where(
      and(
        lte(releaseUploads.touchedAt, ago(keptAfterEnd)),
        inArray(releaseUploads.state, ["published", "cancelled"]),
      ),
    )
    .limit(20);
  await db.delete(releaseUploads).where(inArray(releaseUploads.id, old));
}
