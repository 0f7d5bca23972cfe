import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import type { FurtherRows } from "../../../parts/show-more";

/** Loads the next rows shortly before the end of a list is scrolled into view. */
export function NextRows({ list, children }: { list: FurtherRows; children: ReactNode }) {
  const end = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(() => {
    // after a failure, the button retries
    if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError) void list.fetchNextPage();
  });
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && near(),
      { rootMargin: "0px 0px 50% 0px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
    // after each page: its end may already be in view
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [list.isFetchingNextPage]);
  return <div ref={end}>{children}</div>;
}
