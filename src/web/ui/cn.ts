import { clsx, type ClassValue } from "clsx";
import { twMerge } from "tailwind-merge";

/** Joins class names; of two Tailwind classes that say the same thing the later one wins. */
export function cn(...classes: ClassValue[]) {
  return twMerge(clsx(classes));
}
