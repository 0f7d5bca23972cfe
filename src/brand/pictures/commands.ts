import avif960 from "./commands-960.avif";
import avif1600 from "./commands-1600.avif";
import jpeg from "./commands-960.jpg";
import phoneAvif from "./commands-phone-720.avif";
import phoneWebp from "./commands-phone-720.webp";
import webp960 from "./commands-960.webp";
import webp1600 from "./commands-1600.webp";
import type { Picture } from "./picture";

export const commands: Picture = {
  caption: "Commands",
  alt: "The list of commands with a search field, group filters and a switch for each; one command's settings are open beside it.",
  wide: {
    width: 1600,
    height: 950,
    avif: { 960: avif960, 1600: avif1600 },
    webp: { 960: webp960, 1600: webp1600 },
    jpeg,
  },
  phone: { width: 720, height: 823, avif: phoneAvif, webp: phoneWebp },
};
