import { type RefObject, useEffect } from "react";

/** A part of the window this low, in rem, has no room for what stays in place while the rest scrolls. */
const low = 24;

/**
 * Keeps an element's `--visible-height` and `--visible-top` at the part of the window that the on-screen keyboard leaves
 * free, which iOS reports in no other way, and the focused field in view there. Without a keyboard, or zoomed in, both
 * are unset. `data-low` says that little of the window is left.
 */
export function useVisibleArea(ref: RefObject<HTMLElement | null>) {
  useEffect(() => {
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
      ref.current?.toggleAttribute("data-low", viewport.height * viewport.scale < low * remInPixels());
      return covered;
    };
    const resize = () => {
      const field = document.activeElement;
      if (update() && ref.current?.contains(field)) field?.scrollIntoView({ block: "nearest" });
    };
    update();
    viewport.addEventListener("resize", resize);
    viewport.addEventListener("scroll", update);
    return () => {
      viewport.removeEventListener("resize", resize);
      viewport.removeEventListener("scroll", update);
    };
  }, [ref]);
}

const remInPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
