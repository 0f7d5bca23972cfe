import { X } from "lucide-react";
import type { Platform } from "@/contract/vocabulary/builds";
import { Button } from "../../../../ui/button";
import { NativeSelect } from "../../../../ui/native-select";
import { writeSize } from "../../../../parts/build-files";
import { ProgressBar } from "../../parts/progress-bar";
import { platformChoices } from "./platform-names";
import type { HashedFile } from "./use-hashed-files";

/** The files of a new release: what each is for, and its SHA-256. */
export function ChosenFiles(props: {
  files: readonly HashedFile[];
  choose: (id: string, platform: Platform | undefined) => void;
  remove: (id: string) => void;
}) {
  const { files, choose, remove } = props;
  return (
    <ul aria-label="Chosen files" className="flex flex-col gap-3">
      {files.map(({ id, file, platform, done, sha256, problem }) => (
        <li key={id} className="flex flex-col gap-2 rounded-md border bg-well p-3 text-sm">
          <div className="flex items-center gap-2">
            <span className="min-w-0 flex-1 font-medium wrap-anywhere">{file.name}</span>
            <span className="shrink-0 text-muted-foreground tabular-nums">{writeSize(file.size)}</span>
            <Button
              type="button"
              variant="ghost"
              size="icon"
              aria-label={`Remove ${file.name}`}
              onClick={() => remove(id)}
            >
              <X aria-hidden="true" />
            </Button>
          </div>
          <NativeSelect
            aria-label={`Type of ${file.name}`}
            value={platform ?? ""}
            onChange={({ target }) =>
              choose(id, platformChoices.find(([value]) => value === target.value)?.[0])
            }
            choices={[["", "Detect from its name"], ...platformChoices]}
          />
          {problem !== null ? (
            <p role="alert" className="text-destructive-text">
              {problem}
            </p>
          ) : sha256 === null ? (
            <ProgressBar label={`Checksum of ${file.name}`} done={done} of={file.size} />
          ) : (
            <code className="font-mono text-[0.6875rem] text-muted-foreground wrap-anywhere">
              SHA-256 {sha256}
            </code>
          )}
        </li>
      ))}
    </ul>
  );
}
