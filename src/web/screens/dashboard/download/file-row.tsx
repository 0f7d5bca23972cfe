import { Download } from "lucide-react";
import { downloads, type PaidPlatform } from "@/contract/vocabulary/builds";
import type { FileSizes } from "@/contract/wire/releases";
import { Button } from "../../../ui/button";
import { Tooltip, TooltipContent, TooltipTrigger } from "../../../ui/tooltip";
import { fileName, systemNames, writeSize } from "../../../parts/build-files";

export type KnownFile = {
  sizes: FileSizes | undefined;
  /** Called when a download is started. */
  onDownload: () => void;
};

/** One file: its name, size and download link. */
export function FileRow({ platform, sizes, onDownload }: KnownFile & { platform: PaidPlatform }) {
  const size = sizes?.[platform] ?? undefined;
  return (
    <li className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t py-1.5 first:border-t-0">
      <span className="flex min-w-0 flex-1 basis-32 flex-col sm:flex-row sm:flex-wrap sm:items-baseline sm:gap-x-3">
        <span className="text-sm font-medium">{fileName(platform)}</span>
        <span className="text-xs text-muted-foreground">
          <Size bytes={size} />
        </span>
      </span>
      <FileLink platform={platform} size={size} variant="outline" onDownload={onDownload}>
        Download
      </FileLink>
    </li>
  );
}

export function Size({ bytes }: { bytes: number | undefined }) {
  return bytes === undefined ? "Size unknown" : writeSize(bytes);
}

/** Opens in a new tab, because without access the link redirects to a page. Its tooltip is the file's size. */
export function FileLink(props: {
  platform: PaidPlatform;
  size: number | undefined;
  variant: "default" | "outline";
  onDownload: () => void;
  children: string;
}) {
  const { path, system } = downloads[props.platform];
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        <Button asChild variant={props.variant}>
          <a href={path} target="_blank" rel="noreferrer" onClick={props.onDownload}>
            <Download aria-hidden="true" />
            <span>{props.children}</span>
            <span className="sr-only">
              {`${systemNames[system]} ${fileName(props.platform)} (opens in a new tab)`}
            </span>
          </a>
        </Button>
      </TooltipTrigger>
      <TooltipContent>
        <Size bytes={props.size} />
      </TooltipContent>
    </Tooltip>
  );
}
