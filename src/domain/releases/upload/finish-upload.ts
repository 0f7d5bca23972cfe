import { partBytes } from "@/contract/wire/desk/releases";
import { actorId, type By } from "@/core/base/actor";
import { commit, commitIfFirst, mustHaveChanged, retryOnConflict } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { diskFault } from "@/core/database/disk-fault";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { streamOf } from "@/core/base/stream-of";
import { authorize, expectConfirmed } from "../../permissions";
import { releaseUploads } from "../../schema/release-uploads";
import { releaseById } from "../current";
import { type NewBuild, publishAuthorized } from "../publish";
import { publicKeyFromPem } from "../signatures";
import type { BuildStore } from "../store";
import { addressOfPart, bytesOf, inState, removePartsWrite, type Upload, uploadNamed } from "./uploads";

/**
 * Publishes a complete upload, by a job that survives a restart; finishing it again changes nothing. Refuses with
 * `upload_unknown`, with `upload_incomplete` while parts are missing, and with `upload_over` if it was cancelled.
 */
export async function finishUpload(ctx: Ctx, id: string, by: By): Promise<Upload> {
  authorize(by, "release.publish");
  return retryOnConflict(async () => {
    const upload = await uploadNamed(ctx, id);
    expectConfirmed(ctx, by, "release.publish");
    await expectNoCopy(ctx);
    if (upload.state === "cancelled") throw new Refusal("upload_over");
    if (upload.state === "sending" || upload.state === "refused") await begin(ctx, upload, by);
    return uploadNamed(ctx, id);
  });
}

async function begin(ctx: Ctx, { id, state, received, terms }: Upload, by: By): Promise<void> {
  if (received < bytesOf(terms.files)) throw new Refusal("upload_incomplete");
  const asked = { accountId: actorId(by.actor), reason: by.reason, touchedAt: ctx.now() };
  await commit(ctx.store, [
    ctx.store.db
      .update(releaseUploads)
      .set({ ...asked, state: "publishing", storedBytes: 0, refusal: null })
      .where(inState(id, state)),
    mustHaveChanged("conflict"),
    enqueue(ctx, { topic: shopTopics.publishUpload, subject: id }),
  ]);
}

type Stores = { parts: BuildStore; builds: BuildStore };

/** The outbox handler that publishes a finished upload. A refusal is stored in the upload. */
export const publishUpload =
  (ctx: Ctx, { parts, builds }: Stores): Handler<typeof shopTopics.publishUpload> =>
  async ({ subject: id }) => {
    const upload = await uploadNamed(ctx, id).catch(() => null);
    if (upload?.state !== "publishing") return [];
    // already published, if a crash came before the end of the job
    if ((await releaseById(ctx, id)) === null) {
      const refusal = await publishRelease(ctx, { parts, builds }, upload);
      if (refusal) return [become(ctx, id, { state: "refused", refusal })];
    }
    return [become(ctx, id, { state: "published" }), removePartsWrite(ctx, id)];
  };

const become = (ctx: Ctx, id: string, change: Partial<Upload>) =>
  ctx.store.db
    .update(releaseUploads)
    .set({ ...change, touchedAt: ctx.now() })
    .where(inState(id, "publishing"));

/** Publishes; resolves to why it can't be, or null. */
async function publishRelease(ctx: Ctx, stores: Stores, upload: Upload): Promise<Upload["refusal"]> {
  try {
    await publishParts(ctx, stores, upload);
    return null;
  } catch (error) {
    const refusal = refusalIn(error) ?? (diskFault(error) === null ? null : new Refusal("no_space"));
    if (!refusal) throw error;
    ctx.log.warn("an upload could not be published", { reason: refusal.code });
    return { code: refusal.code, sentence: refusal.detail.sentence ?? null };
  }
}

async function publishParts(ctx: Ctx, { parts, builds }: Stores, upload: Upload): Promise<void> {
  const { id, terms, accountId, reason } = upload;
  const { minimumVersion, publicKey, tell, files, ...others } = terms;
  const release = {
    ...others,
    id,
    ...(minimumVersion === null ? {} : { minimumVersion }),
    ...(publicKey === null ? {} : { publicKey: publicKeyFromPem(publicKey) }),
    postNotes: tell,
    builds: files.map(({ size, signature, ...file }, at): NewBuild => {
      const start = bytesOf(files.slice(0, at));
      return {
        ...file,
        file: { size, stream: () => streamOf(piecesOf(parts, id, start, start + size)) },
        ...(signature !== undefined && { signature: Buffer.from(signature, "base64") }),
      };
    }),
    onProgress: noteProgress(ctx, id),
  };
  const actor = {
    kind: "staff",
    via: "desk",
    accountId,
    roles: ["owner"],
    confirmedAt: upload.touchedAt,
  } as const;
  await publishAuthorized(ctx, builds, release, { actor, reason });
}

/** Some bytes of an upload, which its parts hold one after the other. */
async function* piecesOf(
  parts: BuildStore,
  id: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  for (let at = start, part = Math.floor(at / partBytes); at < end; at = ++part * partBytes) {
    const found = await parts.find(addressOfPart(id, part));
    if (!found) throw new Refusal("upload_incomplete", { sentence: "Its bytes are gone. Start it again." });
    const before = part * partBytes;
    const body = found.body(at - before, Math.min(found.size, end - before));
    yield* body instanceof Blob ? body.stream() : body;
  }
}

const noteEveryMilliseconds = 500;

/** Stores the progress of the publication, for every process to read. */
function noteProgress(ctx: Ctx, id: string): (done: number) => void {
  let notedAt = performance.now();
  return (storedBytes) => {
    if (performance.now() - notedAt < noteEveryMilliseconds) return;
    notedAt = performance.now();
    void commitIfFirst(ctx.store, [
      ctx.store.db.update(releaseUploads).set({ storedBytes }).where(inState(id, "publishing")),
    ]).catch(() => {
      // the next update has the newer number
    });
  };
}
