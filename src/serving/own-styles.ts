import { type Css, listed, printCss } from "./css";
import { matcher } from "./selectors";

/**
 * Of a whole stylesheet what one page's markup shows: rules whose selectors can match, and the variables,
 * animations and registered properties that these use. States (`:hover`, `:has(…)`) count as possible, and so does
 * any value of an attribute. All layers are named first, in the sheet's order: brought later, the whole sheet
 * repeats what is here and changes nothing.
 */
export function ownStyles(whole: Css[], markup: string): string {
  return printCss([...layersOf(whole), ...onlyUsed(onlyMatching(whole, matcher(markup)))]);
}

function layersOf(whole: Css[]): Css[] {
  const names = whole.flatMap(({ head }) => (head.startsWith("@layer ") ? listed(head.slice(7)) : []));
  return names.length > 0 ? [{ head: `@layer ${[...new Set(names)].join(",")}` }] : [];
}

function onlyMatching(list: Css[], canMatch: (selector: string) => boolean): Css[] {
  return list.flatMap((block) => {
    if (!block.inner) return block.head.startsWith("@layer") ? [] : [block];
    if (/^@(?:media|supports|layer|container)\b/.test(block.head))
      return filled(block.head, onlyMatching(block.inner, canMatch));
    if (block.head.startsWith("@")) return [block];
    const selectors = listed(block.head).filter(canMatch);
    return selectors.length > 0 ? [{ head: selectors.join(","), inner: block.inner }] : [];
  });
}

/** Leaves out what nothing names, and then what only that had named. */
function onlyUsed(list: Css[]): Css[] {
  const text = printCss(list);
  const used = new Set(text.match(/(?<=var\()--[\w-]+/g));
  const played = new Set(text.match(/(?<=(?:animation|animation-name|--animate-[\w-]+):[^;}]*)[\w-]+/g));
  const left = list.flatMap((block) => withUsed(block, used, played));
  return printCss(left).length < text.length ? onlyUsed(left) : left;
}

function withUsed(block: Css, used: Set<string>, played: Set<string>): Css[] {
  const name = /^(?:@property )?(--[\w-]+)/.exec(block.head)?.[1];
  if (name !== undefined) return used.has(name) ? [block] : [];
  const animation = /^@keyframes (.+)/.exec(block.head)?.[1];
  if (animation !== undefined) return played.has(animation) ? [block] : [];
  if (!block.inner) return [block];
  return filled(
    block.head,
    block.inner.flatMap((inner) => withUsed(inner, used, played)),
  );
}

function filled(head: string, inner: Css[]): Css[] {
  return inner.length > 0 ? [{ head, inner }] : [];
}
