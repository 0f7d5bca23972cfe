import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colours, if standard output is a terminal that supports them and NO_COLOR is not set. */
export const paint = (style: Style, text: string) => styleText(style, text, { stream: process.stdout });
