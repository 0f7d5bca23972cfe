import { icons } from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const known: Readonly<Record<string, (typeof icons)["House"] | undefined>> = icons;

/** An icon from the set that the site uses, as SVG text, by its name on lucide.dev. */
export function iconOf(name: string): string {
  const pascal = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const icon = known[pascal];
  if (!icon) throw new Error(`There is no icon called ${name}`);
  return renderToStaticMarkup(createElement(icon, { strokeWidth: 1.75 }));
}
