import { useId } from "react";
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
        <Label htmlFor={box}>Also renew the auth token</Label>
        <p id={about} className="text-xs text-muted-foreground">
          Applications that use the old one are signed out until you enter the new one there. One that is
          offline may run for up to 21 days more.
        </p>
      </div>
    </div>
  );
}
