import { ArrowUpRight, ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { memo, type ReactNode, type TouchEvent, useRef, useState, type RefObject, useEffect } from "react";
import { brand } from "@/brand/brand";
import { gallery } from "@/brand/gallery";
import { sections } from "@/brand/sections";
import type { Picture } from "@/brand/pictures";
import { BrandPicture } from "../../parts/brand-picture";
import { useHydrated } from "../../hooks/use-hydrated";
import { lessMotion, useMedia } from "../../hooks/use-media";
import { stepsPerPicture, useGalleryClock } from "./use-gallery-clock";
import { Section } from "./section";
import { Window } from "./window";

/** Five rotating pictures. They pause while hovered, on the pause button, and with reduced motion. */
export function Gallery() {
  const stage = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const still = useMedia(lessMotion);
  const visible = useOnScreen(stage);
  const [held, setHeld] = useState(false);
  const [chosen, choose] = useState<"playing" | "paused" | null>(null);
  const playing = chosen === null ? !still : chosen === "playing";
  const { index, step, go } = useGalleryClock(gallery.length, hydrated && playing && visible && !held);
  const swipe = useSwipe((by) => go(index + by));
  if (!words) return null;
  return (
    <Section id="gallery" title={words.title} lead={words.lead}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hovering pauses the rotation */}
      <section
        ref={stage}
        aria-roledescription="carousel"
        aria-label="Pictures"
        onMouseEnter={() => setHeld(true)}
        onMouseLeave={() => setHeld(false)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <div className="relative" {...swipe}>
          <div aria-hidden="true" className="window-light" />
          <Window>
            <div className="gallery-stage">
              {gallery.map((picture, at) => (
                <Slide key={picture.caption} picture={picture} at={at} shown={at === index} />
              ))}
            </div>
          </Window>
        </div>
        <div className="mt-6 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <p aria-live={playing && !held ? "off" : "polite"} className="min-w-[10rem] font-medium">
            {gallery[index]?.caption}
            <span className="ml-3 text-sm font-normal text-muted-foreground">
              {index + 1} of {gallery.length}
            </span>
          </p>
          <Dots index={index} step={step} go={go} />
          <div className="flex items-center gap-2 noscript:hidden">
            <Control label="Previous picture" onClick={() => go(index - 1)}>
              <ChevronLeft />
            </Control>
            <Control
              label={playing ? "Pause" : "Play"}
              onClick={() => choose(playing ? "paused" : "playing")}
            >
              {playing ? <Pause /> : <Play />}
            </Control>
            <Control label="Next picture" onClick={() => go(index + 1)}>
              <ChevronRight />
            </Control>
          </div>
        </div>
      </section>
      {video && (
        <p className="mt-8">
          <a
            href={video}
            rel="noreferrer"
            className="group inline-flex min-h-11 items-center gap-2 font-medium text-link underline-offset-4 hover:underline"
          >
            {words.video}
            <ArrowUpRight aria-hidden="true" className="size-4" />
          </a>
        </p>
      )}
    </Section>
  );
}

const { video } = brand.links;
const { gallery: words } = sections;

const Slide = memo(function Slide(props: { picture: Picture; at: number; shown: boolean }) {
  return (
    <figure
      aria-label={`${props.at + 1} of ${gallery.length}`}
      data-shown={props.shown}
      className="gallery-slide"
    >
      <BrandPicture picture={props.picture} sizes="(min-width: 1248px) 1200px, 94vw" className="w-full" />
    </figure>
  );
});

/** One dot per picture; the current one is long and fills as its time passes. */
function Dots({ index, step, go }: { index: number; step: number; go: (to: number) => void }) {
  return (
    <div className="flex items-center noscript:hidden">
      {gallery.map(({ caption }, at) => (
        <button
          key={caption}
          type="button"
          aria-label={`Show ${caption}`}
          aria-current={at === index}
          onClick={() => go(at)}
          className="group flex h-11 min-w-7 items-center justify-center px-1"
        >
          {at === index ? (
            <progress aria-hidden="true" value={step} max={stepsPerPicture} className="gallery-progress" />
          ) : (
            <span className="size-2 rounded-full bg-input group-hover:bg-input-hover" />
          )}
        </button>
      ))}
    </div>
  );
}

function Control(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={props.label}
      onClick={props.onClick}
      className="grid size-11 place-items-center rounded-full border border-veil/12 bg-veil/4 transition-colors hover:bg-veil/10 [&_svg]:size-4.5"
    >
      {props.children}
    </button>
  );
}

/** A horizontal swipe changes the picture. */
function useSwipe(turn: (by: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number }>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      start.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      if (!touch || !start.current) return;
      const x = touch.clientX - start.current.x;
      const y = touch.clientY - start.current.y;
      if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) turn(x < 0 ? 1 : -1);
    },
  };
}

/** Whether any part of an element is on screen; true if the browser can't tell. */
function useOnScreen(ref: RefObject<Element | null>) {
  const [visible, setVisible] = useState(true);
  useEffect(() => {
    if (!ref.current || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver((entries) =>
      setVisible(entries.at(-1)?.isIntersecting ?? true),
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return visible;
}
