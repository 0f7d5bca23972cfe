import { Features } from "./features";
import { Gallery } from "./gallery";
import { Get } from "./get";
import { useRevealOnScroll } from "./use-reveal-on-scroll";
import { useSectionScroll } from "./use-section-scroll";
import { WhyUs } from "./why-us";

/** The sections below the fold. Their markup is prerendered; their code loads after the first paint. */
export function Below() {
  useSectionScroll();
  return (
    <div ref={useRevealOnScroll()}>
      <Features />
      <WhyUs />
      <Gallery />
      <Get />
    </div>
  );
}
