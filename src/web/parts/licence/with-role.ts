import { brand } from "@/brand/brand";
import { isWithout } from "../../page/without";

/** `downloads and the Wisp Premium role`, or `downloads` where Discord is off. */
export const withRole = (downloads: string): string =>
  isWithout("discord") ? downloads : `${downloads} and the ${brand.premium.name} role`;
