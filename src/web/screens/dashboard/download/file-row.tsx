import { Download } from "lucide-react";
import { downloads, type PaidPlatform } from "@/contract/vocabulary/builds";
import type { CurrentRelease, FileSizes } from "@/contract/wire/releases";
import { CopyButton } from "../../../parts/copy-button";
import { Button } from "../../../ui/button";
import { Tooltip, TooltipContent, TooltipTrigger } from "../../../ui/tooltip";
import { fileName, systemNames, writeSize } from "../../../parts/build-files";

export type KnownFile = {
  sizes: FileSizes | undefined;
  release: CurrentRelease | null | undefined;
  /** Called when a download is started. */
  onDownload: () => void;
};

/** One file: its name, size, checksum and download link. */
export function FileRow(props: KnownFile & { platform: PaidPlatform; first: boolean }) {
  const { platform, sizes, release } = props;
  const size = sizes?.[platform];
  const sum = release?.builds[platform]?.sha256;
  return (
    <li className="flex min-h-22 flex-wrap items-center justify-between gap-3 border-t py-3 first:border-t-0">
      <div className="flex min-w-0 flex-1 basis-32 flex-col">
        <span className="text-sm font-medium">{fileName(platform)}</span>
        <span className="flex min-h-5 items-center text-xs text-muted-foreground">
          <Size bytes={size} />
        </span>
        <span className="flex min-h-11 items-center text-xs md:min-h-9 text-muted-foreground">
          {sum && <Checksum sum={sum} of={platform} />}
        </span>
      </div>
      {size === null ? (
        <Button variant="outline" disabled className="w-33">
          Not available
        </Button>
      ) : (
        <FileLink platform={platform} size={size} prominent={props.first} onDownload={props.onDownload} />
      )}
    </li>
  );
}

function Size({ bytes }: { bytes: number | null | undefined }) {
  if (bytes === null) return "Not in this release";
  return bytes === undefined ? "Size unknown" : writeSize(bytes);
}

/** Opens in a new tab, because without access the link redirects to a page. */
function FileLink(props: {
  platform: PaidPlatform;
  size: number | undefined;
  prominent: boolean;
  onDownload: () => void;
}) {
  const { path, system } = downloads[props.platform];
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        <Button asChild variant={props.prominent ? "default" : "outline"} className="w-33">
          <a href={path} target="_blank" rel="noreferrer" onClick={props.onDownload}>
            <Download aria-hidden="true" />
            Download
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

function Checksum({ sum, of }: { sum: string; of: PaidPlatform }) {
  return (
    <>
      <span title={sum} className="truncate font-mono">
        SHA-256 {sum.slice(0, 8)}
      </span>
      <CopyButton
        text={sum}
        label={`Copy the SHA-256 of ${systemNames[downloads[of].system]} ${fileName(of)}`}
      />
    </>
  );
}
