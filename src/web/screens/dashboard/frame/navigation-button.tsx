import { Menu } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "../../../ui/button";

/** Opens the side navigation on a phone. */
export function NavigationButton(props: ComponentProps<typeof Button>) {
  return (
    <Button
      variant="ghost"
      size="icon"
      className="lg:hidden"
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-label="Open navigation"
      {...props}
    >
      <Menu className="size-5" />
    </Button>
  );
}
