import { type RefObject, useLayoutEffect } from "react";

/**
 * Keeps an element's `--visible-height` and `--visible-top` at the part of the window that the on-screen keyboard leaves
 * free, which iOS reports in no other way. Without a keyboard, or zoomed in, both are unset.
 */
export function useVisibleArea(ref: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return undefined;
    const update = () => {
      const covered = viewport.scale < 1.01 && viewport.height < window.innerHeight - 1;
      for (const [name, value] of [
        ["--visible-height", viewport.height],
        ["--visible-top", viewport.offsetTop],
      ] as const) {
        if (covered) ref.current?.style.setProperty(name, `${value}px`);
        else ref.current?.style.removeProperty(name);
      }
    };
    update();
    viewport.addEventListener("resize", update);
    viewport.addEventListener("scroll", update);
    return () => {
      viewport.removeEventListener("resize", update);
      viewport.removeEventListener("scroll", update);
    };
  }, [ref]);
}
