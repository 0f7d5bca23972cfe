import { Copy, Download, Printer } from "lucide-react";
import { useId, useState } from "react";
import { brand } from "@/brand/brand";
import { Button } from "../../../ui/button";
import { Checkbox } from "../../../ui/checkbox";
import { Label } from "../../../ui/label";
import { copyText } from "../../clipboard";
import { saveFile } from "../../save-file";
import { notify } from "../../../page/notices";

/** The codes to copy, download or print; continues only once they are marked as saved. */
export function RecoveryCodes(props: { codes: readonly string[]; username: string; onSaved: () => void }) {
  const [saved, setSaved] = useState(false);
  const checkbox = useId();
  const sheet = [`${brand.product}: recovery codes for ${props.username}`, "", ...props.codes, ""].join("\n");
  const copy = async () => {
    if (await copyText(props.codes.join("\n")))
      notify("success", "Copied recovery codes to clipboard", "account");
    else notify("error", "There was an error copying your recovery codes", "account");
  };
  return (
    <>
      <div className="print-alone rounded-lg border bg-well p-4">
        <p className="mb-4 hidden text-lg font-semibold print:block">
          {brand.product}: recovery codes for {props.username}
        </p>
        <ol
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-4 gap-y-2 text-center font-mono text-sm"
        >
          {props.codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="grid grid-cols-3 gap-2">
        <Button variant="outline" className="px-2 max-[420px]:[&>svg]:hidden" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy
        </Button>
        <Button
          variant="outline"
          className="px-2 max-[420px]:[&>svg]:hidden"
          onClick={() => saveFile(`recovery-codes-${props.username}.txt`, "text/plain", sheet)}
        >
          <Download aria-hidden="true" />
          Download
        </Button>
        <Button variant="outline" className="px-2 max-[420px]:[&>svg]:hidden" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          Print
        </Button>
      </div>
      <div className="flex min-h-11 items-center gap-3">
        <Checkbox id={checkbox} checked={saved} onCheckedChange={(checked) => setSaved(checked === true)} />
        <Label htmlFor={checkbox} className="cursor-pointer py-2 font-normal select-none">
          I have saved these codes
        </Label>
      </div>
      <Button disabled={!saved} onClick={props.onSaved}>
        Done
      </Button>
    </>
  );
}
