import { FolderOpen } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../../../ui/button";

/** Opens the browser's own dialog for files, for one file, or for a whole folder. */
export function ChooseButton(props: {
  words: string;
  label: string;
  folder?: boolean;
  one?: boolean;
  onChoose: (files: File[]) => void;
}) {
  const { words, label, folder = false, one = false, onChoose } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple={!one}
        {...(folder && { webkitdirectory: "" })}
        hidden
        aria-label={label}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          // the same files can be chosen again
          target.value = "";
        }}
      />
      <Button type="button" variant="outline" size="sm" onClick={() => input.current?.click()}>
        <FolderOpen aria-hidden="true" />
        {words}
      </Button>
    </>
  );
}
