import { landing } from "@/brand/landing";

/** The sections of the landing page, by a URL that works from any page. */
export const sections = [
  ["/#features", landing.features.title],
  ["/#why-us", landing.why.title],
  ["/#gallery", landing.gallery.title],
  ["/#get", landing.get.title],
] as const;
