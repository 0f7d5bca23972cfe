import avif960 from "./custom-960.avif";
import avif1600 from "./custom-1600.avif";
import jpeg from "./custom-960.jpg";
import phoneAvif from "./custom-phone-720.avif";
import phoneWebp from "./custom-phone-720.webp";
import webp960 from "./custom-960.webp";
import webp1600 from "./custom-1600.webp";
import type { Picture } from "./picture";

export const custom: Picture = {
  caption: "Custom commands",
  alt: "The editor for custom commands and events with a short script, and a preview of the message that it sends.",
  wide: {
    width: 1600,
    height: 950,
    avif: { 960: avif960, 1600: avif1600 },
    webp: { 960: webp960, 1600: webp1600 },
    jpeg,
  },
  phone: { width: 720, height: 823, avif: phoneAvif, webp: phoneWebp },
};
