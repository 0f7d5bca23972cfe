import { isWithout } from "../../page/without";

/** `downloads and the Wisp Premium role`, or `downloads` where Discord is off; the role is named as the level is. */
export const withRole = (downloads: string, level: string): string =>
  isWithout("discord") ? downloads : `${downloads} and the ${level} role`;
