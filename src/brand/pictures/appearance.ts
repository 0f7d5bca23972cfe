import avif960 from "./appearance-960.avif";
import avif1600 from "./appearance-1600.avif";
import jpeg from "./appearance-960.jpg";
import phoneAvif from "./appearance-phone-720.avif";
import phoneWebp from "./appearance-phone-720.webp";
import webp960 from "./appearance-960.webp";
import webp1600 from "./appearance-1600.webp";
import type { Picture } from "./picture";

export const appearance: Picture = {
  caption: "Appearance",
  alt: "Six color themes to choose from, sliders for density and corners, and a preview of an answer.",
  wide: {
    width: 1600,
    height: 950,
    avif: { 960: avif960, 1600: avif1600 },
    webp: { 960: webp960, 1600: webp1600 },
    jpeg,
  },
  phone: { width: 720, height: 823, avif: phoneAvif, webp: phoneWebp },
};
