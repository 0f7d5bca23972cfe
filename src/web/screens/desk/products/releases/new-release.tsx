import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Rocket } from "lucide-react";
import { useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { Platform } from "@/contract/vocabulary/builds";
import { listReleases } from "@/contract/operations/products";
import { beginUpload } from "@/contract/operations/uploads";
import { collectionQuery } from "../../../../api/desk/collections";
import { callOperation } from "../../../../api/desk/operations";
import { Field } from "../../../../parts/field";
import { Button } from "../../../../ui/button";
import { Card, CardTitle } from "../../../../ui/card";
import { Label } from "../../../../ui/label";
import { NativeSelect } from "../../../../ui/native-select";
import { Textarea } from "../../../../ui/textarea";
import { writeSize } from "../../../../parts/build-files";
import { NewsEntry } from "../../../../parts/changelog";
import { useDraft } from "../../../../parts/draft";
import { counted } from "../../parts/format";
import { useMe } from "../../parts/me";
import { UnknownDeskPage } from "../../parts/unknown-desk-page";
import { mayDo, type Operation } from "../../operation/operation";
import { OperationDialog } from "../../operation/operation-dialog";
import { channelNames, isChannel } from "./channel-names";
import { Check } from "../../parts/check";
import { ChooseButton } from "./choose-button";
import { ChosenFiles } from "./chosen-files";
import { platformName } from "./platform-names";
import { sendBuilds } from "./send-builds";
import { useHashedFiles } from "./use-hashed-files";
import { maxTitleLength, maxVersionLength, maxNewsLength } from "@/contract/vocabulary/bounds";

/** Publishes a release: its files, notes, and who is offered it. */
export function NewRelease() {
  return mayDo(useMe(), beginUpload) ? <Writing /> : <UnknownDeskPage />;
}

const empty = { version: "", channel: "latest", rollout: "100", minimum: "", tell: false } as const;
type Terms = { [Name in keyof typeof empty]: (typeof empty)[Name] extends boolean ? boolean : string };

function Writing() {
  const navigate = useNavigate();
  const id = useId();
  const queries = useQueryClient();
  const [terms, setTerms] = useState<Terms>(empty);
  const [title, setTitle, takeTitle] = useDraft("desk:release:title");
  const [content, setContent, takeContent] = useDraft("desk:release");
  const [keep, setKeep] = useState<readonly Platform[]>([]);
  const [isAsking, ask] = useState(false);
  const [now] = useState(() => new Date().toISOString());
  const { files, passedOver, add, choose, remove } = useHashedFiles();
  const { version, channel, rollout, minimum, tell } = terms;
  const set = (change: Partial<Terms>) => setTerms((known) => ({ ...known, ...change }));
  const lack = lackOf({ files, version, title, rollout });
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);

  const publish: Operation = {
    name: "Publish release",
    declared: beginUpload,
    fields: [],
    icon: Rocket,
    consequence: () =>
      `Uploads ${counted(files.length, "file")} (${writeSize(bytes)}), then offers ${version} to ${Number(rollout) === 100 ? "every computer" : `${rollout}% of computers`} on ${channelName(channel)}${tell ? ", and posts the notes in the news channel" : ""}.`,
    async run(_, reason) {
      const upload = await callOperation(beginUpload, {
        version,
        channel: isChannel(channel) ? channel : "latest",
        title,
        content,
        rollout: Number(rollout),
        ...(minimum !== "" && { minimum_version: minimum }),
        keep: [...keep],
        tell,
        files: files.map(({ file, sha256, platform }) => ({
          name: file.name,
          size: file.size,
          sha256: sha256 ?? "",
          ...(platform && { platform }),
        })),
        ...(reason !== "" && { reason }),
      });
      // the shop keeps their order
      void sendBuilds(queries, upload, { files: files.map(({ file }) => file), reason });
      takeTitle(title);
      takeContent(content);
      void navigate("/desk/products/releases");
    },
    done: () => `${version} is being uploaded`,
  };

  return (
    <section aria-label="New release" className="grid items-start gap-6 xl:grid-cols-2">
      <Card className="gap-5">
        <CardTitle>Publish a release</CardTitle>
        <div className="flex flex-col items-start gap-3">
          <div className="flex flex-wrap gap-2">
            <ChooseButton words="Choose files" label="Files of the release" onChoose={add} />
            <ChooseButton words="Choose a folder" label="Folder of the release" folder onChoose={add} />
          </div>
          {files.length > 0 && (
            <div className="w-full">
              <ChosenFiles files={files} choose={choose} remove={remove} />
            </div>
          )}
          {passedOver.length > 0 && (
            <p className="text-sm text-muted-foreground wrap-anywhere">
              Skipped, because they aren&apos;t builds: {passedOver.join(", ")}
            </p>
          )}
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <Field
            label="Version"
            name="version"
            maxLength={maxVersionLength}
            placeholder="2.1.0"
            autoComplete="off"
            value={version}
            onChange={({ target }) => set({ version: target.value.trim() })}
          />
          <div className="flex flex-col gap-2">
            <Label htmlFor={`${id}-channel`}>Channel</Label>
            <NativeSelect
              choices={Object.entries(channelNames)}
              id={`${id}-channel`}
              className="md:h-10"
              value={channel}
              onChange={({ target }) => set({ channel: target.value })}
            />
          </div>
          <Field
            label="Rollout in percent"
            name="rollout"
            type="number"
            min={0}
            max={100}
            value={rollout}
            hint="The share of computers that get it."
            onChange={({ target }) => set({ rollout: target.value })}
          />
          <Field
            label="Minimum version"
            name="minimum"
            maxLength={maxVersionLength}
            aria-required={false}
            autoComplete="off"
            value={minimum}
            hint="Older versions must update. Leave empty to require none."
            onChange={({ target }) => set({ minimum: target.value.trim() })}
          />
        </div>
        <Field
          label="Title of the notes"
          name="title"
          maxLength={maxTitleLength}
          autoComplete="off"
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
        <div className="flex flex-col gap-2">
          <Label htmlFor={`${id}-notes`}>Notes</Label>
          <Textarea
            id={`${id}-notes`}
            rows={8}
            maxLength={maxNewsLength}
            value={content}
            onChange={({ target }) => setContent(target.value)}
          />
        </div>
        <KeptBuilds keep={keep} onKeep={setKeep} />
        <Check checked={tell} onChange={(is) => set({ tell: is })}>
          Post the notes in the news channel
        </Check>
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={lack !== null} onClick={() => ask(true)}>
            <Rocket aria-hidden="true" />
            Publish…
          </Button>
          <Button asChild variant="ghost">
            <Link to="/desk/products/releases">Back</Link>
          </Button>
          {lack !== null && <p className="text-sm text-muted-foreground">{lack}</p>}
        </div>
      </Card>
      <Card aria-label="Preview" className="gap-3">
        <CardTitle>What customers read</CardTitle>
        <ol>
          <NewsEntry entry={{ title: title || "…", content, date: now }} />
        </ol>
      </Card>
      {isAsking && <OperationDialog operation={publish} onClose={() => ask(false)} />}
    </section>
  );
}

const channelName = (channel: string) => (isChannel(channel) ? channelNames[channel] : channel);

/** What is still missing before anything can be sent; null if nothing is. */
function lackOf(typed: {
  files: ReturnType<typeof useHashedFiles>["files"];
  version: string;
  title: string;
  rollout: string;
}): string | null {
  const { files, version, title, rollout } = typed;
  if (files.length === 0) return "Choose at least one file.";
  if (files.some(({ problem }) => problem !== null)) return "Remove the file that can't be sent.";
  if (version === "") return "Enter a version.";
  if (title.trim() === "") return "Enter a title for the notes.";
  if (!/^\d{1,3}$/.test(rollout) || Number(rollout) > 100) return "Enter a rollout from 0 to 100.";
  return files.some(({ sha256 }) => sha256 === null) ? "The checksums are still being computed." : null;
}

/** Builds of the current release that the new one takes over as they are. */
function KeptBuilds(props: { keep: readonly Platform[]; onKeep: (keep: readonly Platform[]) => void }) {
  const { keep, onKeep } = props;
  const { data } = useInfiniteQuery(collectionQuery(listReleases));
  const current = data?.pages.flatMap(({ rows }) => rows).find((release) => release.current);
  if (!current) return null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Keep from {current.version}</legend>
      {current.builds.map(({ platform, name }) => (
        <Check
          key={platform}
          checked={keep.includes(platform)}
          onChange={(is) => onKeep(is ? [...keep, platform] : keep.filter((one) => one !== platform))}
        >
          {platformName(platform)} <span className="text-muted-foreground">({name})</span>
        </Check>
      ))}
    </fieldset>
  );
}
