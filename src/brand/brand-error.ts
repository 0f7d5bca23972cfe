import { oneLine } from "@/contract/vocabulary/plain-words";

/** A mistake in a brand: in which file, where in it, and what is wrong there. The message is the whole sentence. */
export class BrandError extends Error {
  override name = "BrandError";
  constructor(
    readonly file: string,
    /** Such as `landing.hero.lead`, or `line 3, column 7`; empty for the whole file. */
    readonly place: string,
    readonly sentence: string,
  ) {
    super(oneLine(place === "" ? `${file} ${sentence}.` : `In ${file}, ${place} ${sentence}.`));
  }
}
