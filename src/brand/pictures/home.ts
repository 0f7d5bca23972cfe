import avif960 from "./home-960.avif";
import avif1600 from "./home-1600.avif";
import jpeg from "./home-960.jpg";
import phoneAvif from "./home-phone-720.avif";
import phoneWebp from "./home-phone-720.webp";
import webp960 from "./home-960.webp";
import webp1600 from "./home-1600.webp";
import type { Picture } from "./picture";

export const home: Picture = {
  caption: "Home",
  alt: "The application's home screen: the day's activity as a curve, the last commands with their answers, music and guard at the side.",
  wide: {
    width: 1600,
    height: 950,
    avif: { 960: avif960, 1600: avif1600 },
    webp: { 960: webp960, 1600: webp1600 },
    jpeg,
  },
  phone: { width: 720, height: 823, avif: phoneAvif, webp: phoneWebp },
};
