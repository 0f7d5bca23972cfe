import { Info } from "lucide-react";
import { brand } from "@/brand/brand";
import type { PaidPlatform, System } from "@/contract/vocabulary/builds";
import { texts } from "@/contract/vocabulary/texts";
import type { CurrentRelease } from "@/contract/wire/releases";
import { Hint } from "../../../parts/hint";
import { fileName, systemNames } from "../../../parts/build-files";
import { Card, CardTitle } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { FileLink, FileRow, type KnownFile, Size } from "./file-row";

type Props = KnownFile & {
  system: System;
  files: readonly PaidPlatform[];
  /** Whether the visitor uses it: then its first file is the page's one button. */
  own: boolean;
  /** Whether its title says the version. */
  versioned: boolean;
  release: CurrentRelease | null | undefined;
};

export function SystemCard({ system, files, own, versioned, release, ...known }: Props) {
  const name = systemNames[system];
  const first = own ? files[0] : undefined;
  const others = files.filter((file) => file !== first);
  const size = (first && known.sizes?.[first]) ?? undefined;
  const title = versioned ? [brand.shortName, release?.version, "for", name].filter(Boolean).join(" ") : name;
  return (
    <Card
      aria-label={name}
      data-own={own || undefined}
      className={cn(
        "gap-2",
        own &&
          "gap-4 border-primary bg-[radial-gradient(24rem_12rem_at_100%_0%,--alpha(var(--primary)/20%),transparent)]",
      )}
    >
      <div className="flex min-h-11 flex-wrap items-center gap-1">
        <CardTitle className={own ? "text-xl" : ""}>{title}</CardTitle>
        {system === "mac" && (
          <Hint
            text={texts.macUpdates}
            label="About updates on Mac"
            className="grid size-11 place-content-center rounded-md text-muted-foreground hover:text-foreground"
          >
            <Info aria-hidden="true" className="size-4" />
          </Hint>
        )}
      </div>
      {first && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 *:[a]:grow sm:*:[a]:grow-0">
          <FileLink platform={first} size={size} variant="default" onDownload={known.onDownload}>
            {`Download for ${name}`}
          </FileLink>
          <span className="flex flex-wrap gap-x-3 text-sm text-muted-foreground">
            <span>{fileName(first)}</span>
            <span>
              <Size bytes={size} />
            </span>
          </span>
        </div>
      )}
      {others.length > 0 && (
        <ul className="flex flex-col">
          {others.map((platform) => (
            <FileRow key={platform} platform={platform} {...known} />
          ))}
        </ul>
      )}
    </Card>
  );
}
