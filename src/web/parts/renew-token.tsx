import { useId } from "react";
import { brand } from "@/brand/brand";
import { Checkbox } from "../ui/checkbox";
import { Label } from "../ui/label";

/** A checkbox that also replaces the application's auth token. */
export function RenewToken(props: { checked: boolean; onChange: (checked: boolean) => void }) {
  const [box, about] = [useId(), useId()];
  return (
    <div className="flex items-start gap-3">
      <Checkbox
        id={box}
        aria-describedby={about}
        checked={props.checked}
        onCheckedChange={(checked) => props.onChange(checked === true)}
      />
      <div className="flex flex-col gap-1">
        <Label htmlFor={box}>Also reset the auth token</Label>
        <p id={about} className="text-xs text-muted-foreground">
          {`${brand.shortName} is signed out everywhere until you enter the new one (up to 21 days later if offline).`}
        </p>
      </div>
    </div>
  );
}
