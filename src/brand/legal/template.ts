/** What the first line of a template begins with. Its owner deletes the line, which no page shows. */
const note = "> This is a sample.";

/** Whether a legal text is still a template that nobody has reviewed. */
export const isSample = (markdown: string): boolean => markdown.trimStart().startsWith(note);

/**
 * `seller`: who sells, on one line or several. `support`: an email address. `address`: the shop's, as
 * `https://shop.example.com`. `date`: as displayed.
 */
export type TemplateValues = Record<"product" | "seller" | "support" | "address" | "date", string>;

/** A template of a legal text as it is copied into an owner's folder, which nothing fills again. */
export const fillTemplate = (template: string, values: TemplateValues): string =>
  template.replaceAll(/(<|mailto:)?\{(product|seller|support|address|date)\}/g, (_, before = "", name) => {
    const value = values[name as keyof TemplateValues].trim().replaceAll(/\s*\n\s*/g, ", ");
    return before + (before === "" ? value.replaceAll(/[\\`*_[\]<]/g, "\\$&") : value);
  });
