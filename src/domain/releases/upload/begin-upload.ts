import { and, gt, sql } from "drizzle-orm";
import { buildName, platformOf } from "@/contract/vocabulary/build-names";
import type { Platform } from "@/contract/vocabulary/builds";
import { type By, actorId } from "@/core/base/actor";
import { commit, mustNotExist } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import { authorize, expectConfirmed } from "../../permissions";
import { releaseUploads, type UploadTerms } from "../../schema/release-uploads";
import { expectNewVersion } from "../current";
import { judge } from "../publish";
import { publicKeyFromPem } from "../signatures";
import type { BuildStore } from "../store";
import { bytesOf, isOpen, mostOpen, type Upload, uploadNamed } from "./uploads";

type NewFile = Omit<UploadTerms["files"][number], "platform"> & {
  /** If absent, it is taken from the name. */
  platform?: Platform | undefined;
};
export type NewUpload = Omit<UploadTerms, "files"> & { files: NewFile[] };

/** `newsLack`: why release notes can't be posted; null if they can. */
type Where = { parts: BuildStore; newsLack: string | null };

/**
 * Begins a release whose files arrive in parts. Refuses what publishing would refuse before anything is sent. Also
 * refuses with `no_space`, with `upload_limit` while {@link mostOpen} are open, and with `copy` on a restored copy.
 */
export async function beginUpload(
  ctx: Ctx,
  { parts, newsLack }: Where,
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
  const { minimumVersion, publicKey, ...judged } = terms;
  judge({ ...judged, ...(minimumVersion === null ? {} : { minimumVersion }), builds });
  if (publicKey !== null) expectKey(publicKey);
  if (terms.tell && newsLack) throw new Refusal("release_invalid", { field: "tell", sentence: newsLack });
  await expectNewVersion(ctx, terms.version);
  // room for the parts, and for the builds made of them
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
  throw new Refusal("release_invalid", { field: "files", sentence: `${name} is not a known kind of build` });
}

function expectKey(pem: string): void {
  try {
    publicKeyFromPem(pem);
  } catch {
    const sentence = "That is not a public key in PEM";
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
