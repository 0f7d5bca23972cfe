import { toWire } from "@/contract/wire/to-wire";
import * as declared from "@/contract/operations/uploads";
import { partBytes, upload as uploadSchema, uploadFile } from "@/contract/wire/desk/releases";
import { sentenceOf } from "@/core/base/refusal";
import {
  abandonedAfter,
  beginUpload,
  bytesOf,
  cancelUpload,
  openUploads,
  type Upload,
  uploadShown,
} from "../releases/upload/uploads";
import { finishUpload } from "../releases/upload/finish-upload";
import { implement } from "./operation";

const answer = async (_: unknown, { result }: { result: Upload }) => upload(result);

/** Releases whose builds arrive in parts. */
export const uploadOperations = {
  listUploads: implement(declared.listUploads, {
    run: ({ ctx }, _, _given, { actor }) => openUploads(ctx, actor),
    answer: async (_, { result }) => ({ rows: result.map(upload), next: null }),
  }),
  beginUpload: implement(declared.beginUpload, {
    run: (services, _, { minimum_version, public_key, ...wanted }, by) => {
      const terms = { ...wanted, minimumVersion: minimum_version ?? null, publicKey: public_key ?? null };
      return beginUpload(services.ctx, services, terms, by);
    },
    answer,
  }),
  showUpload: implement(declared.showUpload, {
    run: ({ ctx }, id, _, { actor }) => uploadShown(ctx, id, actor),
    answer,
  }),
  finishUpload: implement(declared.finishUpload, {
    run: ({ ctx }, id, _, by) => finishUpload(ctx, id, by),
    answer,
  }),
  cancelUpload: implement(declared.cancelUpload, {
    run: ({ ctx }, id, _, by) => cancelUpload(ctx, id, by),
    answer,
  }),
};

function upload({ terms, refusal, ...one }: Upload) {
  return toWire(uploadSchema, {
    ...terms,
    ...one,
    partBytes,
    files: terms.files.map((file) => toWire(uploadFile, file)),
    // each build is read and then stored
    stored: one.state === "publishing" ? { bytes: one.storedBytes, of: 2 * bytesOf(terms.files) } : null,
    refusal: refusal && {
      code: refusal.code,
      sentence: refusal.sentence ?? sentenceOf(refusal),
    },
    expiresAt: new Date(one.touchedAt.getTime() + abandonedAfter),
  });
}
