import { KeyRound, LogOut, Settings } from "lucide-react";
import { useRef } from "react";
import { Link } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu";
import { AvatarButton } from "./avatar-button";

/** The account menu with its avatar, open at first. */
export function AvatarMenu({ user, byKeyboard }: { user: Me; byKeyboard: boolean }) {
  const chosen = useRef(false);
  const choose = () => void (chosen.current = true);
  const first = useRef<HTMLAnchorElement>(null);
  // Radix didn't hear the key that opened it, and would mark no entry
  const marksFirst = useRef(byKeyboard);
  return (
    <DropdownMenu
      defaultOpen
      onOpenChange={(open) => {
        if (open) chosen.current = false;
        else marksFirst.current = false;
      }}
    >
      <DropdownMenuTrigger asChild>
        <AvatarButton user={user} />
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="end"
        onFocus={({ target, currentTarget }) =>
          marksFirst.current && target === currentTarget && first.current?.focus()
        }
        // the chosen page's heading gets the focus
        onCloseAutoFocus={(event) => chosen.current && event.preventDefault()}
      >
        <DropdownMenuLabel>
          <span className="block font-medium">{user.username}</span>
          <span className="block max-w-56 truncate text-xs text-muted-foreground">{user.email}</span>
        </DropdownMenuLabel>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild onSelect={choose}>
          <Link ref={first} to="/dashboard/settings">
            <Settings aria-hidden="true" />
            Settings
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild onSelect={choose}>
          <Link to="/dashboard/license">
            <KeyRound aria-hidden="true" />
            License
          </Link>
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem asChild onSelect={choose}>
          <Link to="/logout">
            <LogOut aria-hidden="true" />
            Logout
          </Link>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
