import { Check, Keyboard, LayoutDashboard, LogOut, Search } from "lucide-react";
import { Link } from "react-router";
import { useLeave } from "../../../api/desk/session";
import { useChosenTheme } from "../../../hooks/use-theme";
import { notify } from "../../../page/notices";
import { chooseTheme } from "../../../page/theme";
import { themeChoices } from "../../../page/theme-choices";
import { Button } from "../../../ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu";
import { useMe } from "../parts/me";
import { paletteKeys } from "./shortcut-list";

/** Above every page: search, and who is here. */
export function Header(props: { onSearch: () => void; onShortcuts: () => void }) {
  return (
    <header className="sticky top-0 short:static z-20 flex h-14 shrink-0 items-center gap-2 border-b bg-background/90 px-4 backdrop-blur-md sm:px-6 print:hidden">
      <Button
        variant="outline"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="min-w-0 flex-1 justify-start gap-3 px-3 font-normal text-muted-foreground sm:max-w-md md:min-h-9"
        onClick={props.onSearch}
      >
        <Search aria-hidden="true" />
        <span className="truncate">Search the shop</span>
        <kbd className="ml-auto hidden rounded border px-1.5 py-0.5 font-sans text-[0.6875rem] sm:inline">
          {paletteKeys}
        </kbd>
      </Button>
      <div className="ml-auto">
        <OwnMenu onShortcuts={props.onShortcuts} />
      </div>
    </header>
  );
}

function OwnMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { name, role } = useMe();
  const theme = useChosenTheme();
  const leave = useLeave();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex h-11 items-center gap-2 rounded-md px-2 text-sm hover:bg-accent md:h-9">
        <span className="sr-only">Your menu:</span>
        <span className="max-w-28 truncate font-medium">{name}</span>
        <span className="rounded-full border px-2 py-0.5 text-xs text-muted-foreground">{role}</span>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuLabel className="text-xs text-muted-foreground">Appearance</DropdownMenuLabel>
        {themeChoices.map(([choice, label, Icon]) => (
          <DropdownMenuItem key={choice} onSelect={() => chooseTheme(choice)}>
            <Icon aria-hidden="true" />
            <span>{label}</span>
            {choice === theme && (
              <>
                <Check aria-hidden="true" className="ml-auto" />
                <span className="sr-only">(chosen)</span>
              </>
            )}
          </DropdownMenuItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={onShortcuts}>
          <Keyboard aria-hidden="true" />
          Keyboard shortcuts
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link to="/dashboard">
            <LayoutDashboard aria-hidden="true" />
            Your dashboard
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem
          onSelect={() => leave.mutate(undefined, { onError: (problem) => notify("error", problem.message) })}
        >
          <LogOut aria-hidden="true" />
          Leave the desk
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
