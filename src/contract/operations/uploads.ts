import { maxTitleLength, maxVersionLength, maxNewsLength, maxPercent } from "../vocabulary/bounds";
import { channels } from "../vocabulary/builds";
import { choice, choicesOf, flag, idOf, line, schemaNamed, text, wholeNumber } from "../vocabulary/fields";
import { operation } from "./operation";

const common = { permission: "release.publish", answers: "upload", means: "The upload" } as const;

export const listUploads = operation({
  ...common,
  name: "release.list_uploads",
  call: "GET releases/uploads",
  answers: "uploads",
  means: "The uploads, oldest first; at most four",
  summary: "The uploads that are open",
});

export const beginUpload = operation({
  answers: "upload",
  means: "The upload",
  name: "release.publish",
  roles: ["operator", "owner"],
  code: true,
  call: "POST releases/uploads",
  reason: "optional",
  fields: {
    version: idOf({ label: "Version", most: maxVersionLength }),
    channel: choice({ label: "Channel", choices: choicesOf(channels), otherwise: "latest" }),
    title: line({ label: "Title", most: maxTitleLength }),
    content: text({ label: "Notes", most: maxNewsLength, empty: true, otherwise: "", about: "Markdown" }),
    rollout: wholeNumber({ label: "Percent", least: 0, most: maxPercent, otherwise: maxPercent }),
    minimum_version: idOf({
      label: "Oldest version",
      most: maxVersionLength,
      optional: true,
      about: "Applications older than this must update",
    }),
    keep: schemaNamed({
      label: "Keep",
      schema: "platforms",
      otherwise: [],
      about: "Builds to keep from the current release",
    }),
    tell: flag({
      label: "Post the notes",
      otherwise: false,
      about: "Whether the bot posts the notes in the news channel",
    }),
    public_key: schemaNamed({
      label: "Public key",
      schema: "publicKey",
      optional: true,
      about: "In PEM: verifies the signature of every build. Without it, the shop signs them",
    }),
    files: schemaNamed({ label: "Builds", schema: "uploadFiles" }),
  },
  summary: "Begin a release whose builds arrive in parts",
  description: "Then send the parts in order, and call `finish`.",
});

export const showUpload = operation({
  ...common,
  name: "release.show_upload",
  call: "GET releases/uploads/{id}",
  summary: "An upload: how much has arrived, or the progress of its publication",
});

export const finishUpload = operation({
  ...common,
  name: "release.finish_upload",
  code: true,
  call: "POST releases/uploads/{id}/finish",
  reason: "optional",
  summary: "Publish an upload whose parts have all arrived",
  description:
    "The shop stores the builds after the answer (`publishing`); read the upload until it is `published` or `refused`.",
});

export const cancelUpload = operation({
  ...common,
  name: "release.cancel_upload",
  call: "POST releases/uploads/{id}/cancel",
  reason: "optional",
  summary: "Cancel an upload, and delete what was sent",
});
