import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useState,
  useTransition,
} from "react";

type Props = {
  /** Fetches the menu's code. */
  load: () => Promise<unknown>;
  button: ReactElement<{ onClick?: (event: MouseEvent) => void; "aria-busy"?: boolean }>;
  /** The menu, which brings the same button, open. */
  children: (byKeyboard: boolean) => ReactNode;
};

/** The button of a menu whose code is fetched a second after the page, or when it is pressed. */
export function LateMenu({ load, button, children }: Props) {
  const [pressed, press] = useState<{ byKeyboard: boolean }>();
  const [pending, startTransition] = useTransition();
  useEffect(() => {
    // a press fetches again and reports the failure
    const timer = setTimeout(() => void load().catch(() => {}), 1_000);
    return () => clearTimeout(timer);
  }, [load]);
  if (pressed) return children(pressed.byKeyboard);
  return cloneElement(button, {
    // `detail` counts clicks, and is 0 for a key: https://www.w3.org/TR/uievents/#event-type-click
    onClick: ({ detail }) => startTransition(() => press({ byKeyboard: detail === 0 })),
    "aria-busy": pending,
  });
}
