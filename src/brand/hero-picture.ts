import { home } from "./pictures/home";

/** The picture at the top of the landing page. */
export const heroPicture = home;
