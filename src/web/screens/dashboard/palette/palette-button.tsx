import { Search } from "lucide-react";
import { Button } from "../../../ui/button";
import { shortcutName } from "./use-palette";

/** Opens the palette and shows its shortcut. */
export function PaletteButton({ onPress }: { onPress: () => void }) {
  return (
    <Button
      variant="ghost"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="w-11 px-0 text-muted-foreground sm:w-auto sm:border sm:border-border sm:px-3 md:h-9"
      onClick={onPress}
    >
      <Search aria-hidden="true" />
      <span className="sr-only text-[13px] font-normal sm:not-sr-only">Search</span>
      <kbd className="hidden rounded border px-1.5 py-0.5 font-sans text-[11px] font-normal sm:inline">
        {shortcutName()}
      </kbd>
    </Button>
  );
}
