const number = /^[-+.\deE%]+(?:px)?$/;
const numbers = /^[-+.\deE%,\s]*$/;
const word = /^[a-zA-Z-]+$/;
const paint =
  /^(?:[a-zA-Z]+|#[\da-fA-F]{3,8}|(?:rgb|hsl)a?\([-+.\d%,\s/]*\)|url\(\s*(['"]?)#[\w.-]+\1\s*\))$/;
const path = /^[MLHVCSQTAZmlhvcsqtaz\deE+.,\s-]*$/;
const transform = /^\s*(?:(?:matrix|translate|scale|rotate|skewX|skewY)\s*\([-+.\deE,\s]*\)[\s,]*)*$/;

/** How a shape or a group is painted. */
const look: Record<string, RegExp> = {
  fill: paint,
  "fill-opacity": number,
  "fill-rule": word,
  opacity: number,
  stroke: paint,
  "stroke-dasharray": /^(?:none|[-+.\deE%,\s]+)$/,
  "stroke-dashoffset": number,
  "stroke-linecap": word,
  "stroke-linejoin": word,
  "stroke-miterlimit": number,
  "stroke-opacity": number,
  "stroke-width": number,
  transform,
};

const all = (names: string, values: RegExp) =>
  Object.fromEntries(names.split(" ").map((name) => [name, values]));

const gradient = {
  id: /^[\w.-]+$/,
  gradientTransform: transform,
  gradientUnits: word,
  spreadMethod: word,
  href: /^#[\w.-]+$/,
};

/** Every element that a logo may have, with its attributes and what their values look like. */
export const parts: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  svg: { viewBox: numbers, ...all("width height x y", /./), ...look },
  g: look,
  path: { d: path, ...look },
  rect: { ...all("x y width height rx ry", number), ...look },
  circle: { ...all("cx cy r", number), ...look },
  ellipse: { ...all("cx cy rx ry", number), ...look },
  line: { ...all("x1 y1 x2 y2", number), ...look },
  polyline: { points: numbers, ...look },
  polygon: { points: numbers, ...look },
  defs: {},
  linearGradient: { ...gradient, ...all("x1 y1 x2 y2", number) },
  radialGradient: { ...gradient, ...all("cx cy r fx fy fr", number) },
  stop: { offset: number, "stop-color": paint, "stop-opacity": number },
};

export const shapes = ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"];

/** Elements that say something about a drawing, and those of other namespaces. */
export const leftOut = /^(?:title|desc|metadata|(?!svg:)[\w.-]+:[\w.-]+)$/;

/** What drawing programs add, and a logo looks the same without. */
export const meaningless =
  /^(?:(?!xlink:)[\w.-]+:[\w.-]+|-inkscape-[\w-]+|xmlns|id|class|version|baseProfile|role|focusable|data-[\w-]+|aria-[\w-]+|font-[\w-]+|text-[\w-]+|(?:line|letter|word|block)-[\w-]+|writing-mode|white-space|direction|baseline-shift|shape-(?:padding|rendering)|solid-[\w-]+|color|color-[\w-]+|image-rendering|clip-rule|enable-background|preserveAspectRatio|zoomAndPan)$/;

/** What may stand there with the value that it has without. */
export const drawsNothing: Readonly<Record<string, RegExp>> = {
  ...all("clip-path filter marker marker-end marker-mid marker-start mask vector-effect", /^none$/),
  ...all("isolation overflow", /^(?:auto|visible)$/),
  display: /^(?:inline|block)$/,
  visibility: /^visible$/,
  "mix-blend-mode": /^normal$/,
  "paint-order": /^(?:normal|(?:markers )?fill\b[a-z ]*)$/,
};

/** What to choose in the drawing program instead. */
export const hintOf = (name: string): string => (Object.hasOwn(hints, name) ? `: ${hints[name]}` : "");

const clips = "release the clipping mask, or export without clipped content";
const hints: Record<string, string> = {
  style: 'export with "presentation attributes"',
  "clip-path": clips,
  clipPath: clips,
  mask: "release the mask",
  text: "convert texts to paths",
};
