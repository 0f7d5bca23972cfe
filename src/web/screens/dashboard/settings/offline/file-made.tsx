import { Download } from "lucide-react";
import { brand } from "@/brand/brand";
import { formatTime } from "../../../../parts/format-time";
import { Button } from "../../../../ui/button";
import { endOf } from "./request-in";

/** Shown once the file is saved: what to do with it, and until when it is valid. */
export function FileMade(props: { label: string; text: string; onSave: () => void; onAgain: () => void }) {
  const end = endOf(props.text);
  return (
    <div className="flex flex-col gap-5">
      <output className="flex flex-col gap-2 text-sm">
        <span className="font-medium">license.lic for {props.label} is in your downloads</span>
        <span className="text-muted-foreground">
          {`Take it to that computer and open it in ${brand.shortName}.${
            end ? ` It's valid until ${formatTime(end)}; until then it counts as one of your computers.` : ""
          }`}
        </span>
      </output>
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button variant="outline" onClick={props.onSave}>
          <Download aria-hidden="true" />
          Save it again
        </Button>
        <Button variant="outline" onClick={props.onAgain}>
          Another computer
        </Button>
      </div>
    </div>
  );
}
