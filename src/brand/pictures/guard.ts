import avif960 from "./guard-960.avif";
import avif1600 from "./guard-1600.avif";
import jpeg from "./guard-960.jpg";
import phoneAvif from "./guard-phone-720.avif";
import phoneWebp from "./guard-phone-720.webp";
import webp960 from "./guard-960.webp";
import webp1600 from "./guard-1600.webp";
import type { Picture } from "./picture";

export const guard: Picture = {
  caption: "Guard",
  alt: "The guard's screen: the account is safe, its known sessions are listed, and an unknown browser was blocked.",
  wide: {
    width: 1600,
    height: 950,
    avif: { 960: avif960, 1600: avif1600 },
    webp: { 960: webp960, 1600: webp1600 },
    jpeg,
  },
  phone: { width: 720, height: 823, avif: phoneAvif, webp: phoneWebp },
};
