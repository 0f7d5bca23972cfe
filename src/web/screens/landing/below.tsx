import { Features } from "./features";
import { Gallery } from "./gallery";
import { Get } from "./get";
import { useLighting } from "./lighting";
import { useSectionScroll } from "./section-scroll";
import { WhyUs } from "./why-us";

/** What comes below the first screenful. Its markup is there at once; its code comes after the first paint. */
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
