import { useId } from "react";
import { useChosenTheme } from "../../../hooks/use-theme";
import { TitledCard } from "../../../parts/titled-card";
import { chooseTheme } from "../../../page/theme";
import { themeChoices } from "../../../page/theme-choices";

/** Which theme this browser shows. */
export function Appearance() {
  const chosen = useChosenTheme();
  const group = useId();
  return (
    <TitledCard title="Appearance" description="Applies to this browser only. System follows your device.">
      <fieldset className="grid grid-cols-3 gap-1 rounded-lg border bg-well p-1">
        <legend className="sr-only">Appearance</legend>
        {themeChoices.map(([theme, label, Icon]) => (
          <label
            key={theme}
            className="flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-md px-2 text-sm font-medium text-muted-foreground transition-colors has-checked:bg-accent has-checked:text-foreground has-focus-visible:ring-3 has-focus-visible:ring-ring"
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
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </TitledCard>
  );
}
