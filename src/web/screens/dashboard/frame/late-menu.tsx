import { cloneElement, type ReactElement, type ReactNode, useEffect, useState, useTransition } from "react";

type Props = {
  /** Fetches the menu's code. */
  load: () => Promise<unknown>;
  button: ReactElement<{ onClick?: () => void; "aria-busy"?: boolean }>;
  /** The menu, which brings the same button, open. */
  children: ReactNode;
};

/** A menu's button, whose code is fetched a second after the page, or when it is pressed. */
export function LateMenu({ load, button, children }: Props) {
  const [pressed, press] = useState(false);
  const [pending, startTransition] = useTransition();
  useEffect(() => {
    // the press fetches again and reports a failure
    const timer = setTimeout(() => void load().catch(() => {}), 1_000);
    return () => clearTimeout(timer);
  }, [load]);
  if (pressed) return children;
  return cloneElement(button, { onClick: () => startTransition(() => press(true)), "aria-busy": pending });
}
