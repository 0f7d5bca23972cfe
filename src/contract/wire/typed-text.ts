import { z } from "zod";
import { cleaned, shownText } from "../vocabulary/plain-words";

/** A field with 1 to `most` characters of text. */
export const typedText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .transform(cleaned)
    .refine((text) => shownText(text) !== "", "must contain some text");
