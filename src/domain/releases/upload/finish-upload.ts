import { and, eq } from "drizzle-orm";
import { actorId, type By } from "@/core/base/actor";
import { commit, mustHaveChanged } from "@/core/database/commit";
import { commitIfFirst, retryOnConflict } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { diskFault } from "@/core/database/disk-fault";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../../outbox-topics";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { streamOf } from "@/core/base/stream-of";
import { authorize, expectConfirmed } from "../../permissions";
import { releaseUploadParts, releaseUploads } from "../../schema/release-uploads";
import { releaseById } from "../current";
import { type NewBuild, publishAuthorized } from "../publish";
import { publicKeyFromPem } from "../signatures";
import type { BuildStore, ReadableFile } from "../store";
import { forgettingParts } from "./forget-uploads";
import {
  allParts,
  filesOf,
  inState,
  sizeOfPart,
  type Upload,
  type UploadFile,
  type UploadPart,
  uploadNamed,
  uploadShown,
  type UploadView,
} from "./uploads";

/**
 * Has a complete upload published, by a job that survives a restart; finishing it again changes nothing. Refuses with
 * `upload_unknown`, with `upload_incomplete` while parts are missing, and with `upload_over` if it was cancelled.
 */
export async function finishUpload(ctx: Ctx, parts: BuildStore, id: string, by: By): Promise<UploadView> {
  authorize(by, "release.publish");
  return retryOnConflict(async () => {
    const upload = await uploadNamed(ctx, id);
    expectConfirmed(ctx, by, "release.publish");
    await expectNoCopy(ctx);
    if (upload.state === "cancelled") throw new Refusal("upload_over");
    if (upload.state === "sending" || upload.state === "refused") await begin(ctx, parts, upload, by);
    return uploadShown(ctx, id, by.actor);
  });
}

async function begin(ctx: Ctx, parts: BuildStore, { id, state }: Upload, by: By): Promise<void> {
  await forgetLost(ctx, parts, id);
  const { files } = await uploadShown(ctx, id, by.actor);
  if (files.some(({ missing }) => missing.length > 0)) throw new Refusal("upload_incomplete");
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

/** Marks parts as missing whose bytes are gone, such as after a restore or a full disk. */
async function forgetLost(ctx: Ctx, parts: BuildStore, id: string): Promise<void> {
  const files = await filesOf(ctx, id);
  for (const { file, part, address } of await allParts(ctx, id)) {
    const of = files.find((one) => one.file === file);
    if (of && (await parts.sizeOf(address)) === sizeOfPart(of, part)) continue;
    await ctx.store.db
      .delete(releaseUploadParts)
      .where(
        and(
          eq(releaseUploadParts.uploadId, id),
          eq(releaseUploadParts.file, file),
          eq(releaseUploadParts.part, part),
        ),
      );
  }
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
      const refusal = await published(ctx, { parts, builds }, upload);
      if (refusal) return [become(ctx, id, { state: "refused", refusal })];
    }
    return [become(ctx, id, { state: "published" }), ...forgettingParts(ctx, id)];
  };

const become = (ctx: Ctx, id: string, change: Partial<Upload>) =>
  ctx.store.db
    .update(releaseUploads)
    .set({ ...change, touchedAt: ctx.now() })
    .where(inState(id, "publishing"));

/** Publishes; resolves to why it can't be, or null. */
async function published(ctx: Ctx, stores: Stores, upload: Upload): Promise<Upload["refusal"]> {
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
  const { minimumVersion, publicKey, tell, ...others } = terms;
  const [files, all] = await Promise.all([filesOf(ctx, id), allParts(ctx, id)]);
  const release = {
    ...others,
    id,
    ...(minimumVersion === null ? {} : { minimumVersion }),
    ...(publicKey === null ? {} : { publicKey: publicKeyFromPem(publicKey) }),
    postNotes: tell,
    builds: files.map((file) => buildOf(parts, file, all)),
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

function buildOf(
  parts: BuildStore,
  { file, name, platform, sha256, size, signature }: UploadFile,
  all: UploadPart[],
): NewBuild {
  const own = all.filter((part) => part.file === file);
  return {
    platform,
    name,
    sha256,
    file: joined(parts, own, size),
    ...(signature === null ? {} : { signature: Buffer.from(signature, "base64") }),
  };
}

/** A file whose bytes are those of its parts, one after the other. */
const joined = (parts: BuildStore, own: UploadPart[], size: number): ReadableFile => ({
  size,
  stream: () => streamOf(piecesOf(parts, own)),
});

async function* piecesOf(parts: BuildStore, own: UploadPart[]): AsyncGenerator<Uint8Array> {
  for (const { address } of own) {
    const found = await parts.find(address);
    if (!found) throw new Refusal("upload_incomplete");
    const body = found.body(0, found.size);
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
      // the next note says more
    });
  };
}
