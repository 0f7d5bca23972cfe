import { useState } from "react";
import { Checkbox } from "../ui/checkbox";
import { Label } from "../ui/label";
import { isWithout } from "../page/without";
import { ownSystem } from "./own-system";
import { goKeys, singleKeys } from "./keys";
import { TitledDialog } from "./titled-dialog";

/** Keys, and what they do. */
export type ShortcutList = readonly (readonly [string, string])[];

const ofDashboard: ShortcutList = [
  [
    ownSystem() === "mac" ? "⌘ K" : "Ctrl K",
    isWithout("commands") ? "Search pages and actions" : "Search pages, actions and commands",
  ],
  ["?", "This list"],
  ...Object.entries(goKeys).map(([key, { name }]) => [`G ${key.toUpperCase()}`, `Go to ${name}`] as const),
  ["Esc", "Close what's open"],
];

/** Lists the keyboard shortcuts; those of letters can be turned off, because speech input may press them. */
export function Shortcuts(props: { onClose: () => void; shortcuts?: ShortcutList }) {
  const { onClose, shortcuts = ofDashboard } = props;
  const [on, turn] = useState(singleKeys.areOn());
  return (
    <TitledDialog
      onOpenChange={(open) => open || onClose()}
      title="Keyboard shortcuts"
      description="They work wherever you aren't typing."
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2.5 text-sm">
        {shortcuts.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border px-2 py-1 font-sans text-xs">{keys}</kbd>
            </dt>
            <dd className="text-soft">{what}</dd>
          </div>
        ))}
      </dl>
      <div className="flex min-h-11 items-center gap-3 border-t pt-4">
        <Checkbox
          id="single-keys"
          checked={on}
          onCheckedChange={(checked) => {
            singleKeys.turn(checked === true);
            turn(checked === true);
          }}
        />
        <Label htmlFor="single-keys">Use ? and the letters as shortcuts</Label>
      </div>
    </TitledDialog>
  );
}
