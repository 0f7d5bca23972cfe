/**
 * Links that ask for a page's urgent picture (`fetchpriority="high"`) from its head: one for each AVIF source, whose
 * `media` must exclude each other's. A browser that doesn't take AVIF passes over them and finds the picture itself.
 */
export function urgentPictureLinks(markup: string): string[] {
  const links: string[] = [];
  let sources: string[] = [];
  new HTMLRewriter()
    .on("picture", { element: () => void (sources = []) })
    .on('picture > source[type="image/avif"]', { element: (source) => void sources.push(linkOf(source)) })
    .on('picture > img[fetchpriority="high"]', { element: () => void links.push(...sources) })
    .transform(markup);
  return links;
}

function linkOf(source: HTMLRewriterTypes.Element) {
  const attributes = [
    ["media", source.getAttribute("media")],
    ["imagesrcset", source.getAttribute("srcset")],
    ["imagesizes", source.getAttribute("sizes")],
  ].flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []));
  return `<link rel="preload" as="image" type="image/avif" ${attributes.join(" ")} fetchpriority="high">`;
}
