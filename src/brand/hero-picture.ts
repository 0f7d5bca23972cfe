import { partOf } from "./the-brand";

/** The picture at the top of the landing page. */
export const { heroPicture } = partOf("hero-picture");
