import { minute } from "@/contract/vocabulary/time";

/** A page that nobody has touched for this long stops polling. */
const untouchedMost = 5 * minute;

let touchedAt = Date.now();
const returners = new Set<() => void>();

/** Whether somebody used the page in the last minutes. */
export const isTouched = (): boolean => Date.now() - touchedAt < untouchedMost;

/** Refetches when somebody returns to a page in use. */
export const refetchWhenTouched = { refetchOnWindowFocus: isTouched, refetchOnReconnect: isTouched } as const;

/** The polling interval: as given while somebody uses the page, otherwise never. */
export const pollWhileTouched = (milliseconds: number) => () => (isTouched() ? milliseconds : false);

/** Calls back when somebody touches the page again after a pause; returns a function that stops. */
export function onTouchAfterPause(listener: () => void): () => void {
  returners.add(listener);
  return () => void returners.delete(listener);
}

function touch() {
  const again = !isTouched();
  touchedAt = Date.now();
  if (again) for (const notify of returners) notify();
}

/** Notes every touch of this page; returns a function that stops. */
export function watchTouches(): () => void {
  touch();
  const kinds = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;
  for (const kind of kinds) addEventListener(kind, touch, { passive: true, capture: true });
  return () => {
    for (const kind of kinds) removeEventListener(kind, touch, { capture: true });
  };
}
