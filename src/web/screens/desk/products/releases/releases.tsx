import { CircleSlash, Package, Rocket, Signal } from "lucide-react";
import { Link, Route, Routes } from "react-router";
import { listReleases, rollOutRelease, yankRelease } from "@/contract/operations/products";
import { beginUpload } from "@/contract/operations/uploads";
import type { ReleaseRow } from "@/contract/wire/desk/releases";
import { Button } from "../../../../ui/button";
import { Collection, type CollectionDefinition } from "../../collection/collection";
import { counted } from "../../parts/format";
import { useMe } from "../../parts/me";
import { UnknownDeskPage } from "../../parts/unknown-desk-page";
import { deskOperation, mayDo, type Operation } from "../../operation/operation";
import { Status } from "../../parts/status";
import { whenColumn } from "../../table/columns";
import { channelNames } from "./channel-names";
import { NewRelease } from "./new-release";
import { OpenUploads } from "./open-uploads";
import { platformName } from "./platform-names";
import { releaseWords } from "../../parts/words";

const releaseState = ({ yanked_at, current }: ReleaseRow) =>
  yanked_at !== null ? "yanked" : current ? "current" : "older";

const releases: CollectionDefinition<ReleaseRow> = {
  title: "Releases",
  lead: "The versions of the application, and who gets them.",
  list: listReleases,
  icon: Package,
  columns: [
    { id: "version", name: "Version", cell: ({ version }) => version, leads: true, width: "8rem" },
    { id: "title", name: "Notes", cell: ({ title }) => title, width: "minmax(0,1.5fr)" },
    { id: "channel", name: "Channel", cell: ({ channel }) => channelNames[channel], width: "6rem" },
    { id: "rollout", name: "Rollout", cell: ({ rollout }) => `${rollout}%`, end: true, width: "6rem" },
    { id: "builds", name: "Builds", cell: buildsOf },
    {
      id: "minimum",
      name: "Minimum",
      cell: ({ minimum_version: least }) => least ?? "–",
      width: "6rem",
      phone: "none",
    },
    {
      id: "state",
      name: "State",
      cell: (release) => <Status of={releaseState(release)} words={releaseWords} />,
      width: "7.5rem",
      phone: "state",
    },
    whenColumn("published_at", "Published", ({ published_at }) => published_at, {
      width: "8rem",
      phone: "time",
    }),
  ],
  nameOf: ({ version }) => version,
  empty: "No releases yet.",
};

/** The releases, what is being sent, and publishing a new one, which is a page of its own. */
export function Releases() {
  return (
    <Routes>
      <Route index element={<List />} />
      <Route path="new" element={<NewRelease />} />
      <Route path="*" element={<UnknownDeskPage />} />
    </Routes>
  );
}

function List() {
  const mayPublish = mayDo(useMe(), beginUpload);
  return (
    <Collection
      of={releases}
      operationsOf={operationsOf}
      begin={
        mayPublish && (
          <Button asChild size="sm" className="md:min-h-9">
            <Link to="/desk/products/releases/new">
              <Rocket aria-hidden="true" />
              Publish a release
            </Link>
          </Button>
        )
      }
    >
      {mayPublish && <OpenUploads />}
    </Collection>
  );
}

function buildsOf({ builds, own_key: ownKey }: ReleaseRow) {
  const all = builds.map(({ platform, name }) => `${platformName(platform)}: ${name}`).join("\n");
  return <span title={all}>{`${counted(builds.length, "build")}${ownKey ? ", own key" : ""}`}</span>;
}

function operationsOf({ version, rollout, yanked_at, current }: ReleaseRow): Operation[] {
  if (yanked_at !== null) return [];
  const spread = deskOperation(rollOutRelease, {
    id: version,
    name: "Rollout",
    icon: Signal,
    consequence: ({ rollout: share = "" }) =>
      share === String(rollout)
        ? `${version} is offered to ${rollout}% of computers.`
        : `Offers ${version} to ${share || "…"}% of computers instead of ${rollout}%. Computers that already have it keep it.`,
    fields: { rollout: { initial: String(rollout) } },
    done: () => `Rollout of ${version} changed`,
  });
  const yank = deskOperation(yankRelease, {
    id: version,
    name: "Yank",
    icon: CircleSlash,
    grave: true,
    consequence: () =>
      `Withdraws ${version}${current ? ". The release before it becomes current" : ""}. This can't be undone; publish a newer version instead.`,
    done: () => `${version} yanked`,
  });
  return [spread, yank];
}
