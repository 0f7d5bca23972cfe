import { Info, MonitorCheck } from "lucide-react";
import type { System } from "@/contract/vocabulary/builds";
import { texts } from "@/contract/vocabulary/texts";
import { Hint } from "../../../parts/hint";
import { Badge } from "../../../ui/badge";
import { Card, CardTitle } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { FileRow, type KnownFile } from "./file-row";
import { filesOf, systemNames } from "../../../parts/build-files";

export function SystemCard({ system, own, ...known }: KnownFile & { system: System; own: boolean }) {
  const name = systemNames[system];
  return (
    <Card
      aria-label={name}
      data-own={own || undefined}
      className={cn(
        "gap-2",
        own &&
          "border-primary bg-[radial-gradient(24rem_12rem_at_100%_0%,--alpha(var(--primary)/20%),transparent)]",
      )}
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-2">
        <div className="flex items-center gap-1">
          <CardTitle className="text-lg">{name}</CardTitle>
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
        {own && (
          <Badge>
            <MonitorCheck aria-hidden="true" />
            Your system
          </Badge>
        )}
      </div>
      <ul className="flex flex-col">
        {filesOf(system, known).map((platform, at) => (
          <FileRow key={platform} platform={platform} first={own && at === 0} {...known} />
        ))}
      </ul>
    </Card>
  );
}
