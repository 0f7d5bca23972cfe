import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import { useId } from "react";
import { useChosenTheme } from "../../../hooks/use-theme";
import { TitledCard } from "../../../parts/titled-card";
import { chooseTheme, type Theme } from "../../../theme";

const choices: readonly [Theme, string, LucideIcon][] = [
  ["dark", "Dark", Moon],
  ["light", "Light", Sun],
  ["system", "System", Monitor],
];

/** Which theme this browser shows. */
export function Appearance() {
  const chosen = useChosenTheme();
  const group = useId();
  return (
    <TitledCard title="Appearance" description="For this browser. System follows your device.">
      <fieldset className="grid grid-cols-3 gap-1 rounded-lg border bg-well p-1">
        <legend className="sr-only">Appearance</legend>
        {choices.map(([theme, label, Icon]) => (
          <label
            key={theme}
            className="flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-md px-2 text-sm font-medium text-muted-foreground transition-colors has-checked:bg-accent has-checked:text-foreground has-focus-visible:ring-3 has-focus-visible:ring-ring/35"
          >
            <input
              type="radio"
              name={group}
              value={theme}
              checked={theme === chosen}
              onChange={() => chooseTheme(theme)}
              className="sr-only"
            />
            <Icon aria-hidden="true" className="size-4 shrink-0" />
            {label}
          </label>
        ))}
      </fieldset>
    </TitledCard>
  );
}
