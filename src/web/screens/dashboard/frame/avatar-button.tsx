import type { ComponentProps } from "react";
import type { Me } from "@/contract/wire/accounts";

/** Opens the account menu. */
export function AvatarButton({ user, ...rest }: { user: Me } & ComponentProps<"button">) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={`Account of ${user.username}`}
      className="grid size-11 place-content-center rounded-full"
      {...rest}
    >
      <span className="grid size-9 place-content-center rounded-full bg-linear-to-br from-primary-hover to-primary text-sm font-semibold text-primary-foreground ring-2 ring-veil/10 ring-offset-2 ring-offset-background">
        {user.username.charAt(0).toUpperCase() || "NA"}
      </span>
    </button>
  );
}
