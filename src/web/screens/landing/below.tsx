import { Features } from "./features";
import { Gallery } from "./gallery";
import { Get } from "./get";
import { useLighting } from "./lighting";
import { useSectionScroll } from "./section-scroll";
import { WhyUs } from "./why-us";

/** The sections below the fold. Their markup is prerendered; their code loads after the first paint. */
export function Below() {
  useSectionScroll();
  return (
    <div ref={useLighting()}>
      <Features />
      <WhyUs />
      <Gallery />
      <Get />
    </div>
  );
}
