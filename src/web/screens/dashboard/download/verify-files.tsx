import { ChevronDown } from "lucide-react";
import { downloads, paidPlatforms } from "@/contract/vocabulary/builds";
import type { CurrentRelease } from "@/contract/wire/releases";
import { fileName, systemNames } from "../../../parts/build-files";
import { CopyButton } from "../../../parts/copy-button";

/** The checksums, for those who compare them. */
export function VerifyFiles({ release }: { release: CurrentRelease }) {
  const files = paidPlatforms.flatMap((platform) => {
    const build = release.builds[platform];
    const name = `${systemNames[downloads[platform].system]} ${fileName(platform)}`;
    return build ? [{ name, sum: build.sha256 }] : [];
  });
  return (
    <details id="verify" className="group border-t pt-2">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 rounded-md text-sm font-medium [&::-webkit-details-marker]:hidden">
        Verify your download
        <ChevronDown
          aria-hidden="true"
          className="size-4 text-muted-foreground transition-transform group-open:rotate-180"
        />
      </summary>
      <dl className="flex flex-col">
        {files.map(({ name, sum }) => (
          <div key={name} className="flex flex-col border-t py-1.5 text-sm first:border-t-0">
            <dt>{name}</dt>
            <dd className="flex items-center justify-between gap-2 text-xs text-muted-foreground">
              <span className="min-w-0 font-mono wrap-anywhere">{`SHA-256 ${sum}`}</span>
              <CopyButton text={sum} label={`Copy the SHA-256 of ${name}`} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
