import type { Resvg as Class } from "@resvg/resvg-js";

/** Draws an SVG file as a PNG of that width. */
export type Renderer = (svg: string, width: number) => Uint8Array<ArrayBuffer>;

/** Null where the package has no program for this system: then nothing is drawn, and everything else works. */
export function loadRenderer(): Renderer | null {
  const Resvg = loadClass();
  if (!Resvg) return null;
  return (svg, width) => {
    const image = new Resvg(svg, {
      fitTo: { mode: "width", value: width },
      // there is no text in what we draw, and looking for fonts takes half a second
      font: { loadSystemFonts: false },
    }).render();
    return new Uint8Array(image.asPng());
  };
}

function loadClass(): typeof Class | null {
  try {
    return require("@resvg/resvg-js").Resvg;
  } catch {
    return null;
  }
}
